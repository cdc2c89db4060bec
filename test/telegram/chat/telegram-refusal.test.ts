import { GrammyError, HttpError } from 'grammy'
import type { ApiError } from 'grammy/types'
import { expect, test } from 'vitest'
import {
  deliveryAfter,
  refusalOf,
  type TelegramRefusal,
} from '../../../src/telegram/chat/telegram-refusal.ts'

const refused = (error_code: number, description: string, parameters: ApiError['parameters'] = {}) =>
  new GrammyError('x', { ok: false, error_code, description, parameters }, 'sendMessage', {})

test.each<[string, number, ApiError['parameters'], TelegramRefusal['kind']]>([
  ['Bad Request: message is not modified: specified new message content', 400, {}, 'not_modified'],
  ['Bad Request: message to edit not found', 400, {}, 'nothing_to_edit'],
  ['Bad Request: message to delete not found', 400, {}, 'nothing_to_edit'],
  ["Bad Request: message can't be edited", 400, {}, 'nothing_to_edit'],
  ["Bad Request: message can't be deleted for everyone", 400, {}, 'nothing_to_edit'],
  ['Bad Request: MESSAGE_ID_INVALID', 400, {}, 'nothing_to_edit'],
  ["Bad Request: can't parse entities: Unsupported start tag", 400, {}, 'bad_markup'],
  ['Forbidden: bot was blocked by the user', 403, {}, 'blocked'],
  ['Forbidden: user is deactivated', 403, {}, 'blocked'],
  ['Forbidden: bot was kicked from the group chat', 403, {}, 'blocked'],
  ['Bad Request: chat not found', 400, {}, 'blocked'],
  ['Too Many Requests: retry after 7', 429, { retry_after: 7 }, 'flood'],
  [
    'Bad Request: group chat was upgraded to a supergroup chat',
    400,
    { migrate_to_chat_id: -1001 },
    'migrated',
  ],
  ['Internal Server Error', 500, {}, 'unknown'],
  ['Bad Gateway', 502, {}, 'unknown'],
  ['Bad Request: message is too long', 400, {}, 'refused'],
  ['Unauthorized', 401, {}, 'refused'],
])('Telegram’s refusal “%s” (%i) is recognized', (description, status, parameters, kind) => {
  expect(refusalOf(refused(status, description, parameters)).kind).toBe(kind)
})

test('a 429 from Telegram means the wait that it names, or one second if it names none', () => {
  expect(refusalOf(refused(429, '', { retry_after: 7 }))).toEqual({ kind: 'flood', retryAfterMs: 7000 })
  expect(refusalOf(refused(429, ''))).toEqual({ kind: 'flood', retryAfterMs: 1000 })
})

test('a lost answer of Telegram counts as unknown, and its reason does not show the bot’s token', () => {
  const error = new HttpError('https://api.telegram.org/bot123:secret/sendMessage', new Error('reset'))
  const refusal = refusalOf(error)
  expect(refusal).toEqual({ kind: 'unknown', reason: 'no answer from Telegram' })
})

test('an error that is not Telegram’s does not count as a refusal', () => {
  const bug = new TypeError('x is not a function')
  expect(() => refusalOf(bug)).toThrow(bug)
})

test.each<[TelegramRefusal, ReturnType<typeof deliveryAfter>]>([
  [{ kind: 'not_modified' }, { kind: 'sent' }],
  [{ kind: 'nothing_to_edit' }, { kind: 'sent' }],
  [{ kind: 'blocked' }, { kind: 'muted' }],
  [
    { kind: 'flood', retryAfterMs: 7000 },
    { kind: 'later', waitMs: 7000, reason: 'flood' },
  ],
  [
    { kind: 'migrated', to: -1 },
    { kind: 'later', waitMs: 0, reason: 'migrated' },
  ],
  [
    { kind: 'unknown', reason: '502' },
    { kind: 'later', waitMs: null, reason: '502' },
  ],
  [{ kind: 'bad_markup' }, { kind: 'refused', reason: 'markup' }],
  [
    { kind: 'refused', reason: 'too long' },
    { kind: 'refused', reason: 'too long' },
  ],
])('a notice to which Telegram answers %j gets the delivery state %j', (refusal, delivery) => {
  expect(deliveryAfter(refusal)).toEqual(delivery)
})
