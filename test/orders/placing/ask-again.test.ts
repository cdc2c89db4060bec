import { expect, test } from 'vitest'
import { noAnswers, nothingShown } from '../../../src/domain/list-draft.ts'
import { askAgainForRest } from '../../../src/orders/placing/ask-again.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')

/** A list of one order, which was taken through these placements. */
const listOfOne = async (arrows: Parameters<typeof addOrder>[2] = []) => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const order = await addOrder(store, { id: '1', accountId: 'a', now }, arrows)
  const list = { text: '0241234567', answers: noAnswers, fixedBundleId: null, shown: nothingShown }
  await store.lists.insert({ purchaseId: order.purchaseId, ...list })
  let made = 0
  const newId = () => `new${++made}`
  const ask = { remark: 'price_changed' as const, prices: null, newId, at: now }
  return { store, order, isAsked: await store.transaction((tx) => askAgainForRest(tx, order, ask)) }
}

test('the last order of a list gets a new draft if it must not be sent as confirmed', async () => {
  const { store, order, isAsked } = await listOfOne()
  expect(isAsked).toBe(true)
  expect(await orderOf(store, order.id)).toMatchObject({ placement: 'superseded', reason: 'price_changed' })
  expect(await store.purchases.byCause(`rest:${order.id}`)).toMatchObject({
    state: 'draft',
    remark: 'price_changed',
    retryOfId: order.purchaseId,
  })
})

test('a list whose orders were all sent gets no new draft', async () => {
  const { store, order, isAsked } = await listOfOne([
    ['sending', { leaseToken: 't', leaseUntil: now, sentAt: now }],
  ])
  expect(isAsked).toBe(false)
  expect(await orderOf(store, order.id)).toMatchObject({ placement: 'sending' })
  expect(await store.purchases.byCause(`rest:${order.id}`)).toBe(null)
})
