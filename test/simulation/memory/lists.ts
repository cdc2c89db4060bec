import type { ListStore } from '../../../src/store/lists.ts'
import type { Tables } from './rows.ts'
import { NotUnique } from './table.ts'

export const memoryLists = ({ lists }: Tables): ListStore => ({
  byPurchase: async (purchaseId) => lists.get(purchaseId) ?? null,

  insert: async (list) => {
    if (lists.get(list.purchaseId))
      throw new NotUnique('Unique constraint failed on the fields: (`purchaseId`)')
    lists.set(list.purchaseId, list)
  },

  change: async (purchaseId, change) => {
    const list = lists.get(purchaseId)
    if (list) lists.set(purchaseId, { ...list, ...change })
  },
})
