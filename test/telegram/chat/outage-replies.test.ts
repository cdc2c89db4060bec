import { type Api, GrammyError, HttpError } from 'grammy'
import type { Update } from 'grammy/types'
import { expect, test, vi } from 'vitest'
import { createOutageReplies } from '../../../src/telegram/chat/outage-replies.ts'
import { stoppedMeanwhile } from '../../../src/telegram/texts/outage.ts'

const refused = (description: string) =>
  new GrammyError('x', { ok: false, error_code: 400, description }, 'deleteMessage', {})

const operator = 77

const newReplies = (purchase = { isDraft: true }) => {
  const said: { chatId: number | string; text: string; replyTo?: number }[] = []
  const toasts: { id: string; text: string | undefined }[] = []
  const telegram = { isAway: false, refusal: '', onToast: () => {} }
  const deleted: number[] = []
  const held = new Set<number>()
  const closed: object[] = []
  const edited: { chatId: number | string; messageId: number; text: string }[] = []
  const replies = createOutageReplies({
    api: {
      sendMessage: (async (chatId: number, text: string, more?: Parameters<Api['sendMessage']>[2]) => {
        if (telegram.isAway) throw new Error('no answer')
        const replyTo = more?.reply_parameters?.message_id
        said.push({ chatId, text, ...(replyTo !== undefined && { replyTo }) })
        return { message_id: said.length }
      }) as never,
      editMessageText: (async (chatId: number, messageId: number, text: string) => {
        edited.push({ chatId, messageId, text })
      }) as never,
      answerCallbackQuery: (async (id: string, { text }: { text?: string }) => {
        if (telegram.isAway) throw new Error('no answer')
        toasts.push({ id, text })
        telegram.onToast()
      }) as never,
      deleteMessage: (async (_chatId: number, messageId: number) => {
        if (telegram.isAway) throw new HttpError('deleteMessage', null)
        if (telegram.refusal) throw refused(telegram.refusal)
        deleted.push(messageId)
      }) as never,
    },
    operatorIds: () => [operator],
    closeAlarms: async (alarms) => void closed.push(...alarms),
    orderedNothing: async () => purchase.isDraft,
    monotonicMs: () => 0,
    onHeld: ({ update_id }) => void held.add(update_id),
    onError: () => {},
  })
  return { replies, said, toasts, telegram, held, deleted, closed, edited }
}

let updates = 0
const message = (chat: number, type: 'private' | 'group' = 'private', text = '024 2GB') =>
  ({ update_id: ++updates, message: { message_id: updates, chat: { id: chat, type }, text } }) as Update
/** @param card the message with the button */
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

test('a chat is told once in an outage that nothing is ordered, and again in the next one; its messages are held', async () => {
  const { replies, said, held } = newReplies()
  const first = message(1)
  expect([await replies.answer(first, true), await replies.answer(first, true)]).toEqual(['held', 'held'])
  expect([...held]).toEqual([first.update_id])
  await replies.answer(message(1), true)
  expect(said).toHaveLength(1)
  replies.end(outage)
  await replies.answer(message(1), true)
  expect(said.map(({ text }) => text)).toEqual(
    Array(2).fill(
      expect.stringMatching(/^I can’t save anything just now, so nothing is ordered by this message/),
    ),
  )
})

test('a press whose toast is on its way when the outage ends is still told that it can be pressed again', async () => {
  const { replies, said, telegram } = newReplies()
  telegram.onToast = () => replies.end(outage)
  expect(await replies.answer(press(1), true)).toBe('done')
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said).toEqual([{ chatId: 1, text: expect.stringMatching(/^I can save again/), replyTo: 5 }])
  replies.end(outage)
  expect(said).toHaveLength(1)
})

test('a press is answered each time that nothing was ordered and is done, and its chat is told when it is over', async () => {
  const { replies, said, toasts } = newReplies()
  expect([await replies.answer(press(1), true), await replies.answer(press(1), true)]).toEqual([
    'done',
    'done',
  ])
  expect(toasts.map(({ text }) => text)).toEqual(
    Array(2).fill(expect.stringMatching(/so this press did nothing/)),
  )
  expect(said).toEqual([])
  replies.end(outage)
  await vi.waitFor(() => expect(said).toHaveLength(1))
  expect(said).toEqual([{ chatId: 1, text: expect.stringMatching(/^I can save again/), replyTo: 5 }])
})

test('each card whose press did nothing is named by a reply to it, once', async () => {
  const { replies, said } = newReplies()
  for (const card of [5, 6, 5]) await replies.answer(press(1, card), true)
  replies.end(outage)
  await vi.waitFor(() => expect(said).toHaveLength(2))
  expect(said.map(({ replyTo }) => replyTo)).toEqual([5, 6])
})

test('nobody is told to press again what another process has taken meanwhile', async () => {
  const purchase = { isDraft: true }
  const { replies, said } = newReplies(purchase)
  await replies.answer(press(1), true)
  purchase.isDraft = false
  replies.end(outage)
  purchase.isDraft = true
  await replies.answer(press(2), true)
  replies.end(outage)
  await vi.waitFor(() => expect(said).not.toEqual([]))
  expect(said.map(({ chatId }) => chatId)).toEqual([2])
})

test('a press that nobody could be told about is held like a message', async () => {
  const { replies, said, telegram } = newReplies()
  telegram.isAway = true
  expect(await replies.answer(press(1), true)).toBe('held')
  telegram.isAway = false
  replies.end(outage)
  expect(said).toEqual([])
})

test.each([
  ['the handler cannot rule it out', false, true],
  ['its purchase is no draft any more', true, false],
])('where %s, nobody is told that nothing was ordered, then or later', async (_why, isCertain, isDraft) => {
  const { replies, said, toasts } = newReplies({ isDraft })
  const pressed = press(1)
  expect(await replies.answer(pressed, isCertain)).toBe('held')
  // Telegram brings it again.
  expect(await replies.answer(pressed, true)).toBe('held')
  replies.end(outage)
  const all = [...said, ...toasts].map(({ text }) => text)
  expect(all).toEqual(Array(2).fill(expect.stringMatching(/^My database went away just then/)))
})

test('in a group only a command is answered', async () => {
  const { replies, said } = newReplies()
  await replies.answer(message(-5, 'group', 'good morning'), true)
  await replies.answer(message(-5, 'group', '/status BUD-API-AB12CD-123456'), true)
  expect(said).toHaveLength(1)
})

test.each([
  ['/connect with anything behind it', '/Connect kumasi ashanti'],
  ['what reads like a key', 'c3ab8ff13720e8ad9047dd39466b3c89'],
])('%s is deleted at once, which is said, although it is held', async (_, text) => {
  const { replies, said, telegram, deleted } = newReplies()
  const update = message(1, 'private', text)
  telegram.isAway = true
  expect(await replies.answer(update, true)).toBe('held')
  telegram.isAway = false
  await replies.answer(update, true)
  await replies.answer(update, true)
  expect(deleted).toEqual([update.message?.message_id])
  expect(said.map((each) => each.text)).toEqual([
    'That looks like an API key or secret, so I deleted your message at once.',
    expect.stringMatching(/Don’t send it again/),
  ])
})

test('a credential that Telegram does not let the bot delete is named as standing; none is deleted in a group', async () => {
  const { replies, said, telegram, deleted } = newReplies()
  await replies.answer(message(-5, 'group', '/connect kumasi ashanti'), true)
  telegram.refusal = "Bad Request: message can't be deleted"
  for (let sent = 0; sent < 2; sent += 1) await replies.answer(message(1, 'private', '/connect a b'), true)
  const words = said.filter(({ chatId }) => chatId === 1).map(({ text }) => text)
  expect(words.filter((text) => text.endsWith('Delete your message now.'))).toHaveLength(1)
  expect(deleted).toEqual([])
})

test('operators are told of an outage that lasts, and what they were told is closed at its end', async () => {
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
      { chatId: operator, text: expect.stringMatching(/^⚠️ The database takes no changes/) },
    ])
    replies.end(outage)
    await vi.advanceTimersByTimeAsync(0)
    expect(said).toHaveLength(1)
    expect(closed).toEqual([{ chatId: operator, messageId: 1 }])
  } finally {
    vi.useRealTimers()
  }
})

test('a process that stops in an outage closes what it told operators, and tells nobody any more', async () => {
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
