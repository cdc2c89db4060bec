import { describe, expect, onTestFinished, test } from 'vitest'
import { createSecurityJournal } from '../../src/accounts/security-journal.ts'
import { openDatabase } from '../../src/database/database.ts'
import { ofAccount, ofAccounts } from '../../src/database/scope.ts'
import { createLog } from '../../src/log.ts'
import { createPurchases } from '../../src/orders/purchases.ts'
import { oweSummaries } from '../../src/settings/daily-summary.ts'
import { oweOrdersAgain, tellOrdersAgain } from '../../src/settings/orders-again.ts'
import { createStore, type WholeStore } from '../../src/store/store.ts'
import { claimRequest, windows } from '../../src/wallets/budget.ts'
import { createKeyring } from '../../src/wallets/keyring.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newDatabaseUrl, newStore, testedKind } from '../support/database.ts'
import { inspectScope, scopeViolations } from '../support/scope-inspection.ts'

const now = new Date('2026-11-21T10:32:00Z')
const instances = 4
const keyring = createKeyring([Buffer.alloc(32, 7)])

/** Several processes on one database with the accounts `a` and `b`, as the database sees them. */
const storesOf = async (): Promise<WholeStore[]> => {
  const url = (await newDatabaseUrl()).replace('connection_limit=3', 'connection_limit=6')
  const stores: WholeStore[] = []
  for (let number = 0; number < instances; number += 1) {
    const database = await openDatabase(url, { inspect: inspectScope })
    onTestFinished(database.close)
    stores.push(createStore(database))
  }
  for (const id of ['a', 'b']) await addAccount(stores[0] as WholeStore, id, now)
  return stores
}

const journalOf = (store: WholeStore) =>
  createSecurityJournal({ store, keyring, now: () => now, log: createLog('silent', []) })

const purchasesOf = (store: WholeStore) =>
  createPurchases({ store, now: () => now, newId: () => 'new', onQueued: () => {}, onNotice: () => {} })

const each = <T>(
  stores: WholeStore[],
  times: number,
  work: (store: WholeStore, turn: number) => Promise<T>,
) =>
  Promise.all(
    Array.from({ length: times }, (_, turn) => work(stores[turn % stores.length] as WholeStore, turn)),
  )

const placed = (reference: string) =>
  [
    ['sending', {}],
    ['placed', { reference, placedAt: now }],
  ] as const

test('of four processes that count requests for one account, no window is filled above its limit', async () => {
  const stores = await storesOf()
  const waits = await each(stores, 100, (store) =>
    store.within(ofAccount('a'), (tx) => claimRequest(tx, 'a', 'order', now)),
  )
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(windows[0]?.limit ?? 0)
})

test('a transaction of everything sees each transaction of an account whole', async () => {
  const stores = await storesOf()
  const sums: number[] = []
  await each(stores, 40, (store, turn) => {
    if (turn % 4 === 0) {
      return store.transaction(async (tx) => {
        const counts = await Promise.all(['a', 'b'].map((id) => tx.requests.countsSince(id, [new Date(0)])))
        sums.push((counts[0]?.[0] ?? 0) - (counts[1]?.[0] ?? 0))
      })
    }
    return store.within(ofAccounts(['a', 'b']), async (tx) => {
      await tx.requests.claim('a', now, [])
      await tx.requests.claim('b', now, [])
    })
  })
  expect(sums).toHaveLength(10)
  expect(new Set(sums)).toEqual(new Set([0]))
})

test('an order of another account that holds the reference comes into the scope', async () => {
  const store = await newStore()
  for (const id of ['a', 'b']) await addAccount(store, id, now)
  await addOrder(store, { id: '1', accountId: 'b', now }, placed('BUD-1'))
  let runs = 0
  const holder = await store.within(ofAccount('a'), async (tx) => {
    runs += 1
    const order = await tx.orders.byReference('BUD-1')
    if (order) await tx.orders.patch(order.id, { reason: 'mistaken' }, now)
    return order?.accountId
  })
  expect(holder).toBe('b')
  expect((await store.orders.byId('1'))?.reason).toBe('mistaken')
  expect(runs).toBe(2)
  expect(scopeViolations).toEqual([])
})

describe.runIf(testedKind === 'postgresql')('transactions of two accounts on PostgreSQL', () => {
  test('run at the same time, in one process and in two', async () => {
    const [one, other] = await storesOf()
    for (const second of [one, other]) {
      const begun = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
      const meet = (store: WholeStore | undefined, own: 'a' | 'b', others: 'a' | 'b') =>
        store?.within(ofAccount(own), async (tx) => {
          await tx.requests.claim(own, now, [])
          begun[own].resolve()
          await begun[others].promise
          return own
        })
      expect(await Promise.all([meet(one, 'a', 'b'), meet(second, 'b', 'a')])).toEqual(['a', 'b'])
    }
  })

  /** Person 2 has the account `b`, wants a summary now, and has a draft. */
  const works: Record<string, (store: WholeStore) => Promise<unknown>> = {
    'a security event is kept': (store) =>
      journalOf(store).note({ kind: 'invited', accountId: 'b', userId: 2 }),
    'a summary is owed': (store) => oweSummaries(store, () => now),
    'who was refused is told that orders are taken again': async (store) => {
      await oweOrdersAgain(store, 2, now)
      await tellOrdersAgain(store, () => now)
    },
    'the newest draft is cancelled': (store) =>
      purchasesOf(store).cancelNewestDraft({ userId: 2, chatId: 2 }),
    'a write is tried': (store) => store.within([], (tx) => tx.operations.tryWriting(now)),
  }

  test.each(Object.entries(works))('leave the gate open: %s beside one of them', async (_, work) => {
    const [one, other] = await storesOf()
    if (!one || !other) return
    await one.accounts.attach({ userId: 2, chatId: 2, accountId: 'b', role: 'owner' }, now)
    await one.preferences.change(2, { summaryHour: 10, summaryAt: now })
    const draft = { id: 'd', userId: 2, chatId: 2, accountId: 'b', cause: 'd', lines: [] }
    await one.purchases.insertDraft({ ...draft, createdAt: now, expiresAt: new Date(now.getTime() + 1_000) })
    await one.within(ofAccount('a'), async (tx) => {
      await tx.requests.claim('a', now, [])
      await work(other)
    })
    expect(scopeViolations).toEqual([])
  })

  test('may not write to the other account, nor write at all after they have read of it', async () => {
    const store = await newStore()
    for (const id of ['a', 'b']) await addAccount(store, id, now)
    await addOrder(store, { id: '1', accountId: 'b', now })
    await expect(store.within(ofAccount('a'), (tx) => tx.requests.claim('b', now, []))).rejects.toThrow(
      /Request of b is written, outside account a/,
    )
    const readsThenWrites = store.within(ofAccount('a'), async (tx) => {
      await tx.orders.ofPurchase((await store.orders.byId('1'))?.purchaseId ?? '')
      await tx.requests.claim('a', now, [])
    })
    await expect(readsThenWrites).rejects.toThrow(/Request is written after account b was read/)
    expect(scopeViolations.splice(0)).toHaveLength(2)
    expect(await store.requests.countsSince('a', [new Date(0)])).toEqual([0])
    expect(await store.requests.countsSince('b', [new Date(0)])).toEqual([0])
  })
})
