import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ChatSnapshot } from '../../../src/store/chats/chat-snapshot.ts'
import {
  currentSession,
  currentSnapshot,
  invalidatingSnapshots,
  withSnapshot,
} from '../../../src/telegram/chat/request-context.ts'
import { newStore } from '../../support/database.ts'

const snapshot: ChatSnapshot = {
  chatId: 7,
  userId: 7,
  session: null,
  menu: null,
  pending: null,
  member: null,
  isMuted: false,
  isBlocked: false,
  switches: new Map(),
  cause: null,
  purchaseId: null,
}

test('a chat’s snapshot is used while its update is handled, and not in later work', async () => {
  const later = Promise.withResolvers<void>()
  let after: Promise<ChatSnapshot | null> | null = null
  const left = await withSnapshot(snapshot, async () => {
    expect(currentSnapshot()).toBe(snapshot)
    expect(currentSession('7')).toBeNull()
    expect(currentSession('8')).toBeUndefined()
    after = later.promise.then(currentSnapshot)
  })
  later.resolve()
  expect(left).toBe(snapshot)
  expect(await after).toBeNull()
  expect(currentSnapshot()).toBeNull()
  expect(currentSession('7')).toBeUndefined()
})

test('updates that are handled at the same time each see their own chat’s snapshot', async () => {
  const other = { ...snapshot, chatId: 8 }
  const seen = async () => {
    await wait(1)
    return currentSnapshot()?.chatId
  }
  const chats: unknown[] = []
  await Promise.all(
    [snapshot, other].map((each) => withSnapshot(each, async () => void chats.push(await seen()))),
  )
  expect(chats.toSorted()).toEqual([7, 8])
})

test('a chat’s snapshot ends if the handling of its update fails', async () => {
  let after: Promise<ChatSnapshot | null> | null = null
  const failing = withSnapshot(snapshot, async () => {
    after = wait(1).then(currentSnapshot)
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await after).toBeNull()
})

test('a transaction discards the chat’s snapshot, and a single query keeps it', async () => {
  const store = invalidatingSnapshots(await newStore())
  const left = await withSnapshot(snapshot, async () => {
    await store.purchases.newestDraft(7, 7, new Date())
    expect(currentSnapshot()).toBe(snapshot)
    await store.transaction(async (tx) => tx.chats.mute(7, new Date()))
    expect(currentSnapshot()).toBeNull()
  })
  expect(left).toBeNull()
})
