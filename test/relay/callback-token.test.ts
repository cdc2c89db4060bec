import { expect, test } from 'vitest'
import { callbackToken, readCallbackToken } from '../../src/relay/callback-token.ts'

test.each([
  [null, 'abc_-123'],
  [7_000_000_001, 'abc_-123'],
])('the token of bot %s is taken apart as it was made', (botId, signed) => {
  expect(readCallbackToken(callbackToken(botId, signed))).toEqual({ botId, signed })
})

test.each(['', '.', '.abc', 'x.abc', '12345678901234567.abc'])('%o names no added bot', (token) => {
  expect(readCallbackToken(token)).toEqual({ botId: null, signed: token })
})
