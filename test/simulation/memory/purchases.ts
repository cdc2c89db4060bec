import { isAhead } from '../../../src/domain/ahead.ts'
import { leftMs } from '../../../src/domain/draft.ts'
import type { Purchase } from '../../../src/domain/order.ts'
import { type NewPurchase, nonceAfter, type PurchaseStore } from '../../../src/store/orders/purchases.ts'
import type { PurchaseRow, Tables } from './rows.ts'
import { byTime, NotUnique } from './table.ts'

const purchaseOf = ({ cause: _, ...row }: PurchaseRow): Purchase => row

const draftRow = (draft: NewPurchase): PurchaseRow => ({
  ...{ kind: 'single', remark: null, cardMessageId: null, retryOfId: null },
  ...draft,
  ...{ state: 'draft', confirmedAt: null, successorId: null, heldById: null, closedAt: null },
})

export const memoryPurchases = ({ purchases, lists }: Tables): PurchaseStore => {
  const change = (id: string, patch: Partial<Purchase>): void => {
    const row = purchases.get(id)
    if (row) purchases.set(id, { ...row, ...patch })
  }
  const drafts = purchases.part(({ state }) => state === 'draft')
  const orNull = (row: PurchaseRow | undefined): Purchase | null => (row ? purchaseOf(row) : null)

  return {
    byId: async (id) => orNull(purchases.get(id)),
    byCause: async (cause) => orNull(purchases.first((row) => row.cause === cause)),
    ofMessage: async (chatId, messageId) =>
      purchases
        .where(
          ({ cause }) =>
            cause === `message:${chatId}:${messageId}` || cause.startsWith(`edit:${chatId}:${messageId}:`),
        )
        .sort(
          byTime(
            ({ createdAt }) => createdAt,
            ({ id }) => id,
          ),
        )
        .reverse()
        .map((row) => ({ purchase: purchaseOf(row), hasList: lists.get(row.id) !== undefined })),
    byButtonOf: async (chatId, messageId) =>
      orNull(
        purchases
          .where(({ cause }) => cause.startsWith(`press:${chatId}:${messageId}:`))
          .sort(
            byTime(
              ({ createdAt }) => createdAt,
              ({ id }) => id,
            ),
          )
          .at(-1),
      ),
    nextNonce: async (prefix) =>
      nonceAfter(
        prefix,
        purchases.where(({ cause }) => cause.startsWith(prefix)).map(({ cause }) => cause),
      ),

    insertDraft: async (purchase) => {
      const known = purchases.first(({ cause }) => cause === purchase.cause)
      if (known) return purchaseOf(known)
      if (purchases.get(purchase.id)) throw new NotUnique('Unique constraint failed on the fields: (`id`)')
      const row = draftRow(purchase)
      purchases.set(row.id, row)
      return purchaseOf(row)
    },

    newestDraft: async (userId, chatId, now) =>
      orNull(
        drafts()
          .filter(
            (row) => row.userId === userId && row.chatId === chatId && isAhead(row.expiresAt, 'draft', now),
          )
          .sort(
            byTime(
              ({ createdAt }) => createdAt,
              ({ id }) => id,
            ),
          )
          .at(-1),
      ),

    draftsIn: async ({ chatId, userId, accountId }, now) =>
      drafts()
        .filter((row) => row.userId === userId && row.chatId === chatId && row.accountId === accountId)
        .filter(({ expiresAt }) => isAhead(expiresAt, 'draft', now))
        .sort(
          byTime(
            ({ createdAt }) => createdAt,
            ({ id }) => id,
          ),
        )
        .map(purchaseOf),

    openLists: async ({ chatId, userId, accountId }, now, most = 3) =>
      drafts()
        .filter((row) => row.userId === userId && row.chatId === chatId && row.accountId === accountId)
        .filter(({ kind, expiresAt }) => kind === 'list' && isAhead(expiresAt, 'draft', now))
        .sort(
          byTime(
            ({ createdAt }) => createdAt,
            ({ id }) => id,
          ),
        )
        .reverse()
        .slice(0, most)
        .map(purchaseOf),

    liveDrafts: async (accountId, now) =>
      purchases
        .where(
          (row) =>
            row.accountId === accountId &&
            row.state === 'draft' &&
            row.cardMessageId !== null &&
            isAhead(row.expiresAt, 'draft', now) &&
            row.createdAt.getTime() > now.getTime() - leftMs,
        )
        .map(({ id, chatId }) => ({ id, chatId })),

    leaveDraft: async ({ id, userId, now }, state) => {
      const row = purchases.get(id)
      if (row?.state !== 'draft' || row.userId !== userId || !isAhead(row.expiresAt, 'draft', now))
        return false
      change(id, { state, ...(state === 'confirmed' && { confirmedAt: now }) })
      return true
    },

    supersede: async (id, successorId) => change(id, { state: 'superseded', successorId }),

    cancelConfirmed: async (id) => {
      if (purchases.get(id)?.state === 'confirmed') change(id, { state: 'cancelled' })
    },

    hold: async (id, heldById) => {
      if (purchases.get(id)?.kind === 'list') change(id, { heldById })
    },

    release: async (id, heldById) => {
      if (purchases.get(id)?.heldById !== heldById) return false
      change(id, { heldById: null })
      return true
    },

    goOn: async (id, now) => change(id, { heldById: null, confirmedAt: now }),

    close: async (id, now) => {
      const row = purchases.get(id)
      if (row?.kind !== 'list' || row.state !== 'confirmed' || row.closedAt !== null) return false
      change(id, { closedAt: now })
      return true
    },

    showOn: async (id, cardMessageId) => change(id, { cardMessageId }),

    unshownLists: async (now) =>
      drafts()
        .filter(
          ({ kind, expiresAt, cardMessageId }) =>
            kind === 'list' && isAhead(expiresAt, 'draft', now) && cardMessageId === null,
        )
        .sort(
          byTime(
            ({ createdAt }) => createdAt,
            ({ id }) => id,
          ),
        )
        .map(purchaseOf),

    overdueDrafts: async (now, limit) =>
      drafts()
        .filter(({ expiresAt }) => !isAhead(expiresAt, 'draft', now))
        .sort(
          byTime(
            ({ expiresAt }) => expiresAt,
            ({ id }) => id,
          ),
        )
        .slice(0, limit)
        .map(purchaseOf),

    shownDrafts: async (by, afterId, limit) =>
      drafts()
        .filter((row) => row.createdAt <= by)
        .filter(({ id, cardMessageId }) => cardMessageId !== null && id > afterId)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(purchaseOf),

    keepDrafts: async (before, until) => {
      for (const { id } of drafts().filter(({ expiresAt }) => expiresAt < before))
        change(id, { expiresAt: until })
    },

    draftsOf: async (userId, accountId) =>
      drafts()
        .filter((row) => row.userId === userId && row.accountId === accountId)
        .sort(
          byTime(
            ({ createdAt }) => createdAt,
            ({ id }) => id,
          ),
        )
        .map(purchaseOf),

    crowdOut: async (id) => {
      if (purchases.get(id)?.state !== 'draft') return false
      change(id, { state: 'expired', remark: 'crowded_out' })
      return true
    },

    expire: async (id) => {
      if (purchases.get(id)?.state !== 'draft') return false
      change(id, { state: 'expired' })
      return true
    },
  }
}
