import fc from 'fast-check'
import { expect, test } from 'vitest'
import { securityKinds } from '../../../src/accounts/security-journal.ts'
import * as words from '../../../src/telegram/texts/security.ts'
import { now } from './any-order.ts'
import { hostile, readAsTelegram } from './outside.ts'

const line = fc.record({
  at: fc.constant(now),
  kind: fc.constantFrom(...securityKinds, 'a kind of a later version'),
  who: fc.option(hostile.map(words.stranger)),
  detail: fc.oneof(fc.constant(''), fc.constant('50000'), hostile),
})

test('whatever stands in an event, Telegram takes', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.option(fc.nat()), (events, brokenAt) => {
      readAsTelegram(words.accountEvents(events, now))
      readAsTelegram(words.allEvents(events, { page: 1, brokenAt, now }))
    }),
  )
})

test('a limit is told as money', () => {
  const event = { at: now, kind: 'agent_limit', who: words.you }
  expect(words.accountEvents([{ ...event, detail: '50000' }], now)).toContain('GHS 500.00')
  expect(words.accountEvents([{ ...event, detail: 'none' }], now)).toContain('no limit')
})
