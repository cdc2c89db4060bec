import { crashPoint } from '../../base/crash-point.ts'
import type { Denial } from '../../domain/may-order.ts'
import { answeringCard, cardOf } from '../../domain/notice.ts'
import { isOpen, type Order, type Purchase, type PurchaseLine } from '../../domain/order/order.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import { seenPrice } from '../../domain/selling/agent-prices.ts'
import type { Shop } from '../../domain/selling/price-rule.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import { draftMs } from '../../domain/times/draft-lifetime.ts'
import { latestSend, nextWatch } from '../../domain/times/reconciling-schedule.ts'
import { type NewOrder, queuedAs } from '../../store/orders/order-placing.ts'
import type { PurchaseToConfirm } from '../../store/orders/order-surroundings.ts'
import type { Queries, Store } from '../../store/store.ts'
import { enqueueNews } from '../following/order-news.ts'
import { moveCard } from '../following/warnings.ts'
import { denialFor, type Moment } from '../permission/orderer.ts'
import { maintenanceOf, switchesIn } from '../permission/switches.ts'
import { cancelQueued, returnRetry } from './cancelling.ts'
import { briefId, type EarlierOrder, earlierAmong, recentSince } from './earlier-order.ts'
import { draftOf, insertCard, withAgentPrices } from './new-draft.ts'
import { withConfirmedTerms } from './queueing.ts'

/** While orders are paused, drafts with less time left than this are extended, so that they can be confirmed later. */
const keptForMs = 30 * 60_000

/** A person who orders with an account, and the chat in which they order. */
export interface Person {
  userId: number
  chatId: number
  accountId: string
  /** An agent orders with the account and sees only their own orders. */
  role: 'owner' | 'agent'
}

/** Whether the person may see the order. Owners see all orders of their account, agents only their own. */
export const mayRead = (
  { accountId, userId, role }: Person,
  order: Pick<Order, 'accountId' | 'userId'>,
): boolean => order.accountId === accountId && (role === 'owner' || order.userId === userId)

/** Whose orders a person may read, for queries; `userId` null: everybody's in the account. */
export const whoseOrders = ({
  accountId,
  userId,
  role,
}: Pick<Person, 'accountId' | 'userId' | 'role'>): { accountId: string; userId: number | null } => ({
  accountId,
  userId: role === 'owner' ? null : userId,
})

/** Why a press does not confirm a draft. The draft stays, so a later press may confirm it. */
type ConfirmDenial =
  /**
   * The same bundle was ordered for this number recently, and the pressed card did not mention that. The redrawn card
   * does.
   */
  | { kind: 'repeated'; earlier: EarlierOrder }
  /** The person may not order this. */
  | { kind: 'denied'; denial: Denial }

type Confirmation =
  /** `clear`: the purchase's order if it seems ready to be sent immediately; otherwise null. */
  | { kind: 'confirmed'; clear: Order | null }
  /** An earlier press confirmed it, or it has ended. */
  | { kind: 'already'; purchase: Purchase }
  | { kind: 'expired'; purchase: Purchase }
  | ConfirmDenial
  /** The purchase does not exist, or belongs to somebody else. */
  | { kind: 'unknown' }

/** The result of pressing "Send anyway". */
export type SendingAnyway =
  | { kind: 'sent' }
  /** The order stays as it is. */
  | { kind: 'denied'; denial: Denial }
  /** The order is no longer queued, is not theirs, or does not exist. */
  | { kind: 'unknown' }

/**
 * `cancelled`: nothing was sent. `stopped`: some orders were sent, the others are cancelled. `too_late`: all were sent.
 * `ended`: the purchase was cancelled, expired or replaced before. `unknown`: it does not exist or is not theirs.
 */
type Cancellation = 'cancelled' | 'stopped' | 'ended' | 'too_late' | 'unknown'

interface Press {
  cardMessageId: number | null
  after: string | null
}

interface Correction {
  cause: string
  line: PurchaseLine
  /** The message that will show the corrected card in place of the old one; null if a new message will. */
  messageId: number | null
}

/** Drafts and what people do with them. */
export interface Purchases {
  /** Makes a draft. If one with this `cause` exists, returns that one. */
  draft(person: Person, cause: string, lines: PurchaseLine[]): Promise<Purchase>
  /**
   * Repeats an order, once for each cause. It is confirmed immediately if the person's settings allow that for this
   * price, nobody of the account has ordered the same in the last minutes, and nothing else prevents it. Then its card
   * is enqueued. Otherwise it stays a draft to be confirmed.
   */
  repeat(person: Person, cause: string, line: PurchaseLine): Promise<Purchase>
  /**
   * Confirms a draft.
   * @param press `cardMessageId`: the message that shows the card from now on. `after`: the earlier order (`briefId`)
   * for the same number that the card named, or null.
   */
  confirm(id: string, person: Person, press: Press): Promise<Confirmation>
  /**
   * Replaces a draft for one number with a corrected one. The old draft can no longer be confirmed.
   * @returns null if it is no longer a draft, or not theirs; then nothing was changed.
   */
  correct(id: string, person: Person, correction: Correction): Promise<Purchase | null>
  /** Ends a draft because its message was edited. @returns false if it is no longer a draft, or not theirs. */
  withdraw(id: string, person: Person): Promise<boolean>
  /** Cancels a draft, or the orders of a confirmed purchase that are still queued. */
  cancel(id: string, person: Person, cardMessageId: number | null): Promise<Cancellation>
  /** Cancels the person's newest draft in the chat. @returns false if there was none. */
  cancelNewestDraft(person: Pick<Person, 'userId' | 'chatId'>): Promise<boolean>
  /**
   * Redraws the purchase's card.
   * @param cardMessageId the message that shows the card from now on; null to keep the current one.
   */
  redraw(id: string, cardMessageId: number | null): Promise<void>
  /** Releases an order that waits for another open order for the same phone, so that it is sent now. */
  sendAnyway(orderId: string, person: Person): Promise<SendingAnyway>
  /**
   * Applies the person's decision about an order in `review`.
   * @param charged whether they say that it was charged.
   * @returns false if it is no longer in review.
   */
  judge(order: Order, charged: boolean): Promise<boolean>
  /**
   * Ends expired drafts and redraws their cards. While orders are paused, extends drafts instead.
   * @returns how many it ended, at most 100.
   */
  expireDrafts(): Promise<number>
}

export const createPurchases = (options: {
  store: Store
  now: () => Date
  newId: () => string
  /** Nothing can be confirmed while the disk is nearly full. */
  isShortOfRoom?: () => boolean
  /**
   * Called when an order may be ready to be sent. @param clear the order, if nothing is known that prevents sending it.
   */
  onQueued: (clear?: Order | null) => void
  onNotice: () => void
}): Purchases => {
  const { store, now, newId, isShortOfRoom = () => false, onQueued, onNotice } = options

  return {
    draft: async (person, cause, lines) => {
      const at = now()
      const draft = draftOf(person, { id: newId(), cause, lines, at })
      const purchase = await store.transaction(
        async (tx) => insertCard(tx, { ...draft, lines: await withAgentPrices(tx, person, lines) }, at),
        { accounts: [person.accountId] },
      )
      onNotice()
      return purchase
    },

    repeat: async (person, cause, line) => {
      const at = now()
      const result = await store.transaction(
        async (tx) => {
          const earlier = await tx.purchases.byCause(cause)
          if (earlier) return { purchase: earlier, isConfirmed: false }
          // Reading the prices took time, so the person's role is read again.
          const { userId, accountId } = person
          const lines = await withAgentPrices(tx, { userId, accountId }, [line])
          const moment = { at, isShortOfRoom: isShortOfRoom() }
          const isConfirmed = await mayGoUnasked(tx, person, lines[0] ?? line, moment)
          const draft = draftOf(person, { id: newId(), cause, lines, at })
          const remark = isConfirmed ? ({ remark: 'by_setting' } as const) : {}
          const purchase = await insertCard(tx, { ...draft, ...remark }, at)
          if (!isConfirmed) return { purchase, isConfirmed }
          await tx.purchases.leaveDraft({ id: purchase.id, userId: person.userId, now: at }, 'confirmed')
          await tx.orders.insertQueued(await ordersOf(tx, purchase, {}, { newId, at }), newId)
          await enqueueCard(tx, purchase, null, at)
          return { purchase: { ...purchase, state: 'confirmed' as const }, isConfirmed }
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      if (!result.isConfirmed) return result.purchase
      crashPoint('repeat_confirmed')
      onQueued()
      return result.purchase
    },

    confirm: async (id, person, { cardMessageId, after }) => {
      const at = now()
      const confirmation = await store.transaction(
        async (tx): Promise<Confirmation> => {
          const found = await tx.orders.toConfirm(id, person, recentSince(at))
          const { purchase } = found
          if (!purchase || !isTheirs(purchase, person)) return { kind: 'unknown' }
          const moment = { at, isShortOfRoom: isShortOfRoom() }
          const isDraft = purchase.state === 'draft'
          const denial = isDraft && (await confirmDenial(tx, found, purchase, after, moment))
          const isInTime = isAhead(purchase.expiresAt, 'draft', at)
          const draft = { id, userId: person.userId, now: at }
          const isConfirmed =
            isDraft && !denial && isInTime && (await tx.purchases.leaveDraft(draft, 'confirmed'))
          await enqueueCard(tx, purchase, cardMessageId, at, isConfirmed)
          if (denial) return denial
          if (!isConfirmed) return { kind: isDraft && !isInTime ? 'expired' : 'already', purchase }
          const orders = await ordersOf(tx, purchase, { ...person, shop: found.shop }, { newId, at })
          await tx.orders.insertQueued(orders, newId)
          return { kind: 'confirmed', clear: clearOf(orders, found) }
        },
        { accounts: [person.accountId] },
      )
      if (confirmation.kind === 'confirmed') onQueued(confirmation.clear)
      onNotice()
      return confirmation
    },

    correct: async (id, person, { cause, line, messageId }) => {
      const at = now()
      const corrected = await store.transaction(
        async (tx) => {
          const old = await tx.purchases.byId(id)
          if (!old || old.kind === 'list' || !isTheirs(old, person)) return null
          const known = await tx.purchases.byCause(cause)
          if (known) return known
          if (!(await tx.purchases.leaveDraft({ id, userId: person.userId, now: at }, 'superseded')))
            return null
          await returnRetry(tx, old, at)
          const lines = await withAgentPrices(tx, person, [line])
          const purchase = await insertCard(tx, draftOf(person, { id: newId(), cause, lines, at }), at)
          await tx.purchases.supersede(id, purchase.id)
          if (messageId !== null && messageId === old.cardMessageId) await tx.purchases.showOn(id, null)
          else if (old.cardMessageId !== null) await enqueueCard(tx, old, null, at)
          return purchase
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      return corrected
    },

    withdraw: async (id, person) => {
      const at = now()
      const isWithdrawn = await store.transaction(
        async (tx) => {
          const draft = await tx.purchases.byId(id)
          if (!draft || !isTheirs(draft, person)) return false
          if (!(await tx.purchases.leaveDraft({ id, userId: person.userId, now: at }, 'superseded')))
            return false
          await returnRetry(tx, draft, at)
          await enqueueCard(tx, draft, null, at)
          return true
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      return isWithdrawn
    },

    cancel: async (id, person, cardMessageId) => {
      const at = now()
      const result = await store.transaction(
        async (tx): Promise<Cancellation> => {
          const purchase = await tx.purchases.byId(id)
          if (!purchase || !isTheirs(purchase, person)) return 'unknown'
          await enqueueCard(tx, purchase, cardMessageId, at)
          if (await tx.purchases.leaveDraft({ id, userId: person.userId, now: at }, 'cancelled')) {
            await returnRetry(tx, purchase, at)
            return 'cancelled'
          }
          if (purchase.state !== 'confirmed') return 'ended'
          if (!(await cancelQueued(tx, await tx.orders.ofPurchase(id), at))) return 'too_late'
          const placements = await tx.orders.placementsOf(id)
          return placements.every(({ placement }) => placement === 'cancelled') ? 'cancelled' : 'stopped'
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      return result
    },

    cancelNewestDraft: async ({ userId, chatId }) => {
      const at = now()
      // The draft may belong to an account that the person has left.
      const draft = await store.purchases.newestDraft(userId, chatId, at)
      if (!draft) return false
      const cancelled = await store.transaction(
        async (tx) => {
          if (!(await tx.purchases.leaveDraft({ id: draft.id, userId, now: at }, 'cancelled'))) return false
          await returnRetry(tx, draft, at)
          await enqueueCard(tx, draft, null, at)
          return true
        },
        { accounts: [draft.accountId] },
      )
      onNotice()
      return cancelled
    },

    redraw: async (id, cardMessageId) => {
      const accountId = (await store.purchases.byId(id))?.accountId
      if (accountId === undefined) return
      await store.transaction(
        async (tx) => {
          const purchase = await tx.purchases.byId(id)
          if (purchase) await enqueueCard(tx, purchase, cardMessageId, now())
        },
        { accounts: [accountId] },
      )
      onNotice()
    },

    sendAnyway: async (orderId, person) => {
      const at = now()
      const outcome = await store.transaction(
        async (tx): Promise<SendingAnyway> => {
          const order = await tx.orders.byId(orderId)
          if (!order || order.accountId !== person.accountId || order.userId !== person.userId)
            return { kind: 'unknown' }
          if (order.placement !== 'queued') return { kind: 'unknown' }
          const moment = { at, isShortOfRoom: isShortOfRoom() }
          const denial = await denialFor(tx, person, { kind: 'release' }, moment)
          if (denial) return { kind: 'denied', denial }
          await tx.orders.patch(orderId, { sendAnyway: true, waitsForId: null, notBefore: null }, at)
          return { kind: 'sent' }
        },
        { accounts: [person.accountId] },
      )
      if (outcome.kind === 'sent') onQueued()
      return outcome
    },

    judge: async (order, charged) => {
      const at = now()
      const done = await store.transaction(
        async (tx) => {
          const current = await tx.orders.byId(order.id)
          if (current?.placement !== 'review') return false
          if (charged) {
            await tx.orders.patch(order.id, { reason: 'charged_by_person' }, at)
            await tx.orders.wakeWaiting(order.id)
            await enqueueNews(tx, order, at)
            return true
          }
          const reconcileAt = nextWatch(latestSend(current), at)
          const isDone = await tx.orders.go(
            { id: order.id },
            'not_placed',
            { reason: 'by_person', reconcileAt },
            at,
          )
          if (isDone) await tx.orders.wakeWaiting(order.id)
          await enqueueNews(tx, order, at)
          return isDone
        },
        { accounts: [order.accountId] },
      )
      onNotice()
      if (done) onQueued()
      return done
    },

    expireDrafts: async () => {
      if (await maintenanceOf(store)) {
        const at = now().getTime()
        await store.purchases.keepDrafts(new Date(at + keptForMs), new Date(at + draftMs))
        return 0
      }
      const overdue = await store.purchases.overdueDrafts(now(), 100)
      for (const draft of overdue) {
        await store.transaction(
          async (tx) => {
            await endDraft(tx, draft, now())
          },
          { accounts: [draft.accountId] },
        )
      }
      if (overdue.length > 0) onNotice()
      return overdue.length
    },
  }
}

/**
 * The price as the person sees it, which counts for their limit on repeats without a second press. If costs counted
 * instead, agents could work them out from which repeats are confirmed.
 */
const priceToThem = async (tx: Queries, person: Person, line: PurchaseLine): Promise<number | null> =>
  person.role === 'owner' ? line.pricePesewas : seenPrice(line, (await tx.shops.asSeenBy(person)).agentPrices)

/**
 * Whether a repeat is confirmed without a second press. The transaction has the account to itself, so the second of two
 * simultaneous repeats sees the first.
 */
const mayGoUnasked = async (
  tx: Queries,
  person: Person,
  line: PurchaseLine,
  moment: Moment,
): Promise<boolean> => {
  const { userId, accountId } = person
  const account = await tx.accounts.byId(accountId)
  const { freeRepeatPesewas } = await tx.preferences.of(userId)
  const price = await priceToThem(tx, person, line)
  if (account === null || freeRepeatPesewas === null || price === null || price > freeRepeatPesewas)
    return false
  if (account.unauthorizedSince !== null) return false
  // On a restored copy, orders made after the copy are not known yet.
  if (account.auditSince !== null) return false
  if (account.balancePesewas !== null && account.balancePesewas < line.pricePesewas) return false
  if (await tx.orders.hasRecent(accountId, line, recentSince(moment.at))) return false
  return (await denialFor(tx, person, { kind: 'confirm', wanted: [line] }, moment)) === null
}

export const endDraft = async (tx: Queries, draft: Purchase, at: Date): Promise<void> => {
  if (!(await tx.purchases.expire(draft.id))) return
  await returnRetry(tx, draft, at)
  await tx.notices.enqueue(draft.chatId, cardOf(draft.id), at)
}

/** Whether the person may confirm, change or cancel the purchase. Only the person who drafted it may. */
export const isTheirs = (purchase: Purchase, person: Person): boolean =>
  purchase.userId === person.userId && purchase.accountId === person.accountId

const ordersOf = (
  tx: Queries,
  purchase: Purchase,
  known: Partial<Pick<Person, 'role'> & { shop: Shop }>,
  { newId, at }: { newId: () => string; at: Date },
): Promise<NewOrder[]> => {
  const orders = purchase.lines.map(
    ({ phone, bundleId, network, volume, offerSlug, pricePesewas, agentPesewas }): NewOrder => ({
      id: newId(),
      purchaseId: purchase.id,
      accountId: purchase.accountId,
      userId: purchase.userId,
      chatId: purchase.chatId,
      kind: 'single',
      bundleId,
      network,
      volume,
      offerSlug,
      unitPricePesewas: pricePesewas,
      ...(agentPesewas !== undefined && { agentUnitPesewas: agentPesewas }),
      recipients: [{ phone, position: 0 }],
      createdAt: at,
    }),
  )
  return withConfirmedTerms(tx, orders, known)
}

const enqueueCard = async (
  tx: Queries,
  purchase: Purchase,
  cardMessageId: number | null,
  at: Date,
  awaits = false,
): Promise<void> => {
  if (cardMessageId !== null) await moveCard(tx, purchase, cardMessageId, at)
  await tx.notices.enqueue(purchase.chatId, answeringCard(purchase.id, awaits), at)
}

/**
 * Replaces a queued order with a new draft, because it may no longer be sent as it was confirmed, and enqueues the
 * draft's card. The draft's cause names the order, so two attempts make one draft.
 * @returns false if the order is no longer queued.
 */
export const askAgain = async (
  tx: Queries,
  order: Order,
  ask: { line: PurchaseLine; remark: PurchaseRemark; newId: () => string; at: Date },
): Promise<boolean> => {
  if (!(await tx.orders.go({ id: order.id }, 'superseded', { reason: ask.remark }, ask.at))) return false
  const draft = await insertCard(
    tx,
    {
      id: ask.newId(),
      accountId: order.accountId,
      userId: order.userId,
      chatId: order.chatId,
      cause: `instead:${order.id}`,
      lines: await withAgentPrices(tx, order, [ask.line]),
      remark: ask.remark,
      createdAt: ask.at,
      expiresAt: new Date(ask.at.getTime() + draftMs),
    },
    ask.at,
  )
  await tx.purchases.supersede(order.purchaseId, draft.id)
  await tx.orders.wakeWaiting(order.id)
  await tx.notices.enqueue(order.chatId, answeringCard(order.purchaseId), ask.at)
  await tx.notices.enqueue(order.chatId, answeringCard(draft.id), ask.at)
  return true
}

/**
 * Why a draft may not be confirmed; null if it may. Call it in a transaction that has the account to itself, so that
 * the second of two simultaneous presses for the same number and bundle sees the order of the first.
 * @param after the earlier order (`briefId`) that the pressed card named, or null.
 */
const confirmDenial = async (
  tx: Queries,
  { recent, member, switches }: PurchaseToConfirm,
  { lines, userId, accountId }: Purchase,
  after: string | null,
  moment: Moment,
): Promise<ConfirmDenial | null> => {
  const [line] = lines
  const earlier = line ? earlierAmong(recent, line, moment.at) : null
  if (earlier && briefId(earlier.order) !== after) return { kind: 'repeated', earlier }
  const step = { kind: 'confirm', wanted: lines } as const
  const read = { member, switches: switchesIn(switches) }
  const denial = await denialFor(tx, { userId, accountId }, step, moment, read)
  return denial && { kind: 'denied', denial }
}

/**
 * The purchase's order if it is the only one, its number has no other open order and the provider accepts the account's
 * key; otherwise null.
 */
const clearOf = (
  [order, another]: readonly NewOrder[],
  { recent, member }: PurchaseToConfirm,
): Order | null => {
  const isClear = !recent.some(isOpen) && member?.account.unauthorizedSince === null
  return order && !another && isClear ? queuedAs(order) : null
}
