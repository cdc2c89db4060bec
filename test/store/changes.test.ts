import { describe, expect, onTestFinished, test } from 'vitest'
import { lineOf } from '../../src/application/change-line.ts'
import { accountHash } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { statusReportOf } from '../../src/messaging/inbox.ts'
import type { Change } from '../../src/store/changes.ts'
import { createStore, type Queries } from '../../src/store/store.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newDatabaseUrl } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)
const lease = { leaseToken: 't', leaseUntil: later(30), sentAt: now }
const sending = ['sending', lease] as const
const unconfirmed = ['unconfirmed', { reason: 'timeout', leaseToken: null }] as const

/** A store with account `a`, and the changes that it has reported since. */
const storeThatTells = async (beforeCommit?: (tx: Queries, changes: readonly Change[]) => Promise<void>) => {
  const changes: Change[] = []
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  const onCommitted = (each: readonly Change[]) => void changes.push(...each)
  const store = createStore(database, { onCommitted, ...(beforeCommit && { beforeCommit }) })
  await addAccount(store, 'a', now)
  return {
    database,
    store,
    changes,
    /** The changes since the last call, worded for the log. */
    lines: () => changes.splice(0).map((change) => lineOf(change)),
  }
}

const about = { orderId: '1', account: accountHash('a') }

describe('the log', () => {
  test('shows each change of an order’s placement with the reason', async () => {
    const { store, lines } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now }, [sending])
    expect(lines()).toEqual([
      { fields: { ...about, to: 'queued' }, words: 'an order was confirmed' },
      { fields: { ...about, from: 'queued', to: 'sending' }, words: 'an order is being sent' },
    ])
    const limited = { reason: 'rate_limited' as const, leaseToken: null }
    await store.orders.go({ id: '1', leaseToken: 't' }, 'queued', limited, now)
    await store.orders.go({ id: '1' }, 'sending', lease, now)
    await store.orders.go({ id: '1', leaseToken: 't' }, 'placed', { reference: 'BUD-API-1' }, now)
    expect(lines()).toEqual([
      {
        fields: { ...about, from: 'sending', to: 'queued', reason: 'rate_limited' },
        words: 'an order is waiting to be sent again',
      },
      { fields: { ...about, from: 'queued', to: 'sending' }, words: 'an order is being sent' },
      { fields: { ...about, from: 'sending', to: 'placed' }, words: 'an order was placed' },
    ])
  })

  test('shows how long the outcome of an order was unknown after the send', async () => {
    const { store, lines } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now }, [sending, unconfirmed])
    await addOrder(store, { id: '2', accountId: 'a', now }, [sending, unconfirmed], '0241234568')
    lines()
    await store.orders.prove('1', { reference: 'BUD-API-1' }, later(45))
    await store.orders.go({ id: '2' }, 'not_placed', { reason: 'no_debit' }, later(600))
    const outcomes = lines().map(({ fields, words }) => [words, fields.from, fields.settledAfterSeconds])
    expect(outcomes).toEqual([
      ['an order was placed', 'unconfirmed', 45],
      ['an order was not placed', 'unconfirmed', 600],
    ])
  })

  test('shows the statuses of an order and of its recipients, and a refund, without a phone number', async () => {
    const { store, lines } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now })
    lines()
    await store.orders.patch('1', { status: 'delivered', statusReported: true, nextPollAt: now }, now)
    await store.orders.patch('1', { statusReported: false, nextPollAt: null }, now)
    await store.orders.patchRecipients('1', ['0241234567'], 'failed', now)
    await store.orders.patch('1', { refundedPesewas: 2350 }, now)
    await store.orders.patch('1', { nextPollAt: later(60), polls: 3 }, now)
    const told = lines()
    expect(told).toEqual([
      { fields: { ...about, status: 'delivered', reported: true }, words: 'the status of an order changed' },
      { fields: about, words: 'the reported status of an order was confirmed' },
      {
        fields: { ...about, status: 'failed', reported: false, recipients: 1 },
        words: 'the status of recipients of an order changed',
      },
      { fields: about, words: 'a refund of an order was seen' },
    ])
    expect(JSON.stringify(told)).not.toContain('1234567')
  })

  test('shows an order that was split from another one, and a callback that was stored', async () => {
    const { store, lines } = await storeThatTells()
    const order = await addOrder(store, { id: '1', accountId: 'a', now })
    lines()
    const part = { id: '2', phones: ['0241234567'], waitsForId: null, notBefore: null }
    await store.orders.split(order, part, now)
    const callback = { event: null, reference: 'r', status: 'Kofi has it', phone: '0241234567' }
    const nothing = { network: null, volume: null, deliveredAt: null, timestamp: null }
    await store.statusReports.insert([
      statusReportOf('2', Buffer.from('x'), { ...callback, ...nothing } as never, now),
    ])
    expect(lines()).toEqual([
      { fields: { ...about, orderId: '2', to: 'queued', reason: 'split' }, words: 'an order was confirmed' },
      { fields: { orderId: '2', status: 'other' }, words: 'a callback was stored' },
    ])
  })

  test('shows no change of an order that was refused because of the order’s state', async () => {
    const { store, changes } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now }, [sending])
    changes.length = 0
    expect(await store.orders.go({ id: '1', leaseToken: 'another' }, 'placed', {}, now)).toBe(false)
    expect(await store.orders.go({ id: '1' }, 'cancelled', {}, now)).toBe(false)
    expect(changes).toEqual([])
  })
})

describe('a transaction of the store', () => {
  test('reports its changes after its commit, and none if it is rolled back', async () => {
    const { store, changes } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now })
    changes.length = 0
    const failing = store.transaction(async (tx) => {
      await tx.orders.go({ id: '1' }, 'sending', lease, now)
      throw new Error('nobody planned for this')
    })
    await expect(failing).rejects.toThrow('nobody planned for this')
    expect(changes).toEqual([])
    await store.transaction(async (tx) => {
      await tx.orders.go({ id: '1' }, 'sending', lease, now)
      expect(changes).toEqual([])
    })
    expect(changes).toMatchObject([{ kind: 'placement', to: 'sending' }])
  })

  test('reports its changes once if it runs again after a conflict', async () => {
    const { database, store } = await storeThatTells()
    await addOrder(store, { id: '1', accountId: 'a', now })
    const transaction: typeof database.transaction = async (work, options) => {
      const aborted = database.transaction(async (client) => {
        await work(client)
        throw new Error('another one came between')
      }, options)
      await aborted.catch(() => {})
      return database.transaction(work, options)
    }
    const told: Change[] = []
    const onCommitted = (changes: readonly Change[]) => void told.push(...changes)
    const again = createStore({ ...database, transaction }, { onCommitted })
    await again.transaction((tx) => tx.orders.go({ id: '1' }, 'sending', lease, now))
    expect(told).toHaveLength(1)
  })
})

test('the log shows who joins and leaves an account, and whether the provider accepts its credentials', async () => {
  const { store, lines } = await storeThatTells()
  await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, now)
  for (let times = 0; times < 2; times += 1) {
    await store.accounts.suspect('a', now)
    await store.accounts.markRefused('a', now)
  }
  for (let times = 0; times < 2; times += 1) await store.accounts.markAuthorized('a', now, now)
  await store.accounts.freeze('a', later(60))
  await store.accounts.detach(1)
  await store.accounts.detach(1)
  await store.accounts.erase('a')
  const account = accountHash('a')
  expect(account).toMatch(/^[0-9a-f]{8}$/)
  expect(lines()).toEqual([
    { fields: { account, role: 'owner' }, words: 'somebody was connected to an account' },
    { fields: { account }, words: 'the provider refused the credentials of an account once' },
    { fields: { account }, words: 'the provider refuses the credentials of an account' },
    { fields: { account }, words: 'the provider accepts the credentials of an account again' },
    {
      fields: { account, until: later(60).toISOString() },
      words: 'the provider accepts no more requests for an account until then',
    },
    { fields: { account, role: 'owner' }, words: 'somebody was disconnected from an account' },
    { fields: { account }, words: 'an account was erased' },
  ])
})

test('a security event is written in the commit of its cause, so that no crash can separate them', async () => {
  const { store, changes } = await storeThatTells(async (tx, each) => {
    expect(changes).toEqual([])
    for (const { kind } of each) await tx.facts.write('kept', kind)
  })
  const member = { userId: 1, chatId: 1, accountId: 'a', role: 'owner' as const }
  await store.transaction((tx) => tx.accounts.attach(member, now))
  expect([await store.facts.read('kept'), changes.map(({ kind }) => kind)]).toEqual([
    'connected',
    ['connected'],
  ])
})
