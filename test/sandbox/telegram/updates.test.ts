import { expect, it } from 'vitest'
import { UpdateQueue } from '../../../src/sandbox/telegram/bot-api/updates.ts'

const forEver = { offset: 0, limit: 100, timeoutMs: 600_000 }
const here = () => new AbortController()
const chat = { id: 1, type: 'private', first_name: 'A' } as const
const from = { id: 1, is_bot: false, first_name: 'A' }
const hello = { message: { message_id: 1, date: 1, chat, from, text: 'hello' } }

it('a waiting getUpdates of the simulated Telegram returns as soon as an update arrives', async () => {
  const queue = new UpdateQueue(7)
  const waiting = queue.poll({ ...forEver, gone: here().signal })
  queue.push(hello)
  expect(await waiting).toEqual([{ update_id: 7, ...hello }])
})

it('an update after a getUpdates timed out or hung up is delivered to the next getUpdates', async () => {
  const queue = new UpdateQueue(7)
  expect(await queue.poll({ ...forEver, timeoutMs: 1, gone: here().signal })).toEqual([])
  const bot = here()
  const waiting = queue.poll({ ...forEver, gone: bot.signal })
  bot.abort()
  expect(await waiting).toEqual([])
  queue.push(hello)
  expect(await queue.poll({ ...forEver, gone: here().signal })).toHaveLength(1)
})

it('a later getUpdates ends the earlier one with a conflict in the simulated Telegram', async () => {
  const queue = new UpdateQueue(7)
  const first = queue.poll({ ...forEver, gone: here().signal })
  const second = queue.poll({ ...forEver, gone: here().signal })
  await expect(first).rejects.toMatchObject({ code: 409 })
  queue.push(hello)
  expect(await second).toHaveLength(1)
})

it('one getUpdates of the simulated Telegram returns at most a hundred updates', async () => {
  const queue = new UpdateQueue(1)
  for (let count = 0; count < 150; count++) queue.push(hello)
  expect(await queue.poll({ ...forEver, limit: 1000, gone: here().signal })).toHaveLength(100)
  expect(await queue.poll({ ...forEver, offset: 101, gone: here().signal })).toHaveLength(50)
})
