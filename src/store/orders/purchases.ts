import { z } from 'zod'
import type { Client } from '../../database/database.ts'
import type { Purchase as PurchaseRow } from '../../database/row-types.ts'
import type { Purchase, PurchaseLine, PurchaseState } from '../../domain/order/order.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import { aheadOf, overSince } from '../../domain/times/ahead.ts'
import { restOfListMs } from '../../domain/times/draft-lifetime.ts'
import { pesewas } from '../../provider/money.ts'
import { isPhone } from '../../provider/phone.ts'

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

/** How the `cause` of an offer after a top-up begins. */
export const toppedUpCause = 'topped-up:'
/** How the `cause` of a reminder's draft begins. */
export const reminderCause = 'reminder:'

export const purchaseStore = (client: Client) => ({
  byId: async (id: string): Promise<Purchase | null> =>
    orNull(await client.purchase.findUnique({ where: { id } })),

  /** When the person was last offered the orders that a low balance had refused; null if not since `from`. */
  toppedUpAt: async (
    { accountId, userId, chatId }: Pick<Purchase, 'accountId' | 'userId' | 'chatId'>,
    from: Date,
  ): Promise<Date | null> => {
    const whose = { accountId, userId: BigInt(userId), chatId: BigInt(chatId) }
    const row = await client.purchase.findFirst({
      where: { ...whose, createdAt: { gte: from }, cause: { startsWith: toppedUpCause } },
      orderBy: { createdAt: 'desc' },
      select: { createdAt: true },
    })
    return row?.createdAt ?? null
  },

  byCause: async (cause: string): Promise<Purchase | null> =>
    orNull(await client.purchase.findUnique({ where: { cause } })),

  /**
   * The purchases that a message and its edits have made, newest first. `hasList` is false if the message contained
   * lines for another list.
   */
  ofMessage: async (
    chatId: number,
    messageId: number,
  ): Promise<{ purchase: Purchase; hasList: boolean }[]> => {
    const edits = `edit:${chatId}:${messageId}:`
    const rows = await client.purchase.findMany({
      where: {
        OR: [{ cause: `message:${chatId}:${messageId}` }, { cause: { gte: edits, lt: `${edits}~` } }],
      },
      include: { list: { select: { purchaseId: true } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
    return rows.map(({ list, ...row }) => ({ purchase: purchaseOf(row), hasList: list !== null }))
  },

  /** The newest purchase that a button of the message made; null if none made one. */
  byButtonOf: async (chatId: number, messageId: number): Promise<Purchase | null> => {
    const presses = `press:${chatId}:${messageId}:`
    const row = await client.purchase.findFirst({
      where: { cause: { gte: presses, lt: `${presses}~` } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    })
    return row && purchaseOf(row)
  },

  /**
   * The next free number for causes with this prefix: one more than the highest, not the count, because some may have
   * been erased. Digits sort before letters, so the range contains only causes with a number.
   */
  nextNonce: async (prefix: string): Promise<number> => {
    const where = { cause: { gte: prefix, lt: `${prefix}a` } }
    const rows = await client.purchase.findMany({ where, select: { cause: true } })
    return nonceAfter(
      prefix,
      rows.map(({ cause }) => cause),
    )
  },

  /** If a draft with the same cause exists, returns that one. */
  insertDraft: async (purchase: NewPurchase): Promise<Purchase> => {
    const row = await client.purchase.upsert({
      where: { cause: purchase.cause },
      // The update is not empty: with an empty one, Prisma reads first and inserts later, and another insert may come
      // in between.
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

  /** The person's newest draft in that chat that can still be confirmed. */
  newestDraft: async (userId: number, chatId: number, now: Date): Promise<Purchase | null> =>
    orNull(
      await client.purchase.findFirst({
        where: {
          userId: BigInt(userId),
          chatId: BigInt(chatId),
          state: 'draft',
          expiresAt: aheadOf('draft', now),
        },
        orderBy: { createdAt: 'desc' },
      }),
    ),

  /** The person's drafts on the account, in that chat, that can still be confirmed. */
  draftsIn: async (
    { chatId, userId, accountId }: Pick<NewPurchase, 'chatId' | 'userId' | 'accountId'>,
    now: Date,
  ): Promise<Purchase[]> => {
    const theirs = { userId: BigInt(userId), chatId: BigInt(chatId), accountId }
    const rows = await client.purchase.findMany({
      where: { ...theirs, state: 'draft', expiresAt: aheadOf('draft', now) },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(purchaseOf)
  },

  /** The person's drafts of lists that can still be confirmed, newest first. */
  openLists: async (
    { chatId, userId, accountId }: Pick<NewPurchase, 'chatId' | 'userId' | 'accountId'>,
    now: Date,
    most = 3,
  ): Promise<Purchase[]> => {
    const theirs = { userId: BigInt(userId), chatId: BigInt(chatId), accountId, kind: 'list' }
    const rows = await client.purchase.findMany({
      where: { ...theirs, state: 'draft', expiresAt: aheadOf('draft', now) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: most,
    })
    return rows.map(purchaseOf)
  },

  /** The account's drafts that are shown on a card and can still be confirmed. */
  liveDrafts: async (accountId: string, now: Date): Promise<{ id: string; chatId: number }[]> => {
    const rows = await client.purchase.findMany({
      where: {
        accountId,
        state: 'draft',
        expiresAt: aheadOf('draft', now),
        cardMessageId: { not: null },
        createdAt: { gt: new Date(now.getTime() - restOfListMs) },
      },
      select: { id: true, chatId: true },
    })
    return rows.map(({ id, chatId }) => ({ id, chatId: Number(chatId) }))
  },

  /** Moves a draft to another state. @returns false if it is no longer a draft, is not that user's, or has expired. */
  leaveDraft: async (
    guard: { id: string; userId: number; now: Date },
    state: Exclude<PurchaseState, 'draft'>,
  ): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: {
        id: guard.id,
        userId: BigInt(guard.userId),
        state: 'draft',
        expiresAt: aheadOf('draft', guard.now),
      },
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

  /** Holds up the rest of a list until that order is proven to exist or the person decides. */
  hold: async (id: string, heldById: string): Promise<void> => {
    await client.purchase.updateMany({ where: { id, kind: 'list' }, data: { heldById } })
  },

  /** Resumes the list that this order holds up. @returns false if there was none. */
  release: async (id: string, heldById: string): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({ where: { id, heldById }, data: { heldById: null } })
    return count === 1
  },

  /** Resumes a list because the person wants it. This counts as a new confirmation. */
  goOn: async (id: string, now: Date): Promise<void> => {
    await client.purchase.updateMany({ where: { id }, data: { heldById: null, confirmedAt: now } })
  },

  /** Marks a list as closed. @returns false if it was closed before. */
  close: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.purchase.updateMany({
      where: { id, kind: 'list', state: 'confirmed', closedAt: null },
      data: { closedAt: now },
    })
    return count === 1
  },

  /**
   * Stores the message that shows the card.
   * @param cardMessageId null if the next card is to be a new message.
   */
  showOn: async (id: string, cardMessageId: number | null): Promise<void> => {
    await client.purchase.updateMany({ where: { id }, data: { cardMessageId, isBare: false } })
  },

  /**
   * Marks that the card has no buttons, because the message that tells how the order ended has them. The mark lasts
   * until another message shows the card.
   */
  bare: async (id: string): Promise<void> => {
    await client.purchase.updateMany({ where: { id }, data: { isBare: true } })
  },

  /** Drafts of lists that have no card yet and can still be confirmed. */
  unshownLists: async (now: Date): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { kind: 'list', state: 'draft', expiresAt: aheadOf('draft', now), cardMessageId: null },
      orderBy: { createdAt: 'asc' },
    })
    return rows.map(purchaseOf)
  },

  overdueDrafts: async (now: Date, limit: number): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { state: 'draft', OR: overSince('draft', now).map((expiresAt) => ({ expiresAt })) },
      orderBy: { expiresAt: 'asc' },
      take: limit,
    })
    return rows.map(purchaseOf)
  },

  /** Drafts that have a card and were made by that time, sorted by id, starting after the given id. */
  shownDrafts: async (by: Date, afterId: string, limit: number): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { state: 'draft', createdAt: { lte: by }, cardMessageId: { not: null }, id: { gt: afterId } },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map(purchaseOf)
  },

  /** Extends drafts: those that would expire before `before` expire at `until` instead. */
  keepDrafts: async (before: Date, until: Date): Promise<void> => {
    await client.purchase.updateMany({
      where: { state: 'draft', expiresAt: { lt: before } },
      data: { expiresAt: until },
    })
  },

  /** The person's drafts on the account, including expired ones, oldest first. */
  draftsOf: async (userId: number, accountId: string): Promise<Purchase[]> => {
    const rows = await client.purchase.findMany({
      where: { userId: BigInt(userId), accountId, state: 'draft' },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(purchaseOf)
  },

  /** Ends the draft of a list to make room for the person's newer lists. @returns false if it was not a draft. */
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

/** One more than the highest number that ends one of the causes. */
export const nonceAfter = (prefix: string, causes: readonly string[]): number =>
  causes
    .map((cause) => Number(cause.slice(prefix.length)))
    .reduce((next, nonce) => (nonce >= next ? nonce + 1 : next), 0)

export type PurchaseStore = ReturnType<typeof purchaseStore>

const amount = z.int().transform(pesewas)

const linesSchema = z.array(
  z.object({
    phone: z.string().refine(isPhone),
    bundleId: z.int(),
    network: z.string(),
    volume: z.string(),
    offerSlug: z.string().nullable(),
    asLastTime: z.boolean().optional(),
    writtenPesewas: amount.optional(),
    pricePesewas: amount,
    near: z.object({ phone: z.string().refine(isPhone), slip: z.enum(['digit', 'swap']) }).nullish(),
    pricedAt: z.coerce.date().nullish(),
    confirmedPesewas: amount.nullish(),
    agentPesewas: amount.nullish(),
    confirmedAgentPesewas: amount.nullish(),
  }),
)

/** @throws if the purchase's lines are malformed. */
export const purchaseOf = (row: PurchaseRow): Purchase => {
  const { cause: _, ...rest } = row
  return {
    ...rest,
    userId: Number(row.userId),
    chatId: Number(row.chatId),
    cardMessageId: row.cardMessageId === null ? null : Number(row.cardMessageId),
    kind: row.kind === 'list' ? 'list' : 'single',
    state: row.state as PurchaseState,
    remark: row.remark as PurchaseRemark | null,
    lines: linesSchema.parse(JSON.parse(row.lines)) as PurchaseLine[],
  }
}

const orNull = (row: PurchaseRow | null): Purchase | null => row && purchaseOf(row)
