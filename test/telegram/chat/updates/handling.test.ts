import { GrammyError, HttpError } from 'grammy'
import type { Update } from 'grammy/types'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { admitAll } from '../../../../src/telegram/chat/flood-guard.ts'
import { createHandle } from '../../../../src/telegram/chat/updates/handling.ts'

const update = { update_id: 1, message: { chat: { id: 7 } } } as Update

/** Handles an update whose handler throws. @param sendMessage how Telegram answers the message about it */
const handleFailing = async (sendMessage: () => Promise<unknown>) => {
  const handleUpdate = async () => {
    throw new Error('nobody planned for this')
  }
  const options = {
    bot: { handleUpdate, api: { sendMessage } },
    floodGuard: admitAll,
    health: { outage: () => null, look: async () => null },
    replies: {},
    monotonicMs: () => 0,
    log: pino({ level: 'silent' }),
  }
  return createHandle(options as unknown as Parameters<typeof createHandle>[0])(update)
}

const refusal = (code: number) =>
  new GrammyError('x', { ok: false, error_code: code, description: 'no' }, 'sendMessage', {})

test.each([
  ['done once its person was told', async () => ({}), 'done'],
  ['done if the chat refuses messages', async () => Promise.reject(refusal(403)), 'done'],
  [
    'retried later if Telegram cannot be reached',
    async () => Promise.reject(new HttpError('x', null)),
    'retry',
  ],
  ['retried later if Telegram fails', async () => Promise.reject(refusal(502)), 'retry'],
])('an update whose handling fails is %s', async (_, sendMessage, handled) => {
  expect(await handleFailing(sendMessage)).toBe(handled)
})
