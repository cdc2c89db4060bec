import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { createOutageReplies } from '../../src/telegram/outage-replies.ts'

const newReplies = (orderedNothing = true) => {
  const said: { chatId: number | string; text: string }[] = []
  const toasts: { id: string; text: string | undefined }[] = []
  const telegram = { isAway: false }
  const held = new Set<number>()
  const replies = createOutageReplies({
    api: {
      sendMessage: (async (chatId: number, text: string) => {
        if (telegram.isAway) throw new Error('no answer')
        said.push({ chatId, text })
      }) as never,
      answerCallbackQuery: (async (id: string, { text }: { text?: string }) => {
        if (telegram.isAway) throw new Error('no answer')
        toasts.push({ id, text })
      }) as never,
    },
    operatorIds: () => [],
    orderedNothing: async () => orderedNothing,
    monotonicMs: () => 0,
    onHeld: ({ update_id }) => void held.add(update_id),
    onError: () => {},
  })
  return { replies, said, toasts, telegram, held }
}

let updates = 0
const message = (chat: number, type: 'private' | 'group' = 'private', text = '024 2GB') =>
  ({ update_id: ++updates, message: { message_id: updates, chat: { id: chat, type }, text } }) as Update
const press = (chat: number) =>
  ({
    update_id: ++updates,
    callback_query: {
      id: `q${updates}`,
      data: 'x',
      from: { id: chat },
      message: { chat: { id: chat, type: 'private' } },
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
  expect(said).toEqual([{ chatId: 1, text: expect.stringMatching(/^I can save again/) }])
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
  const { replies, said, toasts } = newReplies(isDraft)
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
