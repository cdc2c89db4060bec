import { expect, test } from 'vitest'
import { applyCallbacks } from '../../../src/orders/following/callbacks.ts'
import { addAccount, addOrder } from '../../orders/placed-orders.ts'
import { World } from '../world.ts'
import { WishesWatch } from './wishes-watch.ts'

const reference = 'BUD-API-1'

/** A list with one order, whose person wants to hear only of problems. */
const watchedList = async () => {
  const world = new World({ judgedAlone: false, seed: 1, mutation: {}, traced: false, instances: 1 })
  const { store, tables } = world
  const wishes = new WishesWatch(world)
  const now = world.now()
  await addAccount(store, 'a', now)
  await store.preferences.change(1, { notify: 'failures' })
  await addOrder(store, { id: '1', accountId: 'a', now }, [
    ['sending', {}],
    ['placed', { reference, placedAt: now }],
  ])
  for (const sql of [`UPDATE "Purchase" SET "kind" = 'list'`, `UPDATE "Order" SET "listed" = 1`])
    await tables.ask(sql)
  /** Callbacks that are applied in a single commit. */
  const tell = async (...statuses: string[]) => {
    const about = { orderId: '1', source: 'callback' as const, reference, phone: null, body: null }
    const times = { happenedAt: null, receivedAt: now }
    await store.statusReports.insert(
      statuses.map((status) => ({ ...about, ...times, digest: status, status })),
    )
    const events = await store.statusReports.unapplied(0, 10)
    await store.transaction((tx) => applyCallbacks(tx, events, now))
  }
  return { store, wishes, tell }
}

test('when a list is closed, the simulation judges it by its state at that moment', async () => {
  const { store, wishes, tell } = await watchedList()
  await tell('delivered', 'refunded')
  expect((await store.orders.byId('1'))?.status).toBe('refunded')
  expect(wishes.isListSilent('p1')).toBe(true)
})

test('the simulation ignores the close of a list if the transaction was rolled back', async () => {
  const { store, wishes, tell } = await watchedList()
  await expect(
    store.transaction(async (tx) => {
      await tx.orders.patch('1', { status: 'delivered' }, new Date())
      await tx.purchases.close('p1', new Date())
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  await tell('failed')
  expect((await store.purchases.byId('p1'))?.closedAt).not.toBe(null)
  expect(wishes.isListSilent('p1')).toBe(false)
})
