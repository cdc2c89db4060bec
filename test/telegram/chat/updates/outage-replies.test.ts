import { GrammyError, HttpError } from 'grammy'
import type { Update } from 'grammy/types'
import { expect, test, vi } from 'vitest'
import { createOutageReplies } from '../../../../src/telegram/chat/updates/outage-replies.ts'
import {
  kept,
  pressKept,
  stopped,
  stoppedMeanwhile,
} from '../../../../src/telegram/chat/updates/outage-words.ts'

const refused = (description: string) =>
  new GrammyError('x', { ok: false, error_code: 400, description }, 'deleteMessage', {})

const operator = 77

const newReplies = () => {
  const said: { chatId: number | string; text: string }[] = []
  const toasts: { id: string; text: string | undefined }[] = []
  const telegram = { isAway: false, refusal: '' }
  const deleted: number[] = []
  const closed: object[] = []
  const edited: { chatId: number | string; messageId: number; text: string }[] = []
  const replies = createOutageReplies({
    api: {
      sendMessage: (async (chatId: number, text: string) => {
        if (telegram.isAway) throw new Error('no answer')
        said.push({ chatId, text })
        return { message_id: said.length }
      }) as never,
      editMessageText: (async (chatId: number, messageId: number, text: string) => {
        edited.push({ chatId, messageId, text })
      }) as never,
      answerCallbackQuery: (async (id: string, { text }: { text?: string }) => {
        if (telegram.isAway) throw new Error('no answer')
        toasts.push({ id, text })
      }) as never,
      deleteMessage: (async (_chatId: number, messageId: number) => {
        if (telegram.isAway) throw new HttpError('deleteMessage', null)
        if (telegram.refusal) throw refused(telegram.refusal)
        deleted.push(messageId)
      }) as never,
    },
    operatorIds: () => [operator],
    closeAlerts: async (alerts) => void closed.push(...alerts),
    monotonicMs: () => 0,
    onError: () => {},
  })
  return { replies, said, toasts, telegram, deleted, closed, edited }
}

let updates = 0
const message = (chat: number, type: 'private' | 'group' = 'private', text = '024 2GB') =>
  ({ update_id: ++updates, message: { message_id: updates, chat: { id: chat, type }, text } }) as Update
/** @param card the id of the message with the button */
const press = (chat: number, card = 5) =>
  ({
    update_id: ++updates,
    callback_query: {
      id: `q${updates}`,
      data: 'x',
      from: { id: chat },
      message: { message_id: card, chat: { id: chat, type: 'private' } },
    },
  }) as unknown as Update

const outage = { cause: 'full', sinceMs: 0 } as const

test('a chat is told once in each outage that its messages are kept', async () => {
  const { replies, said } = newReplies()
  const first = message(1)
  await replies.answer(first)
  await replies.answer(first)
  await replies.answer(message(1))
  expect(said).toHaveLength(1)
  replies.end(outage)
  await replies.answer(message(1))
  expect(said.map(({ text }) => text)).toEqual([kept, kept])
})

test('each press in an outage gets one toast that it is kept, and none that nothing was ordered', async () => {
  const { replies, said, toasts } = newReplies()
  const pressed = press(1)
  await replies.answer(pressed)
  // Telegram delivers the press again.
  await replies.answer(pressed)
  await replies.answer(press(1))
  expect(toasts.map(({ text }) => text)).toEqual([pressKept, pressKept])
  expect(said).toEqual([])
  for (const text of [kept, pressKept, stopped])
    expect(text).not.toMatch(/nothing was|not? order|did nothing/i)
})

test('a press in an outage is answered when Telegram sends it again, if its first answer failed', async () => {
  const { replies, toasts, telegram } = newReplies()
  const pressed = press(1)
  telegram.isAway = true
  await replies.answer(pressed)
  telegram.isAway = false
  await replies.answer(pressed)
  expect(toasts).toHaveLength(1)
})

test('in a group only a command is answered during an outage', async () => {
  const { replies, said } = newReplies()
  await replies.answer(message(-5, 'group', 'good morning'))
  await replies.answer(message(-5, 'group', '/status BUD-API-AB12CD-123456'))
  expect(said).toHaveLength(1)
})

test.each([
  ['/connect followed by a text', '/Connect kumasi ashanti'],
  ['a text that looks like a key', 'c3ab8ff13720e8ad9047dd39466b3c89'],
])('in an outage a message with %s is deleted immediately and kept as an update', async (_, text) => {
  const { replies, said, telegram, deleted } = newReplies()
  const update = message(1, 'private', text)
  telegram.isAway = true
  await replies.answer(update)
  telegram.isAway = false
  await replies.answer(update)
  await replies.answer(update)
  expect(deleted).toEqual([update.message?.message_id])
  expect(said.map((each) => each.text)).toEqual([
    'That looks like an API key or secret, so I deleted your message at once.',
    expect.stringMatching(/Don’t send your message again/),
  ])
})

test('the person is asked to delete a credential that the bot may not delete, and nothing is deleted in a group', async () => {
  const { replies, said, telegram, deleted } = newReplies()
  await replies.answer(message(-5, 'group', '/connect kumasi ashanti'))
  telegram.refusal = "Bad Request: message can't be deleted"
  for (let sent = 0; sent < 2; sent += 1) await replies.answer(message(1, 'private', '/connect a b'))
  const words = said.filter(({ chatId }) => chatId === 1).map(({ text }) => text)
  expect(words.filter((text) => text.endsWith('Delete your message now.'))).toHaveLength(1)
  expect(deleted).toEqual([])
})

test('operators are told of an outage that lasts a minute, and their message is closed when it ends', async () => {
  vi.useFakeTimers()
  try {
    const { replies, said, closed } = newReplies()
    replies.begin(outage)
    replies.end(outage)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([said, closed]).toEqual([[], []])
    replies.begin(outage)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(said).toEqual([
      { chatId: operator, text: expect.stringMatching(/^⚠️ The database isn’t accepting changes/) },
    ])
    replies.end(outage)
    await vi.advanceTimersByTimeAsync(0)
    expect(said).toHaveLength(1)
    expect(closed).toEqual([{ chatId: operator, messageId: 1 }])
  } finally {
    vi.useRealTimers()
  }
})

test('a process that stops in an outage closes its message to operators and sends no more', async () => {
  vi.useFakeTimers()
  try {
    const { replies, said, edited } = newReplies()
    await replies.leave()
    expect(edited).toEqual([])
    replies.begin(outage)
    await vi.advanceTimersByTimeAsync(60_000)
    await replies.leave()
    expect(edited).toEqual([{ chatId: operator, messageId: 1, text: stoppedMeanwhile }])
    replies.end(outage)
    await replies.leave()
    replies.begin(outage)
    await replies.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([said.length, edited.length]).toEqual([1, 1])
  } finally {
    vi.useRealTimers()
  }
})
