import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { createStore } from '../../src/store/store.ts'
import { newDatabaseUrl } from '../support/database.ts'

/** Two stores on one database. To the database they look like two processes. */
const twoStores = async () => {
  const url = await newDatabaseUrl()
  const databases = [await openDatabase(url), await openDatabase(url)]
  for (const { close } of databases) onTestFinished(close)
  return databases.map((database) => createStore(database))
}

const at = new Date()

const draftOf = (id: string) => ({
  id,
  accountId: 'a',
  userId: 1,
  chatId: 1,
  cause: 'message:1:1',
  lines: [],
  createdAt: at,
  expiresAt: at,
})

describe('two processes on one database', () => {
  test('make one draft of a message, and both get that draft', async () => {
    const stores = await twoStores()
    for (const store of stores) {
      await store.accounts
        .insert({ id: 'a', keyHash: 'h', sealedKey: '', sealedSecret: '', accountType: null, now: at })
        .catch(() => {})
    }
    const drafts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stores[index % 2]?.purchases.insertDraft(draftOf(`draft-${index}`)),
      ),
    )
    expect(new Set(drafts.map((draft) => draft?.id)).size).toBe(1)
  })

  test('see the newest value of a stored fact when their transactions lock it', async () => {
    const stores = await twoStores()
    const counts = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stores[index % 2]?.transaction(async ({ facts }) => {
          const count = Number(await facts.lock('count')) + 1
          await facts.write('count', String(count))
          return count
        }),
      ),
    )
    expect(counts.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 1),
    )
  })

  test('lose no change of a query that runs at the same time as a transaction', async () => {
    const [one, other] = await twoStores()
    await one?.chats.mute(7, at)
    await one?.transaction(async ({ chats, facts }) => {
      const wasMuted = await chats.isMuted(7)
      await facts.write('muted', String(wasMuted))
      return wasMuted
    })
    await Promise.all([
      other?.chats.unmute(7),
      one?.transaction(async ({ chats, facts }) => {
        if (await chats.isMuted(7)) await facts.write('seen', 'muted')
      }),
    ])
    expect(await one?.chats.isMuted(7)).toBe(false)
  })
})
