import { describe, expect, test } from 'vitest'
import { resign } from '../../../src/accounts/departure.ts'
import { createLog } from '../../../src/base/log.ts'
import type { Prices } from '../../../src/orders/buying/prices.ts'
import { createPurchases } from '../../../src/orders/buying/purchases.ts'
import { createPlacer } from '../../../src/orders/placing/placer.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, blockersIn, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const before = (ms: number): Date => new Date(now.getTime() - ms)
const nothing = () => {}

/** The placer of a provider whose price list never arrives. */
const placerOf = (store: Store, mayWork = () => true) => {
  const asked: string[] = []
  const prices = {
    listToSend: (accountId: string) => {
      asked.push(accountId)
      return new Promise(nothing)
    },
  } as unknown as Prices
  const told = { onNotice: nothing, onPlaced: nothing, onEnded: nothing, onOtherPhone: nothing }
  const clocks = { now: () => now, monotonicMs: () => 0 }
  const outside = {
    mayWork,
    wallets: {} as Wallets,
    prices,
    callbackUrl: () => null,
    newId: () => 'new',
  }
  return {
    placer: createPlacer({ store, ...outside, ...clocks, log: createLog('silent', []), ...told }),
    asked,
  }
}

const interrupted = [['sending', { leaseToken: 't', leaseUntil: before(1), sentAt: before(30_001) }]] as const

const news = async (store: Store) =>
  (await store.notices.ofChat(1)).flatMap(({ content }) => (content.kind === 'announce' ? content.what : []))

describe('an order that was being sent when the bot’s process ended', () => {
  test('becomes unconfirmed, even if another such order cannot be stored', async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    for (const id of ['1', '2', '3']) await addOrder(store, { id, accountId: 'a', now }, interrupted)
    const transaction: Store['transaction'] = (work, options) =>
      store.transaction((tx) => {
        const go: typeof tx.orders.go = ({ id, ...guard }, ...rest) =>
          id === '2'
            ? Promise.reject(new Error('nobody planned for this'))
            : tx.orders.go({ id, ...guard }, ...rest)
        return work({ ...tx, orders: { ...tx.orders, go } })
      }, options)
    await placerOf({ ...store, transaction }).placer.round()
    const placements = await Promise.all(['1', '2', '3'].map((id) => orderOf(store, id)))
    expect(placements.map(({ placement }) => placement)).toEqual(['unconfirmed', 'sending', 'unconfirmed'])
    expect(await announced(store)).toEqual(['1 placement', '3 placement'])
    expect(await news(store)).toEqual(Array(2).fill({ about: 'placement', while: 'unconfirmed' }))
  })

  test('is reported once and no longer followed if its account has been erased since', async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    await addOrder(store, { id: '1', accountId: 'a', now }, interrupted)
    await store.accounts.erase('a')
    await placerOf(store).placer.round()
    const left = { placement: 'unconfirmed', reconcileAt: null, nextPollAt: null }
    expect(await orderOf(store, '1')).toMatchObject(left)
    expect(await announced(store)).toEqual(['1 placement'])
    expect(await news(store)).toEqual([{ about: 'placement' }])
  })
})

test('an order that was being sent when its agent was removed is cancelled if it is queued again', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await store.accounts.attach({ userId: 9, chatId: 9, accountId: 'a', role: 'owner' }, now)
  const agent = { userId: 1, chatId: 1, accountId: 'a', role: 'agent' } as const
  await store.accounts.attach(agent, now)
  const sending = [['sending', { leaseToken: 't', leaseUntil: now, sentAt: now, ownerChatId: 9 }]] as const
  await addOrder(store, { id: '1', accountId: 'a', now }, sending)
  await store.transaction(async (tx) => {
    const member = await tx.accounts.member(1)
    if (member) await resign(tx, member, 9, now)
  })
  await store.orders.go({ id: '1' }, 'queued', { reason: 'unreachable', notBefore: now }, now)
  const { placer, asked } = placerOf(store)
  await placer.round()
  await expect.poll(() => orderOf(store, '1')).toMatchObject({ placement: 'cancelled', reason: 'agent_left' })
  expect(asked).toEqual([])
  expect(await announced(store)).toEqual(['1 placement'])
  const reports = (await store.notices.ofChat(9)).filter(({ content }) => content.kind === 'announce')
  expect(reports).toHaveLength(1)
})

test('an account’s order is sent in the next round, however many orders another account has queued', async () => {
  const store = await newStore()
  await addAccount(store, 'many', now)
  await addAccount(store, 'one', now)
  for (let count = 0; count < 210; count += 1) {
    const phone = `024${1_000_000 + count}`
    await addOrder(store, { id: `m${count}`, accountId: 'many', now: before(1_000) }, [], phone)
  }
  await addOrder(store, { id: 'o', accountId: 'one', now })
  const { placer, asked } = placerOf(store)
  await placer.round()
  await placer.round()
  await expect.poll(() => asked.toSorted()).toEqual(['many', 'many', 'many', 'many', 'one'])
})

describe('an order that was just queued', () => {
  /** A queued order, and a store that records which orders were read to be sent. */
  const stage = async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const order = await addOrder(store, { id: '1', accountId: 'a', now })
    const looks: string[] = []
    const toSend: Store['orders']['toSend'] = (...asked) => {
      looks.push('facts')
      return store.orders.toSend(...asked)
    }
    const dueToSend: Store['orders']['dueToSend'] = async (...asked) => {
      const due = await store.orders.dueToSend(...asked)
      looks.push(...due.map(({ id }) => id))
      return due
    }
    return { store: { ...store, orders: { ...store.orders, toSend, dueToSend } }, order, looks }
  }

  test('is sent immediately, without a search for queued orders, and only one time', async () => {
    const { store, order, looks } = await stage()
    const { placer, asked } = placerOf(store)
    expect(placer.startClear(order)).toBe(true)
    expect(placer.startClear(order)).toBe(false)
    await placer.round()
    await expect.poll(() => asked).toEqual(['a'])
    expect(looks).toEqual([])
  })

  test('is found by the next search for queued orders if it could not be sent immediately', async () => {
    const { store, order, looks } = await stage()
    let isWorker = false
    const { placer, asked } = placerOf(store, () => isWorker)
    expect(placer.startClear(order)).toBe(false)
    await placer.round()
    expect(asked).toEqual([])
    isWorker = true
    await placer.round()
    await expect.poll(() => asked).toEqual(['a'])
    expect(new Set(looks)).toEqual(new Set(['1', 'facts']))
  })
})

test('an order that its person says was charged no longer delays another order for its number', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const sent = [
    ['sending', {}],
    ['unconfirmed', {}],
    ['review', {}],
  ] as const
  const earlier = await addOrder(store, { id: 'earlier', accountId: 'a', now: before(1) }, sent)
  await addOrder(store, { id: 'later', accountId: 'a', now })
  expect((await blockersIn(store, await orderOf(store, 'later'))).size).toBe(1)
  await store.orders.patch('later', { waitsForId: 'earlier', notBefore: now }, now)

  const told = { onQueued: nothing, onNotice: nothing }
  await createPurchases({ store, now: () => now, newId: () => 'new', ...told }).judge(earlier, true)
  expect(await orderOf(store, 'later')).toMatchObject({ waitsForId: null, notBefore: null })
  expect((await blockersIn(store, await orderOf(store, 'later'))).size).toBe(0)
})

test('an order is sent immediately if the order that it would wait for ends at that moment', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const sent = [
    ['sending', {}],
    ['unconfirmed', {}],
  ] as const
  await addOrder(store, { id: 'earlier', accountId: 'a', now: before(1) }, sent)
  await addOrder(store, { id: 'later', accountId: 'a', now })
  let looks = 0
  const toSend: Store['orders']['toSend'] = async (...asked) => {
    const found = await store.orders.toSend(...asked)
    looks += 1
    await store.transaction(async ({ orders }) => {
      if (await orders.go({ id: 'earlier' }, 'not_placed', {}, now)) await orders.wakeWaiting('earlier')
    })
    return found
  }
  const { placer, asked } = placerOf({ ...store, orders: { ...store.orders, toSend } })
  await placer.round()
  await expect.poll(() => asked).toEqual(['a'])
  expect(looks).toBe(1)
  expect(await orderOf(store, 'later')).toMatchObject({ waitsForId: null, notBefore: null })
})
