import { expect, test } from 'vitest'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, blockersIn } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const later = new Date(now.getTime() + 1)

test.each([
  ['the one that was confirmed first is sent first', { id: 'z', now }, { id: 'a', now: later }],
  [
    'the same one always comes first if both were confirmed at the same moment',
    { id: 'a', now },
    { id: 'z', now },
  ],
])('of two queued orders for one number, %s', async (_, earlier, other) => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const first = await addOrder(store, { ...earlier, accountId: 'a' })
  const second = await addOrder(store, { ...other, accountId: 'a' })
  expect([...(await blockersIn(store, first)).keys()]).toEqual([])
  expect([...(await blockersIn(store, second)).values()].map(({ id }) => id)).toEqual([first.id])
})
