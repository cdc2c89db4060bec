import { expect, test } from 'vitest'
import { isAwaited, reopen } from '../../src/accounts/departure.ts'
import type { Order } from '../../src/domain/order/order.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')

const orders: Record<string, Partial<Order>> = {
  'is being sent': { placement: 'sending' },
  'may have been charged': { placement: 'unconfirmed', reason: 'timeout' },
  'needs its person’s decision': { placement: 'review', reason: 'ambiguous' },
  'was decided by its person': { placement: 'review', reason: 'charged_by_person' },
  'waits for its turn': { placement: 'queued' },
  'is polled': { placement: 'placed', nextPollAt: now },
  'may be refunded': { placement: 'placed', status: 'failed', refundAt: now },
  'may have a second debit': { placement: 'placed', status: 'delivered', refundAt: now, extraAt: now },
  'has ended': { placement: 'placed' },
  'was not placed, but may have a late debit': { placement: 'not_placed', reconcileAt: now },
}

test('an account that is being removed waits for orders that are in flight, in doubt or may be refunded', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const queued = await addOrder(store, { id: '1', accountId: 'a', now })
  const awaited = Object.keys(orders).filter((name) => isAwaited({ ...queued, ...orders[name] }))
  expect(awaited).toEqual([
    'is being sent',
    'may have been charged',
    'needs its person’s decision',
    'is polled',
    'may be refunded',
  ])
})

test('an owner who reconnects an account that is being removed keeps its agents but not its other owners', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const member = { accountId: 'a', name: null, invitedBy: null }
  await store.accounts.attach({ ...member, userId: 1, chatId: 1, role: 'owner' }, now)
  await store.accounts.attach({ ...member, userId: 2, chatId: 2, role: 'owner' }, now)
  await store.accounts.attach({ ...member, userId: 3, chatId: 3, role: 'agent', invitedBy: 1 }, now)
  await store.accounts.closeBy('a', now)
  const account = await store.accounts.byId('a')
  if (account) await store.transaction((tx) => reopen(tx, account, 2, now))
  expect((await store.accounts.members('a')).map(({ userId }) => userId).toSorted()).toEqual([2, 3])
  const told = await Promise.all([1, 2, 3].map((chatId) => store.notices.ofChat(chatId)))
  expect(told.map((notices) => notices.map(({ content }) => content.kind))).toEqual([['departed'], [], []])
})
