import { randomBytes } from 'node:crypto'
import type { Update } from 'grammy/types'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '../../../../src/store/store.ts'
import type { Handled } from '../../../../src/telegram/chat/updates/handling.ts'
import { createUpdateInbox } from '../../../../src/telegram/chat/updates/update-inbox.ts'
import { createKeyring } from '../../../../src/wallets/credentials/keyring.ts'
import { newStore } from '../../../support/database.ts'

const update = (id: number, chatId: number, text = 'hello') =>
  ({ update_id: id, message: { message_id: id, chat: { id: chatId, type: 'private' }, text } }) as Update

const keyring = createKeyring([randomBytes(32)])

/** A process that receives updates, and handles them if it holds the lease. */
const newProcess = (store: Store, handle: (update: Update) => Promise<Handled>, isHeld = true) => {
  const lease = { held: isHeld }
  const answered: number[] = []
  const inbox = createUpdateInbox({
    store,
    keyring,
    handle,
    outages: {
      health: { look: async () => ({ cause: 'full', sinceMs: 0 }) },
      replies: { answer: async ({ update_id: id }) => void answered.push(id) },
    },
    lease: { isHeld: () => lease.held },
    now: () => new Date(),
    log: pino({ level: 'silent' }),
  })
  inbox.start()
  onTestFinished(() => inbox.stop())
  return { inbox, lease, answered }
}

test('an update that a process receives is handled once by the worker, in sequence within its chat', async () => {
  const store = await newStore()
  const handled: number[] = []
  const worker = newProcess(store, async ({ update_id: id }) => {
    handled.push(id)
    return 'done'
  })
  const receiver = newProcess(
    store,
    async () => {
      throw new Error('a receiver handles nothing')
    },
    false,
  )
  for (const id of [1, 2, 3]) expect(await receiver.inbox.accept(update(id, 7))).toBe('done')
  expect(await worker.inbox.accept(update(3, 7))).toBe('done')
  await vi.waitFor(() => expect(handled).toEqual([1, 2, 3]))
  await vi.waitFor(async () => expect(await store.updates.oldest(10)).toEqual([]))
  expect(handled).toEqual([1, 2, 3])
})

test('an update that cannot be handled yet delays only its own chat, and is handled later', async () => {
  const store = await newStore()
  const handled: number[] = []
  const held = new Set([1])
  const { inbox } = newProcess(store, async ({ update_id: id }) => {
    if (held.has(id)) return 'retry'
    handled.push(id)
    return 'done'
  })
  for (const [id, chat] of [
    [1, 7],
    [2, 7],
    [3, 8],
  ] as const)
    await inbox.accept(update(id, chat))
  await vi.waitFor(() => expect(handled).toEqual([3]))
  held.clear()
  await vi.waitFor(() => expect(handled).toEqual([3, 1, 2]))
})

test('the text of a waiting update is stored encrypted, because it may be a secret', async () => {
  const store = await newStore()
  const { inbox } = newProcess(store, async () => 'retry')
  await inbox.accept(update(1, 7, 'my secret is c3ab8ff13720e8ad'))
  const kept = await store.updates.oldest(10)
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toContain('c3ab8ff13720e8ad')
})

test('an update that cannot be stored stays at Telegram, and its sender gets an answer', async () => {
  const store = await newStore()
  const broken = { ...store, updates: { ...store.updates, keep: () => Promise.reject(new Error('full')) } }
  const { inbox, answered } = newProcess(broken, async () => 'done')
  expect(await inbox.accept(update(1, 7))).toBe('retry')
  expect(answered).toEqual([1])
})
