import { z } from 'zod'
import type { Purchase, PurchaseLine, PurchaseRemark, PurchaseState } from '../orders/order.ts'
import type { Pesewas } from '../provider/money.ts'
import { isPhone } from '../provider/phone.ts'
import type { Purchase as PurchaseRow } from './client/client.ts'
import type { Client } from './database.ts'

export interface NewPurchase {
  id: string
  accountId: string
  userId: number
  chatId: number
  cause: string
  kind?: Purchase['kind']
  lines: PurchaseLine[]
  retryOfId?: string | null
  remark?: PurchaseRemark
  cardMessageId?: number | null
  createdAt: Date
  expiresAt: Date
}

export const purchaseStore = (client: Client) => ({
  byId: async (id: string): Promise<Purchase | null> =>
    purchaseOf(await client.purchase.findUnique({ where: { id } })),

  byCause: async (cause: string): Promise<Purchase | null> =>
    purchaseOf(await client.purchase.findUnique({ where: { cause } })),

  /**
   * Of causes that begin so and go on with a number the next one: above all that there are, for some may be erased. The
   * range is found in the index; by the beginning alone SQLite reads all purchases for each card that is drawn.
   */
  nextNonce: async (prefix: string): Promise<number> => {
    const where = { cause: { startsWith: prefix, gte: prefix, lt: `${prefix}a` } }
    const rows = await client.purchase.findMany({ where, select: { cause: true } })
    return nonceAfter(
      prefix,
      rows.map(({ cause }) => cause),
    )
  },

  /** Inserts a draft, unless its cause has one already: then that one is returned. */
  insertDraft: async (purchase: NewPurchase): Promise<Purchase> => {
    const row = await client.purchase.upsert({
      where: { cause: purchase.cause },
      // Not nothing: of nothing the client makes a look and an insertion, between which another may come.
      update: { cause: purchase.cause },
      create: {
        ...purchase,
        userId: BigInt(purchase.userId),
        chatId: BigInt(purchase.chatId),
        lines: JSON.stringify(purchase.lines),
        state: 'draft',
      },
    })
    return purchaseOf(row)
  },

  /** The draft that the person was shown last, if it can still be confirmed. */
  newestDraft: async (userId: number, chatId: number, now: Date): Promise<Purchase | null> =>
    purchaseOf(
      await client.purchase.findFirst({
        where: { userId: BigInt(userId), chatId: BigInt(chatId), state: 'draft', expiresAt: { gt: now } },
        orderBy: { createdAt: 'desc' },
      }),
    ),

  /** The person's drafts in that chat that can still be confirmed. */
  draftsIn: async (chatId: number, userId: number, now: Date): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { userId: BigInt(userId), chatId: BigInt(chatId), state: 'draft', expiresAt: { gt: now } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map((row) => purchaseOf(row))
  },

  /** draft → another state, once. @returns false where it is no draft of that user any more. */
  leaveDraft: async (
    guard: { id: string; userId: number; now: Date },
    state: Exclude<PurchaseState, 'draft'>,
  ): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: { id: guard.id, userId: BigInt(guard.userId), state: 'draft', expiresAt: { gt: guard.now } },
      data: { state, ...(state === 'confirmed' && { confirmedAt: guard.now }) },
    })
    return count === 1
  },

  supersede: async (id: string, successorId: string): Promise<void> => {
    await client.purchase.update({ where: { id }, data: { state: 'superseded', successorId } })
  },

  cancelConfirmed: async (id: string): Promise<void> => {
    await client.purchase.updateMany({ where: { id, state: 'confirmed' }, data: { state: 'cancelled' } })
  },

  /** Holds up the rest of a list until the outcome of that order is known, or the person decides. */
  hold: async (id: string, heldById: string): Promise<void> => {
    await client.purchase.updateMany({ where: { id, kind: 'list' }, data: { heldById } })
  },

  /** Lets a list that is held up by that order go on. @returns whether there was one. */
  release: async (id: string, heldById: string): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({ where: { id, heldById }, data: { heldById: null } })
    return count === 1
  },

  /** The person wants the rest sent: as good as confirmed again now. */
  goOn: async (id: string, now: Date): Promise<void> => {
    await client.purchase.updateMany({ where: { id }, data: { heldById: null, confirmedAt: now } })
  },

  /** Ends a list once. @returns false where it was closed before. */
  close: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: { id, kind: 'list', state: 'confirmed', closedAt: null },
      data: { closedAt: now },
    })
    return count === 1
  },

  /** @param cardMessageId null: its next card is a new message. */
  showOn: async (id: string, cardMessageId: number | null): Promise<void> => {
    await client.purchase.updateMany({ where: { id }, data: { cardMessageId } })
  },

  /** Drafts of lists that have no card yet. */
  unshownLists: async (now: Date): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { kind: 'list', state: 'draft', expiresAt: { gt: now }, cardMessageId: null },
      orderBy: { createdAt: 'asc' },
    })
    return rows.map((row) => purchaseOf(row))
  },

  /** Drafts whose hour is over. */
  overdueDrafts: async (now: Date, limit: number): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { state: 'draft', expiresAt: { lte: now } },
      orderBy: { expiresAt: 'asc' },
      take: limit,
    })
    return rows.map((row) => purchaseOf(row))
  },

  /** Drafts whose time is over before then can be confirmed until later. */
  keepDrafts: async (before: Date, until: Date): Promise<void> => {
    await client.purchase.updateMany({
      where: { state: 'draft', expiresAt: { lt: before } },
      data: { expiresAt: until },
    })
  },

  /** All drafts of a member that can still be confirmed. */
  draftsOf: async (userId: number, accountId: string): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { userId: BigInt(userId), accountId, state: 'draft' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map((row) => purchaseOf(row))
  },

  /** Newer lists of the person take its place. @returns whether it was a draft. */
  crowdOut: async (id: string): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: { id, state: 'draft' },
      data: { state: 'expired', remark: 'crowded_out' satisfies PurchaseRemark },
    })
    return count === 1
  },

  expire: async (id: string): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: { id, state: 'draft' },
      data: { state: 'expired' },
    })
    return count === 1
  },
})

/** The number after the highest with which one of the causes goes on. */
export const nonceAfter = (prefix: string, causes: readonly string[]): number =>
  causes
    .map((cause) => Number(cause.slice(prefix.length)))
    .reduce((next, nonce) => (nonce >= next ? nonce + 1 : next), 0)

export type PurchaseStore = ReturnType<typeof purchaseStore>

const amount = z.int().transform((pesewas) => pesewas as Pesewas)

const linesSchema = z.array(
  z.object({
    phone: z.string().refine(isPhone),
    bundleId: z.int(),
    network: z.string(),
    volume: z.string(),
    offerSlug: z.string().nullable(),
    pricePesewas: amount,
    pricedAt: z.coerce.date().nullish(),
    confirmedPesewas: amount.nullish(),
    agentPesewas: amount.nullish(),
    confirmedAgentPesewas: amount.nullish(),
  }),
)

export function purchaseOf(row: PurchaseRow): Purchase
export function purchaseOf(row: PurchaseRow | null): Purchase | null
export function purchaseOf(row: PurchaseRow | null): Purchase | null {
  if (!row) return null
  const { cause: _, ...rest } = row
  return {
    ...rest,
    userId: Number(row.userId),
    chatId: Number(row.chatId),
    kind: row.kind === 'list' ? 'list' : 'single',
    state: row.state as PurchaseState,
    remark: row.remark as PurchaseRemark | null,
    lines: linesSchema.parse(JSON.parse(row.lines)) as PurchaseLine[],
  }
}
