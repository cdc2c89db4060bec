import { expect, test } from 'vitest'
import { type Client, openDatabase } from '../../src/database/database.ts'
import { cardOf } from '../../src/journal/notice.ts'
import { findDue } from '../../src/store/duties.ts'
import { sending } from '../../src/store/duty-kinds.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { newDatabaseUrl, testedKind } from '../support/database.ts'

const noon = new Date('2026-01-05T12:00:00Z')
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000)
const card = cardOf('p')

const open = async () => {
  const url = await newDatabaseUrl()
  const database = await openDatabase(url)
  const store = createStore(database)
  const duties = () => database.client.duty.findMany({ orderBy: { key: 'asc' } })
  return { url, database, store, duties }
}

/** Leaves a duty of the chat with nothing due. */
const fulfil = async (store: Store, chatId: number): Promise<void> => {
  await store.notices.owe(chatId, card, noon)
  const owed = await store.notices.ofChat(chatId)
  await store.notices.done(owed.map(({ id }) => id))
}

test('a duty that was not written is mended', async () => {
  const { database, store, duties } = await open()
  try {
    await store.notices.owe(7, card, noon)
    await store.notices.owe(8, card, noon, later(60))
    const written = await duties()
    await database.client.duty.deleteMany()
    expect(await store.notices.dueChats(noon, 9)).toEqual([])
    await store.duties.mend()
    expect(await duties()).toMatchObject(written.map(({ kind, key, due }) => ({ kind, key, due })))
    expect(await store.notices.dueChats(noon, 9)).toEqual([7])
    expect(await store.notices.dueChats(later(60), 9)).toEqual([7, 8])
  } finally {
    await database.close()
  }
})

test('a duty that is too late is mended', async () => {
  const { database, store } = await open()
  try {
    await store.notices.owe(7, card, noon)
    await database.client.duty.updateMany({ data: { due: later(999) } })
    await store.duties.mend()
    expect(await store.notices.dueChats(noon, 9)).toEqual([7])
  } finally {
    await database.close()
  }
})

test('a search goes on behind very many duties with nothing due, and removes them', async () => {
  const { database, store, duties } = await open()
  try {
    for (let chatId = 1; chatId <= 40; chatId += 1) {
      await fulfil(store, chatId)
    }
    await store.notices.owe(41, card, later(1))
    expect(await store.notices.dueChats(later(1), 4)).toEqual([41])
    expect(await duties()).toMatchObject([{ key: '41' }])
  } finally {
    await database.close()
  }
})

test('a fulfilled duty is removed after a quarter of a minute at the latest', async () => {
  const { database, store, duties } = await open()
  try {
    await fulfil(store, 7)
    expect(await store.notices.dueChats(later(14), 9)).toEqual([])
    expect(await duties()).toHaveLength(1)
    await store.notices.dueChats(later(16), 9)
    expect(await duties()).toEqual([])
  } finally {
    await database.close()
  }
})

test('a duty that was removed and written again, while a search stood still, is left by that search', async () => {
  const { database, store, duties } = await open()
  const { client, kind } = database
  const stillBefore = (meanwhile: () => Promise<unknown>): Client =>
    new Proxy(client, {
      get: (target, name) => {
        if (name !== '$executeRaw') return Reflect.get(target, name)
        return async (...statement: Parameters<Client['$executeRaw']>) => {
          await meanwhile()
          return client.$executeRaw(...statement)
        }
      },
    })
  try {
    await fulfil(store, 7)
    const slow = stillBefore(async () => {
      await store.notices.dueChats(later(61), 9)
      expect(await duties()).toEqual([])
      await store.notices.owe(7, card, noon)
    })
    expect(await findDue({ client: slow, kind }, sending(later(61)), { now: later(61), limit: 9 })).toEqual(
      [],
    )
    expect(await duties()).toHaveLength(1)
    expect(await store.notices.dueChats(later(61), 9)).toEqual([7])
  } finally {
    await database.close()
  }
})

test('a search finds what stands behind the chats that it leaves out', async () => {
  const { database, store } = await open()
  try {
    for (const chatId of [1, 2, 3]) await store.notices.owe(chatId, card, later(chatId))
    expect(await store.notices.dueChats(later(9), 2)).toEqual([1, 2])
    expect(await store.notices.dueChats(later(9), 2, [1, 2])).toEqual([3])
  } finally {
    await database.close()
  }
})

test.runIf(testedKind === 'postgresql')('a cause that is not committed yet keeps its duty', async () => {
  const { url, database, store, duties } = await open()
  const other = await openDatabase(url)
  try {
    // A duty with nothing due, which another transaction has just made due.
    await fulfil(store, 7)
    const owed = Promise.withResolvers<void>()
    const looked = Promise.withResolvers<void>()
    const owing = createStore(other).transaction(async (tx) => {
      await tx.notices.owe(7, card, later(100))
      owed.resolve()
      await looked.promise
    })
    await owed.promise
    // It does not wait for that transaction.
    expect(await store.notices.dueChats(later(200), 9)).toEqual([])
    looked.resolve()
    await owing
    expect(await duties()).toHaveLength(1)
    expect(await store.notices.dueChats(later(200), 9)).toEqual([7])
  } finally {
    await other.close()
    await database.close()
  }
})
