import type { List } from '../../../src/domain/list-draft.ts'
import type { ListStore } from '../../../src/store/orders/lists.ts'
import type { Tables } from './rows.ts'
import { byTime, NotUnique } from './table.ts'

export const memoryLists = ({ lists, purchases }: Tables): ListStore => ({
  byPurchase: async (purchaseId) => lists.get(purchaseId) ?? null,

  answersOf: async (purchaseId) => lists.get(purchaseId)?.answers ?? null,

  insert: async (list) => {
    if (lists.get(list.purchaseId))
      throw new NotUnique('Unique constraint failed on the fields: (`purchaseId`)')
    lists.set(list.purchaseId, list)
  },

  unconfirmed: async (accountId, userId, since) =>
    purchases
      .where(
        (row) =>
          row.accountId === accountId &&
          row.userId === userId &&
          row.createdAt >= since &&
          row.confirmedAt === null,
      )
      .toSorted(
        byTime(
          ({ createdAt }) => createdAt,
          ({ id }) => id,
        ),
      )
      .flatMap(({ id, state }) => {
        const list = lists.get(id)
        return list ? [{ id, isDraft: state === 'draft', bytes: bytesOf(list) }] : []
      }),

  change: async (purchaseId, change) => {
    const list = lists.get(purchaseId)
    if (list) lists.set(purchaseId, { ...list, ...change })
  },
})

const bytesOf = ({ text, answers, shown }: List): number =>
  Buffer.byteLength(text) +
  Buffer.byteLength(JSON.stringify(answers)) +
  Buffer.byteLength(JSON.stringify(shown))
