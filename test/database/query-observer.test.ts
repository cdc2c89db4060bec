import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import type { QueryObserver } from '../../src/database/query-observer.ts'
import { createStore } from '../../src/store/store.ts'
import { addAccount } from '../orders/placed-orders.ts'
import { newDatabaseUrl } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

/** A store, and what its database has reported since the last call. */
const newObserved = async () => {
  const queries: (string | null)[] = []
  const ends: string[] = []
  const times: number[] = []
  const observer: QueryObserver = {
    onQuery: (seconds, fault) => {
      times.push(seconds)
      queries.push(fault)
    },
    onTransaction: (seconds, end) => {
      times.push(seconds)
      ends.push(end)
    },
  }
  const database = await openDatabase(await newDatabaseUrl(), { observer })
  onTestFinished(database.close)
  return { database, store: createStore(database), queries: () => queries.splice(0), ends, times }
}

describe('a database with an observer', () => {
  test('reports each query to it, inside and outside transactions, and in plain SQL', async () => {
    const { store, queries, ends, times } = await newObserved()
    queries()
    await store.requests.countIfRoom('a', now, [])
    expect(queries()).not.toEqual([])
    await store.transaction((tx) => tx.requests.countIfRoom('a', now, []))
    expect([queries().length > 1, ends]).toEqual([true, ['committed']])
    const event = { orderId: '1', source: 'callback', reference: 'r', status: 's', phone: null } as const
    const rest = { happenedAt: null, receivedAt: now, body: null }
    await store.statusReports.insert([{ ...event, ...rest, digest: 'd' }])
    expect(queries()).toEqual([null])
    expect(await store.requests.countsSince('a', [new Date(0)])).toEqual([2])
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0)
  })

  test('reports that a transaction was rolled back', async () => {
    const { store, ends } = await newObserved()
    const failing = store.transaction(async (tx) => {
      await tx.requests.countIfRoom('a', now, [])
      throw new Error('nobody planned for this')
    })
    await expect(failing).rejects.toThrow('nobody planned for this')
    expect(ends).toEqual(['rolled_back'])
    expect(await store.requests.countsSince('a', [new Date(0)])).toEqual([0])
  })

  test('reports the kind of a query’s error', async () => {
    const { store, queries } = await newObserved()
    await addAccount(store, 'a', now)
    queries()
    await expect(addAccount(store, 'a', now)).rejects.toMatchObject({ code: 'P2002' })
    expect(queries()).toContain('UniqueConstraintViolation')
  })

  test('shows the state of its connection pool, if it has one', async () => {
    const { database, store } = await newObserved()
    await store.transaction((tx) => tx.requests.countIfRoom('a', now, []))
    const connections = database.connections()
    if (database.kind === 'sqlite') expect(connections).toBeNull()
    else expect(connections).toMatchObject({ total: expect.any(Number), waiting: 0 })
  })
})
