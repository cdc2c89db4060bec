import type { Order } from '../domain/order/order.ts'
import type { Reasons } from '../domain/order/reason.ts'
import { cancelQueued } from '../orders/buying/cancelling.ts'
import { endDraft } from '../orders/buying/purchases.ts'
import { enqueueNews } from '../orders/following/order-news.ts'
import { isOwed } from '../orders/reconciling/refunds.ts'
import type { Account, Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'

/**
 * How people leave an account, and how it is erased. An agent, or an owner who is not the last, simply leaves. When the
 * last owner leaves, queued orders are cancelled. What follows depends on the open orders:
 *
 * | open orders | the owner presses | result |
 * |---|---|---|
 * | none | `Confirm` | the account is erased immediately |
 * | some | `Confirm` | nothing changes, and the owner is asked when to leave |
 * | some | `When orders are done` | the account closes: it takes no new orders, and is erased after the last open one, within a day |
 * | some | `Now` | the account is erased immediately, and the open orders are no longer followed |
 *
 * If the last owner switches to another account, this one is closed in the same way. A closing account is kept if
 * somebody connects it again. Once the account is erased, none of its orders is followed, and each person is told which
 * of their orders that concerns.
 */
export type When = 'confirmed' | 'done' | 'now'

export type Departure =
  /** The person is not a member of that account. */
  | { kind: 'gone' }
  /** The person left. Another owner keeps the account. */
  | { kind: 'left' }
  /** The person was an agent, and left. */
  | ({ kind: 'resigned' } & Resignation)
  /** Nothing changed: orders are open, and the owner must choose when to leave. */
  | { kind: 'open' }
  | ({ kind: 'closing' } & Closing)
  | { kind: 'erased'; cancelled: number; sending: number; unfollowed: number }

/** The orders of an agent who has left. */
export interface Resignation {
  /** How many orders were cancelled before they were sent. */
  cancelled: number
  /** How many orders are still followed, for the agent and for an owner. */
  open: number
}

/** The orders of the last owner, who has left. */
interface Closing {
  cancelled: number
  open: number
  eraseBy: Date
}

/** A closing account is erased after this time, ms, at the latest. */
export const closingMs = 24 * 60 * 60_000

const maxNamed = 15

/**
 * Whether a closing account waits for the end of this order. If the order was found not placed, or its person has
 * already judged it, or if the bot only looks for a second debit, the account does not wait, although a debit may still
 * appear.
 */
export const isAwaited = (order: Order): boolean =>
  order.placement === 'sending' ||
  order.placement === 'unconfirmed' ||
  (order.placement === 'review' && order.reason !== 'charged_by_person') ||
  order.nextPollAt !== null ||
  (order.refundAt !== null && isOwed(order))

/** Whether the account has another owner, so that it stays when this user leaves. */
export const isShared = (members: Member[], userId: number): boolean =>
  members.some((other) => other.userId !== userId && other.role === 'owner')

/** Removes a member who wants to leave, according to the table above. */
export const leave = async (tx: Queries, member: Member, when: When, at: Date): Promise<Departure> => {
  const { accountId, userId } = member
  const account = await tx.accounts.byId(accountId)
  if (!account) return { kind: 'gone' }
  if (member.role === 'agent') return withdraw(tx, member, at)
  if (isShared(await tx.accounts.members(accountId), userId)) {
    await tx.accounts.detach(userId)
    return { kind: 'left' }
  }
  const awaited = (await tx.orders.underWatch(accountId)).filter(isAwaited)
  if (when === 'confirmed' && awaited.length > 0) return { kind: 'open' }
  const cancelled = await cancelWaiting(tx, accountId, member.chatId, at)
  if (when === 'done' && awaited.length > 0) {
    return {
      kind: 'closing',
      cancelled,
      open: awaited.length,
      eraseBy: await close(tx, account, awaited, at),
    }
  }
  const others = (await tx.accounts.members(accountId)).filter((other) => other.userId !== userId)
  const { sending, unfollowed } = await erase(tx, accountId, at)
  for (const { chatId } of others) await enqueueDeparted(tx, chatId, at)
  return { kind: 'erased', cancelled, sending, unfollowed }
}

/**
 * Detaches a member from the account. Their queued orders are cancelled and their drafts end. Their open orders are
 * still followed, and an owner gets news of them too.
 * @param ownerChatId the chat of the owner who removes them and gets that news; null if the same owner as before gets
 * it.
 */
export const resign = async (
  tx: Queries,
  { userId, accountId }: Member,
  ownerChatId: number | null,
  at: Date,
): Promise<Resignation> => {
  // The member is detached first. A concurrent confirmation then either finds that the member has left, or has already
  // queued an order that the next steps find.
  await tx.accounts.detach(userId)
  const isTheirs = (order: Order): boolean => order.userId === userId
  const queued = (await tx.orders.queuedOfAccount(accountId)).filter(isTheirs)
  const cancelled = await cancelEach(tx, queued, 'agent_left', at)
  await endDrafts(tx, { userId, accountId }, at)
  const watched = (await tx.orders.underWatch(accountId)).filter(isTheirs)
  if (ownerChatId !== null) for (const { id } of watched) await tx.orders.patch(id, { ownerChatId }, at)
  return { cancelled, open: watched.filter(isAwaited).length }
}

export const endDrafts = async (
  tx: Queries,
  { userId, accountId }: Pick<Member, 'userId' | 'accountId'>,
  at: Date,
): Promise<void> => {
  for (const draft of await tx.purchases.draftsOf(userId, accountId)) await endDraft(tx, draft, at)
}

const withdraw = async (tx: Queries, agent: Member, at: Date): Promise<Departure> => {
  const resignation = await resign(tx, agent, null, at)
  const news = { what: 'left', name: agent.name, ...resignation } as const
  for (const { role, chatId } of await tx.accounts.members(agent.accountId)) {
    if (role === 'owner') await tx.notices.enqueue(chatId, { kind: 'agency', subject: 'account', news }, at)
  }
  return { kind: 'resigned', ...resignation }
}

const cancelEach = async (
  tx: Queries,
  queued: Order[],
  reason: Reasons['cancelled'],
  at: Date,
): Promise<number> => {
  let cancelled = 0
  for (const order of queued) {
    if (!(await cancelQueued(tx, [order], at))) continue
    cancelled += 1
    await tx.orders.patch(order.id, { reason }, at)
    await enqueueNews(tx, order, at)
  }
  return cancelled
}

const close = async (tx: Queries, account: Account, awaited: Order[], at: Date): Promise<Date> => {
  const eraseBy = account.eraseBy ?? new Date(at.getTime() + closingMs)
  await tx.accounts.closeBy(account.id, eraseBy)
  // An empty patch only sets the order's time of change, by which `eraseIfDone` finds the chats of these orders.
  for (const order of awaited) await tx.orders.patch(order.id, {}, at)
  return eraseBy
}

/** Cancels all queued orders. Their people are told in a message, except in the chat where the button was pressed. */
const cancelWaiting = async (
  tx: Queries,
  accountId: string,
  pressedIn: number | null,
  at: Date,
): Promise<number> => {
  let cancelled = 0
  for (const order of await tx.orders.queuedOfAccount(accountId)) {
    if (!(await cancelQueued(tx, [order], at))) continue
    cancelled += 1
    await tx.orders.patch(order.id, { reason: 'disconnected' }, at)
    await enqueueNews(tx, order, at, ...(order.chatId === pressedIn ? [] : [{ about: 'placement' } as const]))
  }
  return cancelled
}

/** Erases the account's credentials, detaches its members, and tells people which orders are no longer followed. */
const erase = async (
  tx: Queries,
  accountId: string,
  at: Date,
): Promise<{ sending: number; unfollowed: number }> => {
  const watched = await tx.orders.underWatch(accountId)
  // If an order is being sent right now, the placer still records its answer and tells its person.
  const unfollowed = watched.filter(({ placement }) => placement !== 'sending')
  await tx.accounts.erase(accountId)
  for (const { userId } of await tx.accounts.members(accountId)) await tx.accounts.detach(userId)
  for (const order of unfollowed) {
    await tx.orders.patch(order.id, { nextPollAt: null, reconcileAt: null, refundAt: null }, at)
    await enqueueNews(tx, order, at)
    await enqueueForFollowers(tx, order, at)
  }
  for (const [chatId, orders] of Map.groupBy(unfollowed, (order) => order.chatId)) {
    for (let first = 0; first < orders.length; first += maxNamed) {
      const orderIds = orders.slice(first, first + maxNamed).map(({ id }) => id)
      await tx.notices.enqueue(chatId, { kind: 'unfollowed', subject: 'account', orderIds }, at)
    }
  }
  return { sending: watched.length - unfollowed.length, unfollowed: unfollowed.length }
}

const enqueueForFollowers = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  for (const { chatId } of await tx.chats.followers(order.id)) {
    await tx.notices.enqueue(
      chatId,
      { kind: 'follow_ended', subject: `follow:${order.id}`, orderId: order.id },
      at,
    )
  }
}

const enqueueDeparted = (tx: Queries, chatId: number, at: Date, forgotten = false): Promise<void> =>
  tx.notices.enqueue(chatId, { kind: 'departed', subject: 'account', erased: true, forgotten }, at)

/**
 * Erases the closing accounts whose orders have ended or whose day is over. Tells their members, and the people whose
 * orders were open when the account began to close.
 * @returns how many were erased.
 */
export const eraseClosed = async (store: Store, now: () => Date): Promise<number> => {
  let erased = 0
  for (const { id } of await store.accounts.closing()) {
    if (await store.transaction((tx) => eraseIfDone(tx, id, now()), { accounts: [id] })) erased += 1
  }
  return erased
}

const eraseIfDone = async (tx: Queries, accountId: string, at: Date): Promise<boolean> => {
  const account = await tx.accounts.byId(accountId)
  const eraseBy = account?.eraseBy
  if (!eraseBy) return false
  if (at < eraseBy && (await tx.orders.underWatch(accountId)).some(isAwaited)) return false
  const members = await tx.accounts.members(accountId)
  const since = new Date(eraseBy.getTime() - closingMs)
  const chats = new Set([
    ...members.map(({ chatId }) => chatId),
    ...(await tx.orders.chatsSince(accountId, since)),
  ])
  await cancelWaiting(tx, accountId, null, at)
  await erase(tx, accountId, at)
  for (const chatId of chats) await enqueueDeparted(tx, chatId, at, account.forgetAt !== null)
  return true
}

/**
 * Keeps a closing account because somebody connects it. The earlier owners wanted to leave, so they are removed now
 * that there is another owner.
 */
export const reopen = async (tx: Queries, account: Account, userId: number, at: Date): Promise<void> => {
  if (!account.eraseBy) return
  for (const member of await tx.accounts.members(account.id)) {
    if (member.userId === userId || member.role !== 'owner') continue
    await tx.accounts.detach(member.userId)
    await tx.notices.enqueue(member.chatId, { kind: 'departed', subject: 'account', erased: false }, at)
  }
}
