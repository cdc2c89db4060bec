import type { Order } from '../domain/order.ts'
import type { Reasons } from '../domain/reason.ts'
import { cancelQueued } from '../orders/buying/cancelling.ts'
import { endDraft } from '../orders/buying/purchases.ts'
import { tell } from '../orders/following/telling.ts'
import type { Account, Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'

/**
 * How people leave an account, and how it is erased. A member who is not its last owner is just let go. When the last
 * owner leaves, queued orders are cancelled, and then
 *
 * | open orders | the owner says | the account |
 * |---|---|---|
 * | none | `Confirm` | is erased at once |
 * | some | `Confirm` | stays as it is: the owner is asked when |
 * | some | `When they are done` | closes: nothing new is ordered, and it is erased after the last, in a day at most |
 * | some | `Now` | is erased at once, and the outcome of the orders is no longer found out |
 *
 * An owner who switches to another account closes this one, which then has no owner any more. A closing account is kept
 * if somebody connects it again. No watch outlives the erasure: each person is told what is no longer followed.
 */
export type When = 'confirmed' | 'done' | 'now'

/** The outcome for a member who was to leave, and for their open orders. */
export type Departure =
  /** They are not, or no longer, a member of that account. */
  | { kind: 'gone' }
  /** Others own the account, and keep it. */
  | { kind: 'left' }
  /** They were an agent. */
  | ({ kind: 'resigned' } & Resignation)
  /** Nothing was changed: orders are open, and the owner has to choose when. */
  | { kind: 'open' }
  | ({ kind: 'closing' } & Closing)
  | { kind: 'erased'; cancelled: number; sending: number; unfollowed: number }

/** The orders that an agent leaves behind. */
export interface Resignation {
  /** Orders that had not been sent. */
  cancelled: number
  /** Orders that are still followed, for them and for an owner. */
  open: number
}

/** The orders that the last owner leaves behind. */
interface Closing {
  cancelled: number
  open: number
  eraseBy: Date
}

/** A closing account is erased after this at the latest. */
export const closingMs = 24 * 60 * 60_000

/** The most orders that one message names. */
const maxNamed = 15

/**
 * Whether the account is erased only after this order's end. A late debit of an order found not to be placed, and an
 * order that its person has judged already, are watched as long as the account lives and no longer.
 */
export const isAwaited = (order: Order): boolean =>
  order.placement === 'sending' ||
  order.placement === 'unconfirmed' ||
  (order.placement === 'review' && order.reason !== 'charged_by_person') ||
  order.nextPollAt !== null ||
  order.refundAt !== null

/** Whether somebody else owns the account too, so that it stays when that user leaves. */
export const isShared = (members: Member[], userId: number): boolean =>
  members.some((other) => other.userId !== userId && other.role === 'owner')

/** Lets a member go. */
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
  for (const { chatId } of others) await oweDeparted(tx, chatId, at)
  return { kind: 'erased', cancelled, sending, unfollowed }
}

/**
 * Ends a member's part in the account at once. Their queued orders are cancelled, their drafts end, and their open
 * orders are followed on and reported to an owner too.
 * @param reportTo the chat of the owner who removes them; null: the owner who answered for them so far.
 */
export const resign = async (
  tx: Queries,
  { userId, accountId }: Member,
  reportTo: number | null,
  at: Date,
): Promise<Resignation> => {
  // Detached first: a confirmation at the same time either sees this, or is seen by the steps below.
  await tx.accounts.detach(userId)
  const isTheirs = (order: Order): boolean => order.userId === userId
  const queued = (await tx.orders.queuedOfAccount(accountId)).filter(isTheirs)
  const cancelled = await cancelEach(tx, queued, 'agent_left', at)
  await endDrafts(tx, { userId, accountId }, at)
  const watched = (await tx.orders.underWatch(accountId)).filter(isTheirs)
  if (reportTo !== null) for (const { id } of watched) await tx.orders.patch(id, { reportTo }, at)
  return { cancelled, open: watched.filter(isAwaited).length }
}

/** Ends all that the person has drafted for the account. */
export const endDrafts = async (
  tx: Queries,
  { userId, accountId }: Pick<Member, 'userId' | 'accountId'>,
  at: Date,
): Promise<void> => {
  for (const draft of await tx.purchases.draftsOf(userId, accountId)) await endDraft(tx, draft, at)
}

/** Lets an agent go who leaves by themselves: the owners are told. */
const withdraw = async (tx: Queries, agent: Member, at: Date): Promise<Departure> => {
  const resignation = await resign(tx, agent, null, at)
  const news = { what: 'left', name: agent.name, ...resignation } as const
  for (const { role, chatId } of await tx.accounts.members(agent.accountId)) {
    if (role === 'owner') await tx.notices.owe(chatId, { kind: 'agency', subject: 'account', news }, at)
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
    await tell(tx, order, at)
  }
  return cancelled
}

const close = async (tx: Queries, account: Account, awaited: Order[], at: Date): Promise<Date> => {
  const eraseBy = account.eraseBy ?? new Date(at.getTime() + closingMs)
  await tx.accounts.closeBy(account.id, eraseBy)
  // Touched, so that the chats of these orders are known when the account is erased.
  for (const order of awaited) await tx.orders.patch(order.id, {}, at)
  return eraseBy
}

/** Cancels all queued orders. People in other chats than the one that pressed are told in a message. */
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
    await tell(tx, order, at, ...(order.chatId === pressedIn ? [] : [{ about: 'placement' } as const]))
  }
  return cancelled
}

/** Erases the credentials, and tells people of each order that is no longer followed. */
const erase = async (
  tx: Queries,
  accountId: string,
  at: Date,
): Promise<{ sending: number; unfollowed: number }> => {
  const watched = await tx.orders.underWatch(accountId)
  // The answer to an order that is being sent at this moment is still taken, and told by the placer.
  const unfollowed = watched.filter(({ placement }) => placement !== 'sending')
  await tx.accounts.erase(accountId)
  for (const { userId } of await tx.accounts.members(accountId)) await tx.accounts.detach(userId)
  for (const order of unfollowed) {
    await tx.orders.patch(order.id, { nextPollAt: null, reconcileAt: null, refundAt: null }, at)
    await tell(tx, order, at)
    await tellFollowers(tx, order, at)
  }
  for (const [chatId, orders] of Map.groupBy(unfollowed, (order) => order.chatId)) {
    for (let first = 0; first < orders.length; first += maxNamed) {
      const orderIds = orders.slice(first, first + maxNamed).map(({ id }) => id)
      await tx.notices.owe(chatId, { kind: 'unfollowed', subject: 'account', orderIds }, at)
    }
  }
  return { sending: watched.length - unfollowed.length, unfollowed: unfollowed.length }
}

const tellFollowers = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  for (const { chatId } of await tx.chats.followers(order.id)) {
    await tx.notices.owe(
      chatId,
      { kind: 'follow_ended', subject: `follow:${order.id}`, orderId: order.id },
      at,
    )
  }
}

const oweDeparted = (tx: Queries, chatId: number, at: Date, forgotten = false): Promise<void> =>
  tx.notices.owe(chatId, { kind: 'departed', subject: 'account', erased: true, forgotten }, at)

/**
 * Erases the closing accounts whose orders are done, or whose day is over. It tells their members, and the people whose
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
  for (const chatId of chats) await oweDeparted(tx, chatId, at, account.forgetAt !== null)
  return true
}

/**
 * Keeps an account that was to be erased, because somebody connects it. Owners who wanted to leave it are let go now
 * that it has another one.
 */
export const reopen = async (tx: Queries, account: Account, userId: number, at: Date): Promise<void> => {
  if (!account.eraseBy) return
  for (const member of await tx.accounts.members(account.id)) {
    if (member.userId === userId || member.role !== 'owner') continue
    await tx.accounts.detach(member.userId)
    await tx.notices.owe(member.chatId, { kind: 'departed', subject: 'account', erased: false }, at)
  }
}
