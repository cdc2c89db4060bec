import { type Announcement, announcementOf, cardOf, listNotice } from '../relay/notice.ts'
import type { NewOrder } from '../store/orders.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Order, Purchase, PurchaseLine, PurchaseRemark } from './order.ts'

import { latestSend, nextWatch } from './settling.ts'

/** A draft can be confirmed for this long. */
export const draftMs = 60 * 60_000

export interface Person {
  userId: number
  chatId: number
  accountId: string
}

export type Confirmation =
  | { kind: 'confirmed' }
  /** An earlier press did it. */
  | { kind: 'already'; purchase: Purchase }
  | { kind: 'expired'; purchase: Purchase }
  /** The account is being removed: nothing new is ordered on it. */
  | { kind: 'closing' }
  /** Not theirs, or it never was. */
  | { kind: 'unknown' }

/** `ended`: it was cancelled, expired or replaced before. `unknown`: not theirs, or it never was. */
export type Cancellation = 'cancelled' | 'ended' | 'too_late' | 'unknown'

/** Drafts and what people do with them. */
export interface Purchases {
  /** The draft of a cause: asked for twice it is the same one. */
  draft(person: Person, cause: string, lines: PurchaseLine[]): Promise<Purchase>
  /** @param cardMessageId the message whose button was pressed: it is the card from now on. */
  confirm(id: string, person: Person, cardMessageId: number | null): Promise<Confirmation>
  /** Cancels a draft, or a confirmed purchase of which nothing has been sent yet. */
  cancel(id: string, person: Person, cardMessageId: number | null): Promise<Cancellation>
  /** Cancels the draft that the person was shown last. @returns whether there was one. */
  cancelNewestDraft(person: Pick<Person, 'userId' | 'chatId'>): Promise<boolean>
  /** Draws the card again from what is true then: on that message, or where it is. */
  redraw(id: string, cardMessageId: number | null): Promise<void>
  /** Sends although another order for the phone is open. */
  sendAnyway(orderId: string, person: Person): Promise<boolean>
  /** The person's word on an order in `review`. @returns false where it stands there no more. */
  judge(order: Order, charged: boolean): Promise<boolean>
  /** Ends drafts whose time is over and redraws their cards. */
  expireDrafts(): Promise<number>
}

export const createPurchases = (options: {
  store: Store
  now: () => Date
  newId: () => string
  /** Told when something is ready to be sent. */
  onQueued: () => void
  /** Told when something is owed to a chat. */
  onNotice: () => void
}): Purchases => {
  const { store, now, newId, onQueued, onNotice } = options

  return {
    draft: (person, cause, lines) => {
      const at = now()
      return store.purchases.insertDraft({
        id: newId(),
        ...person,
        cause,
        lines,
        createdAt: at,
        expiresAt: new Date(at.getTime() + draftMs),
      })
    },

    confirm: async (id, person, cardMessageId) => {
      const at = now()
      const confirmation = await store.transaction(async (tx): Promise<Confirmation> => {
        const purchase = await tx.purchases.byId(id)
        if (!purchase || !isTheirs(purchase, person)) return { kind: 'unknown' }
        await oweCard(tx, purchase, cardMessageId, at)
        const isClosing = (await tx.accounts.byId(purchase.accountId))?.eraseBy
        if (purchase.state === 'draft' && isClosing) return { kind: 'closing' }
        if (!(await tx.purchases.leaveDraft({ id, userId: person.userId, now: at }, 'confirmed'))) {
          return { kind: purchase.state === 'draft' ? 'expired' : 'already', purchase }
        }
        await queue(tx, purchase, newId, at)
        return { kind: 'confirmed' }
      })
      if (confirmation.kind === 'confirmed') onQueued()
      onNotice()
      return confirmation
    },

    cancel: async (id, person, cardMessageId) => {
      const at = now()
      const result = await store.transaction(async (tx): Promise<Cancellation> => {
        const purchase = await tx.purchases.byId(id)
        if (!purchase || !isTheirs(purchase, person)) return 'unknown'
        await oweCard(tx, purchase, cardMessageId, at)
        if (await tx.purchases.leaveDraft({ id, userId: person.userId, now: at }, 'cancelled')) {
          await giveBack(tx, purchase, at)
          return 'cancelled'
        }
        if (purchase.state !== 'confirmed') return 'ended'
        return (await cancelQueued(tx, await tx.orders.ofPurchase(id), at)) ? 'cancelled' : 'too_late'
      })
      onNotice()
      return result
    },

    cancelNewestDraft: async ({ userId, chatId }) => {
      const at = now()
      const cancelled = await store.transaction(async (tx) => {
        const draft = await tx.purchases.newestDraft(userId, chatId, at)
        if (!draft || !(await tx.purchases.leaveDraft({ id: draft.id, userId, now: at }, 'cancelled')))
          return false
        await giveBack(tx, draft, at)
        await oweCard(tx, draft, null, at)
        return true
      })
      onNotice()
      return cancelled
    },

    redraw: async (id, cardMessageId) => {
      await store.transaction(async (tx) => {
        const purchase = await tx.purchases.byId(id)
        if (purchase) await oweCard(tx, purchase, cardMessageId, now())
      })
      onNotice()
    },

    sendAnyway: async (orderId, person) => {
      const order = await store.orders.byId(orderId)
      if (!order || order.accountId !== person.accountId || order.userId !== person.userId) return false
      if (order.placement !== 'queued') return false
      await store.orders.patch(orderId, { sendAnyway: true, waitsForId: null, notBefore: null }, now())
      onQueued()
      return true
    },

    judge: async (order, charged) => {
      const at = now()
      const done = await store.transaction(async (tx) => {
        const current = await tx.orders.byId(order.id)
        if (current?.placement !== 'review') return false
        if (charged) {
          await tx.orders.patch(order.id, { reason: 'charged_by_person' }, at)
          await tx.orders.wakeWaiting(order.id)
          await tell(tx, order, at)
          return true
        }
        const settleAt = nextWatch(latestSend(current), at)
        const isDone = await tx.orders.go(
          { id: order.id },
          'not_placed',
          { reason: 'by_person', settleAt },
          at,
        )
        if (isDone) await tx.orders.wakeWaiting(order.id)
        await tell(tx, order, at)
        return isDone
      })
      onNotice()
      if (done) onQueued()
      return done
    },

    expireDrafts: async () => {
      const overdue = await store.purchases.overdueDrafts(now(), 100)
      for (const draft of overdue) {
        await store.transaction(async (tx) => {
          if (!(await tx.purchases.expire(draft.id))) return
          await giveBack(tx, draft, now())
          await tx.notices.owe(draft.chatId, cardOf(draft.id), now())
        })
      }
      if (overdue.length > 0) onNotice()
      return overdue.length
    },
  }
}

/** What a retry that came to nothing had taken can be retried again: the card of its list offers it anew. */
const giveBack = async (tx: Queries, { id, retryOfId }: Purchase, at: Date): Promise<void> => {
  if (retryOfId === null) return
  await tx.orders.dropRetry(id)
  const list = await tx.purchases.byId(retryOfId)
  if (list) await tx.notices.owe(list.chatId, cardOf(list.id, true), at)
}

const isTheirs = (purchase: Purchase, person: Person): boolean =>
  purchase.userId === person.userId && purchase.accountId === person.accountId

/** Writes the orders of a purchase that was just confirmed. */
const queue = async (tx: Queries, purchase: Purchase, newId: () => string, at: Date): Promise<void> => {
  const orders = purchase.lines.map(
    ({ phone, pricePesewas, ...offer }): NewOrder => ({
      id: newId(),
      purchaseId: purchase.id,
      accountId: purchase.accountId,
      userId: purchase.userId,
      chatId: purchase.chatId,
      kind: 'single',
      ...offer,
      unitPricePesewas: pricePesewas,
      recipients: [{ phone, position: 0 }],
      createdAt: at,
    }),
  )
  await tx.orders.insertQueued(orders, newId)
}

const oweCard = async (
  tx: Queries,
  { id, chatId }: Purchase,
  cardMessageId: number | null,
  at: Date,
): Promise<void> => {
  if (cardMessageId !== null) await tx.purchases.showOn(id, cardMessageId)
  await tx.notices.owe(chatId, cardOf(id), at)
}

/** Cancels those of the orders that were not sent yet. @returns whether there was one. */
export const cancelQueued = async (tx: Queries, orders: Order[], at: Date): Promise<boolean> => {
  const touched = new Map<string, Order>()
  for (const order of orders) {
    if (!(await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'by_person' }, at))) continue
    touched.set(order.purchaseId, order)
    await tx.orders.wakeWaiting(order.id)
    if (!order.listed) continue
    // What it ordered again for an earlier list can be ordered again from there.
    const phones = order.recipients.map(({ phone }) => phone)
    await tx.orders.passRetry(order.purchaseId, null, { bundleId: order.bundleId, phones })
  }
  for (const [purchaseId, order] of touched) {
    const all = await tx.orders.placementsOf(purchaseId)
    if (all.every(({ placement }) => placement === 'cancelled'))
      await tx.purchases.cancelConfirmed(purchaseId)
    else if (order.listed) await closeIfDone(tx, order, at)
  }
  return touched.size > 0
}

/**
 * Puts a new draft in the place of an order that must not be sent as it was confirmed, and shows it.
 * The new draft has the order as its cause, so two that try make one.
 */
export const askAgain = async (
  tx: Queries,
  order: Order,
  ask: { line: PurchaseLine; remark: PurchaseRemark; newId: () => string; at: Date },
): Promise<boolean> => {
  if (!(await tx.orders.go({ id: order.id }, 'superseded', { reason: ask.remark }, ask.at))) return false
  const draft = await tx.purchases.insertDraft({
    id: ask.newId(),
    accountId: order.accountId,
    userId: order.userId,
    chatId: order.chatId,
    cause: `instead:${order.id}`,
    lines: [ask.line],
    remark: ask.remark,
    createdAt: ask.at,
    expiresAt: new Date(ask.at.getTime() + draftMs),
  })
  await tx.purchases.supersede(order.purchaseId, draft.id)
  await tx.orders.wakeWaiting(order.id)
  await tx.notices.owe(order.chatId, cardOf(order.purchaseId), ask.at)
  await tx.notices.owe(order.chatId, cardOf(draft.id), ask.at)
  return true
}

/** Tells the person about an order: its card, and a new message where the card alone would go unnoticed. */
export const tell = async (
  tx: Queries,
  order: Pick<Order, 'id' | 'chatId' | 'purchaseId' | 'listed'>,
  at: Date,
  ...what: Announcement[]
): Promise<void> => {
  await tx.notices.owe(order.chatId, cardOf(order.purchaseId, order.listed), at)
  for (const announcement of what) {
    await tx.notices.owe(order.chatId, announcementOf(order.id, announcement), at)
  }
  if (order.listed) await closeIfDone(tx, order, at)
}

/** A list of which nothing is open any more gets its one closing message. */
export const closeIfDone = async (
  tx: Queries,
  { purchaseId, chatId }: Pick<Order, 'purchaseId' | 'chatId'>,
  at: Date,
): Promise<void> => {
  if ((await tx.orders.countOpenOf(purchaseId)) > 0) return
  if (await tx.purchases.close(purchaseId, at))
    await tx.notices.owe(chatId, listNotice(purchaseId, 'done'), at)
}
