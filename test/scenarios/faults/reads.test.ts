import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { createWorld, type World } from '../../support/world.ts'
import { expectCleanLog } from './judge.ts'
import { act, person, provider, type Row, run, type Step, shown } from './row.ts'
import { minutesLater } from './time.ts'

const { sees, hears, presses } = person

/**
 * Faults on the reads that a person's `Refresh` causes: the wallet for an order without a reference, otherwise its
 * status.
 */
const onReads = (fault: Omit<Fault, 'path' | 'times'>): Step[] =>
  ['/wallet/balance', '/transactions', '/order/status'].map((path) =>
    provider.gets({ ...fault, path, times: null }),
  )

const wasCharged: Step = (scene) => {
  const texts = shown(scene).map(({ text }) => text)
  expect(texts.filter((text) => /nothing (was|is) charged|not charged/i.test(text))).toEqual([])
}

/** Presses `Refresh` on the list's card. The message below it has a `Refresh` for its order. */
const refreshesList: Step = act(({ world, reseller, card }) => {
  const shownCard = world.telegram.messages(reseller.id).find((each) => each.message_id === card.message_id)
  const buttons = shownCard?.reply_markup?.inline_keyboard.flat() ?? []
  const refresh = buttons.find(({ text }) => text.includes('Refresh'))
  if (!refresh || !('callback_data' in refresh)) throw new Error('The list’s card has no Refresh.')
  world.telegram.press({ from: reseller.id, messageId: card.message_id, data: refresh.callback_data })
})

interface Failing {
  answer: string
  fails: readonly Step[]
  words: RegExp
  recovers: readonly Step[]
}

const failing: Failing[] = [
  {
    answer: 'a 500',
    fails: onReads({ kind: 'error_before' }),
    words: /I couldn’t check just now: the provider answered with an error \(500\)\./,
    recovers: [provider.recovers],
  },
  {
    answer: 'a page of a proxy',
    fails: onReads({ kind: 'bad_json', body: '<html>Bad Gateway</html>' }),
    words: /I couldn’t check just now: the provider sent an answer I can’t read\./,
    recovers: [provider.recovers],
  },
  {
    answer: 'a 429',
    fails: onReads({ kind: 'rate_limited', retryAfter: '2' }),
    words: /I couldn’t check: I’ve reached the provider’s request limit\. Try again in \d+ s\./,
    recovers: [provider.recovers],
  },
  {
    answer: 'silence',
    fails: onReads({ kind: 'hang' }),
    words: /I couldn’t check just now: the provider didn’t answer in time\./,
    recovers: [provider.recovers],
  },
  {
    answer: 'a 401',
    fails: [provider.refusesKey(true)],
    words: /I couldn’t check: the provider isn’t accepting your API key\. \/connect with the current key\./,
    recovers: [provider.refusesKey(false)],
  },
]

const mayBeCharged = /\nYou may have been charged, so don’t order again\./
const isCharged = /\nThis order was charged\. Status: processing\./
const both = (one: RegExp, other: RegExp) => new RegExp(`${one.source}${other.source}`)

const rows: Row[] = failing.flatMap(({ answer, fails, words, recovers }): Row[] => [
  {
    fault: `${answer} to Check now after a lost answer`,
    provider: [{ kind: 'answer_lost' }, { kind: 'debit_late', delayMs: 86_400_000 }],
    play: [
      hears(/unconfirmed[\s\S]*on’t order again/),
      ...fails,
      presses('Check now'),
      hears(both(words, mayBeCharged)),
      wasCharged,
      ...recovers,
      provider.showsDebits,
      minutesLater(10),
      sees(/processing[\s\S]*BUD-API-/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: `${answer} to Refresh of a charged order`,
    play: [
      sees(/processing[\s\S]*BUD-API-/),
      ...fails,
      presses('Refresh'),
      hears(both(words, isCharged)),
      wasCharged,
      ...recovers,
      minutesLater(10),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
  {
    fault: `${answer} to Refresh of a list after a lost answer`,
    numbers: 3,
    provider: [{ kind: 'answer_lost' }, { kind: 'debit_late', delayMs: 86_400_000 }],
    play: [
      hears(/unconfirmed[\s\S]*on’t order again/),
      sees(/GHS 28\.80 maybe charged/),
      ...fails,
      refreshesList,
      hears(both(words, /\nGHS 28\.80 may have been charged, so don’t order again yet\./)),
      wasCharged,
      ...recovers,
      provider.showsDebits,
      minutesLater(10),
      sees(/Charged GHS 28\.80/),
    ],
    posts: 1,
    debits: 1,
    ends: ['placed'],
  },
])

describe.concurrent('every look at an order says if it was or may have been charged', () => {
  let world: World

  beforeAll(async () => {
    world = await createWorld({ judged: true })
  })
  afterAll(async () => {
    await world?.close()
    if (world) expectCleanLog(world)
  })

  test.for(rows)('despite $fault', (row) => run(world, row))
})
