import fc from 'fast-check'
import { expect, test } from 'vitest'
import { securityKinds } from '../../../../src/accounts/security-trail.ts'
import * as words from '../../../../src/telegram/features/settings/security-words.ts'
import { now } from '../../words/any-order.ts'
import { hostile, readAsTelegram } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const eventsOf = ({ text, flag }: Values) =>
  [...securityKinds.slice(0, 8), 'a kind of a later version'].map((kind) => ({
    at: now,
    kind,
    who: flag ? words.stranger('abcdef012') : words.anOwner,
    detail: kind === 'agent_limit' ? '50000' : flag ? text : '',
  }))

const wording: Wording<typeof words> = {
  accountEvents: (each) => words.accountEvents(each.count % 2 ? eventsOf(each) : [], now),
  allEvents: (each) =>
    words.allEvents(eventsOf(each), { page: each.count % 3, altered: each.flag ? each.count : null, now }),
  stranger: ({ text }) => words.stranger(text),
}

testTexts(words, wording)

const line = fc.record({
  at: fc.constant(now),
  kind: fc.constantFrom(...securityKinds, 'a kind of a later version'),
  who: fc.option(hostile.map(words.stranger)),
  detail: fc.oneof(fc.constant(''), fc.constant('50000'), hostile),
})

test('the list of security events is valid for Telegram, whatever values the events have', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.option(fc.nat()), (events, altered) => {
      readAsTelegram(words.accountEvents(events, now))
      readAsTelegram(words.allEvents(events, { page: 1, altered, now }))
    }),
  )
})

test('a changed limit is shown as an amount of money in the security events', () => {
  const event = { at: now, kind: 'agent_limit', who: words.you }
  expect(words.accountEvents([{ ...event, detail: '50000' }], now)).toContain('GHS 500.00')
  expect(words.accountEvents([{ ...event, detail: 'none' }], now)).toContain('no limit')
})
