import { describe, expect, test } from 'vitest'
import { chargeKnownOf, noCharges } from '../../../src/domain/debits/charge.ts'
import { unansweredKinds } from '../../../src/domain/times/unanswered.ts'
import type { ProviderErrorCode } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { SeenProgress } from '../../../src/telegram/cards/viewer.ts'
import {
  credentialsInterrupted,
  credentialsUnchecked,
} from '../../../src/telegram/cards/words/account-key.ts'
import { plainText } from '../../../src/telegram/chat/screen.ts'
import * as unansweredTexts from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { balanceName } from '../../../src/telegram/features/wallet/words.ts'
import * as unreadableWords from '../../../src/telegram/words/unreadable.ts'
import { entriesName } from '../../../src/telegram/words/unreadable.ts'
import { now } from './any-order.ts'
import { inEveryStanding } from './in-every-standing.ts'
import { failureOf, testTexts, type Values, type Wording } from './wording.ts'

const words = {
  readable: unreadableWords.readable,
  cannotRead: unreadableWords.cannotRead,
  cannotAsk: unreadableWords.cannotAsk,
  cannotAskOfList: unreadableWords.cannotAskOfList,
  silence: unreadableWords.silence,
}

const progressOf = ({ count, money, flag }: Values): SeenProgress => ({
  total: 9,
  waiting: 0,
  underWay: count % 2,
  delivered: 1,
  unconfirmed: count % 3,
  notOrdered: 0,
  notKnown: 0,
  failed: [],
  isDone: false,
  money: flag
    ? { charges: { ...noCharges, maybePesewas: count % 3 ? money : pesewas(0) }, owedPesewas: money }
    : null,
})

const html: Wording<typeof words> = {
  silence: (values) => words.silence(failureOf(values)),
  cannotRead: (values) => words.cannotRead('the balance', failureOf(values)),
  cannotAsk: (values) => words.cannotAsk(values.order, failureOf(values)),
  cannotAskOfList: (values) =>
    (['owner', 'agent'] as const).map((viewer) =>
      words.cannotAskOfList(progressOf(values), viewer, failureOf(values)),
    ),
}

testTexts(words, html)

const codes: Record<ProviderErrorCode | 'no_wallet' | 'too_many_tries', true> = {
  invalid_request: true,
  invalid_options: true,
  invalid_credentials: true,
  unauthorized: true,
  not_found: true,
  rate_limited: true,
  refused: true,
  server_error: true,
  bad_answer: true,
  too_large: true,
  unreachable: true,
  connection_lost: true,
  timeout: true,
  aborted: true,
  no_wallet: true,
  too_many_tries: true,
}
const failures = Object.keys(codes).flatMap((code) => [
  { code, httpStatus: null, retryAfterMs: null },
  { code, httpStatus: 500, retryAfterMs: 20_000 },
])

describe('whatever made a request to the provider fail', () => {
  test('the text about a failed read of the wallet or prices mentions no charge', () => {
    const read = failures.flatMap((failure) => [
      ...[...Object.values(words.readable), balanceName, entriesName].map((what) =>
        words.cannotRead(what, failure),
      ),
      credentialsUnchecked(failure),
      ...unansweredKinds.flatMap((kind) =>
        [null, now].map((limitEnds) =>
          unansweredTexts.waiting({ kind, written: null, until: now, now, why: failure, limitEnds }),
        ),
      ),
    ])
    const ended = unansweredKinds.map((kind) =>
      unansweredTexts.stopped({ kind, written: null, until: now, now }),
    )
    const others = [unansweredTexts.cancelledAsk, unansweredTexts.overToast, credentialsInterrupted]
    for (const text of [...read, ...ended, ...others]) expect(text).not.toMatch(/charg|\bmoney\b/i)
  })

  test('the text about a failed look-up says only what is known of a charge', () => {
    for (const failure of failures) {
      for (const order of inEveryStanding) {
        const text = words.cannotAsk(order, failure)
        if (chargeKnownOf(order) !== 'none' && order.placement !== 'queued')
          expect(text).not.toMatch(/nothing (was|is) charged|not charged/i)
        if (order.placement === 'unconfirmed')
          expect(text).toMatch(/You may have been charged, so don’t order again\./)
      }
    }
  })
})

test.each([
  ['server_error', 500, 'I couldn’t check just now: the provider answered with an error (500).'],
  ['timeout', null, 'I couldn’t check just now: the provider didn’t answer in time.'],
  ['rate_limited', 429, 'I couldn’t check: I’ve reached the provider’s request limit. Try again in 20 s.'],
])(
  'an unconfirmed order is still described as maybe charged after a look-up that failed (%s)',
  (code, httpStatus, why) => {
    const unconfirmed = inEveryStanding.find(({ placement }) => placement === 'unconfirmed')
    expect(
      unconfirmed && plainText(words.cannotAsk(unconfirmed, { code, httpStatus, retryAfterMs: 20_000 })),
    ).toBe(`${why}\nYou may have been charged, so don’t order again. I’ll keep checking.`)
  },
)
