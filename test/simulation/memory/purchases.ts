import type { Purchase } from '../../../src/orders/order.ts'
import type { PurchaseStore } from '../../../src/store/purchases.ts'
import type { PurchaseRow, Tables } from './rows.ts'
import { byTime, NotUnique } from './table.ts'

const purchaseOf = ({ cause: _, ...row }: PurchaseRow): Purchase => row

export const memoryPurchases = ({ purchases }: Tables): PurchaseStore => {
  const change = (id: string, patch: Partial<Purchase>): void => {
    const row = purchases.get(id)
    if (row) purchases.set(id, { ...row, ...patch })
  }
  const orNull = (row: PurchaseRow | undefined): Purchase | null => (row ? purchaseOf(row) : null)

  return {
    byId: async (id) => orNull(purchases.get(id)),
    byCause: async (cause) => orNull(purchases.first((row) => row.cause === cause)),
    countCauses: async (prefix) => purchases.where(({ cause }) => cause.startsWith(prefix)).length,

    insertDraft: async (purchase) => {
      const known = purchases.first(({ cause }) => cause === purchase.cause)
      if (known) return purchaseOf(known)
      if (purchases.get(purchase.id)) throw new NotUnique('Unique constraint failed on the fields: (`id`)')
      const row: PurchaseRow = {
        remark: null,
        cardMessageId: null,
        ...purchase,
        state: 'draft',
        confirmedAt: null,
        successorId: null,
      }
      purchases.set(row.id, row)
      return purchaseOf(row)
    },

    newestDraft: async (userId, chatId, now) =>
      orNull(
        purchases
          .where(
            (row) =>
              row.userId === userId && row.chatId === chatId && row.state === 'draft' && row.expiresAt > now,
          )
          .sort(
            byTime(
              ({ createdAt }) => createdAt,
              ({ id }) => id,
            ),
          )
          .at(-1),
      ),

    leaveDraft: async ({ id, userId, now }, state) => {
      const row = purchases.get(id)
      if (row?.state !== 'draft' || row.userId !== userId || row.expiresAt <= now) return false
      change(id, { state, ...(state === 'confirmed' && { confirmedAt: now }) })
      return true
    },

    supersede: async (id, successorId) => change(id, { state: 'superseded', successorId }),

    cancelConfirmed: async (id) => {
      if (purchases.get(id)?.state === 'confirmed') change(id, { state: 'cancelled' })
    },

    showOn: async (id, cardMessageId) => change(id, { cardMessageId }),

    overdueDrafts: async (now, limit) =>
      purchases
        .where(({ state, expiresAt }) => state === 'draft' && expiresAt <= now)
        .sort(
          byTime(
            ({ expiresAt }) => expiresAt,
            ({ id }) => id,
          ),
        )
        .slice(0, limit)
        .map(purchaseOf),

    expire: async (id) => {
      if (purchases.get(id)?.state !== 'draft') return false
      change(id, { state: 'expired' })
      return true
    },
  }
}
