import { describe, expect, onTestFinished, test } from 'vitest'
import { movePerson } from '../../src/accounts/moving.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createPurchases } from '../../src/orders/buying/purchases.ts'
import {
  beginMaintenance,
  changeMaintenance,
  endMaintenance,
  maintenanceOf,
  markNetwork,
  networksDown,
} from '../../src/orders/permission/switches.ts'
import { networks } from '../../src/provider/network.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { countRequest, windows } from '../../src/wallets/budget.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newDatabaseUrl, testedKind } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const processes = 4

/** Several stores on one database with the accounts `a` and `b`. To the database they look like several processes. */
const storesOf = async (): Promise<[Store, ...Store[]]> => {
  const url = (await newDatabaseUrl()).replace('connection_limit=3', 'connection_limit=6')
  const open = async (): Promise<Store> => {
    const database = await openDatabase(url)
    onTestFinished(database.close)
    return createStore(database)
  }
  const first = await open()
  for (const id of ['a', 'b']) await addAccount(first, id, now)
  return [first, ...(await Promise.all(Array.from({ length: processes - 1 }, open)))]
}

const each = <T>(stores: Store[], times: number, work: (store: Store, turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, turn) => work(stores[turn % stores.length] as Store, turn)))

test('four processes that count requests for one account never exceed a request limit', async () => {
  const stores = await storesOf()
  const waits = await each(stores, 100, (store) =>
    store.transaction((tx) => countRequest(tx, 'a', 'order', now), { accounts: ['a'] }),
  )
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(windows[0]?.limit ?? 0)
})

test('transactions that lock several accounts in any sequence never wait for each other in a circle', async () => {
  const stores = await storesOf()
  await each(stores, 40, (store, turn) =>
    store.transaction(
      async (tx) => {
        for (const id of ['a', 'b']) await tx.requests.countIfRoom(id, now, [])
      },
      { accounts: turn % 2 === 0 ? ['a', 'b'] : ['b', 'a', 'b'] },
    ),
  )
  for (const id of ['a', 'b']) expect(await stores[0].requests.countsSince(id, [new Date(0)])).toEqual([40])
})

test('four processes that switch off different networks at the same time all succeed', async () => {
  const stores = await storesOf()
  await each(stores, networks.length, (store, turn) =>
    store.transaction((tx) => markNetwork(tx, networks[turn] ?? 'MTN', true, now)),
  )
  expect(new Set((await networksDown(stores[0])).keys())).toEqual(new Set(networks))
})

test('a pause of orders that one process ends stays ended while others change its settings', async () => {
  const stores = await storesOf()
  await stores[0].transaction((tx) => beginMaintenance(tx, {}, now))
  const over = await each(stores, 20, (store, turn) =>
    store.transaction(async (tx) => {
      if (turn === 7) return endMaintenance(tx)
      await changeMaintenance(tx, { reason: `${turn}` }, now)
      return false
    }),
  )
  expect(over.filter(Boolean)).toHaveLength(1)
  expect(await maintenanceOf(stores[0])).toBe(null)
})

test('a person whom several processes attach to two accounts at the same time ends up in exactly one', async () => {
  const stores = await storesOf()
  const seen: (string | null)[] = []
  await each(stores, 20, (store, turn) =>
    movePerson(
      store,
      7,
      async (tx, member) => {
        if (member) await tx.accounts.detach(7)
        const accountId = turn % 2 === 0 ? 'a' : 'b'
        await tx.accounts.attach({ userId: 7, chatId: 7, accountId, role: 'owner' }, now)
        return member?.accountId ?? null
      },
      async () => ['a', 'b'],
    ).then((before) => seen.push(before)),
  )
  expect(seen.filter((before) => before === null)).toHaveLength(1)
})

test('a person who changes accounts while they are being moved is moved out of the new account', async () => {
  const [one, other] = await storesOf()
  await one.accounts.attach({ userId: 7, chatId: 7, accountId: 'a', role: 'owner' }, now)
  let isFirst = true
  const from = await movePerson(
    one,
    7,
    async (_tx, member) => member?.accountId,
    async () => {
      if (isFirst) {
        isFirst = false
        await other?.accounts.attach({ userId: 7, chatId: 7, accountId: 'b', role: 'owner' }, now)
      }
      return []
    },
  )
  expect(from).toBe('b')
})

test('the newest draft is cancelled once, even if several processes cancel it', async () => {
  const stores = await storesOf()
  const draft = { id: 'd', userId: 2, chatId: 2, accountId: 'b', cause: 'd', lines: [] }
  await stores[0].purchases.insertDraft({
    ...draft,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 1_000),
  })
  const cancelled = await each(stores, processes, (store) =>
    createPurchases({
      store,
      now: () => now,
      newId: () => 'new',
      onQueued: () => {},
      onNotice: () => {},
    }).cancelNewestDraft({ userId: 2, chatId: 2 }),
  )
  expect(cancelled.filter(Boolean)).toHaveLength(1)
  expect(await stores[0].notices.ofChat(2)).toHaveLength(1)
})

describe.runIf(testedKind === 'postgresql')('on PostgreSQL, transactions of two accounts', () => {
  test('run at the same time, in one process and in two', async () => {
    const [one, other] = await storesOf()
    for (const second of [one, other]) {
      const begun = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
      const meet = (store: Store | undefined, own: 'a' | 'b', others: 'a' | 'b') =>
        store?.transaction(
          async (tx) => {
            await tx.requests.countIfRoom(own, now, [])
            begun[own].resolve()
            await begun[others].promise
            return own
          },
          { accounts: [own] },
        )
      expect(await Promise.all([meet(one, 'a', 'b'), meet(second, 'b', 'a')])).toEqual(['a', 'b'])
    }
  })
})
