import {
  type Announcement,
  announcementOf,
  announcementSubject,
  answeringCard,
  cardOf,
  type NoticeContent,
  reportedCard,
} from '../../domain/notice.ts'
import type { Order, Recipient } from '../../domain/order/order.ts'
import { isUnfinished } from '../../domain/order/order.ts'
import { changesGroup, groupIn, progressOf } from '../../domain/order/progress.ts'
import { owedRefund } from '../../domain/order/recipient-ends.ts'
import { isTerminal } from '../../domain/order/status.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import type { Follow } from '../../store/chats/chats.ts'
import type { NotifyLevel } from '../../store/chats/preferences.ts'
import type { Queries } from '../../store/store.ts'
import { enqueueListNews } from './list-news.ts'
import { enqueueForOwner, enqueueListForOwner, type NewsOrder } from './owner-news.ts'
import { endWarnings } from './warnings.ts'

/**
 * The rules of who is told what about an order, and when. All announcements about orders are enqueued here and, for
 * owners, in `owner-news`. The middle columns are the notify levels that the person can choose.
 *
 * | news | `each` | `final` | `failures` | in quiet hours |
 * |---|---|---|---|---|
 * | progress | a message | only the card | only the card | waits |
 * | delivered | a message | a message | only the card | waits |
 * | all of a list was delivered | a message | a message | only the card | waits |
 * | anything else | a message | a message | a message | is sent immediately |
 *
 * “Anything else” is about money or needs a person: failed, cancelled, refunded, unconfirmed, not placed, in review,
 * proven late, another price, a contradiction. If older news about the same order is still queued, it is sent first, so
 * that each order's news stays in sequence.
 */

/**
 * A status that comes only from a callback is announced this much later, ms, so that the provider's record can confirm
 * it first.
 */
const confirmationMs = 2_000

/**
 * Tells the person about a change of an order: redraws its card, and enqueues the given news as messages. Also closes
 * the order's list if it is done, and ends warnings that are no longer true.
 * @param order as it was before the change.
 */
export const enqueueNews = async (
  tx: Queries,
  order: NewsOrder & Pick<Order, 'chatId' | 'placement'>,
  at: Date,
  ...what: Announcement[]
): Promise<void> => {
  await tx.notices.enqueue(order.chatId, cardAfter(order), at)
  for (const announcement of what) await enqueueAnnouncement(tx, order, announcement, at)
  if (order.listed) await closeIfDone(tx, order, at)
  if (order.listed || mayBeWarnedOf(order)) await endWarnings(tx, order.purchaseId, at)
}

/** Enqueues one announcement for the person who ordered, and for owners. */
export const enqueueAnnouncement = async (
  tx: Queries,
  order: NewsOrder & Pick<Order, 'chatId'>,
  announcement: Announcement,
  at: Date,
  notBefore: Date | null = null,
): Promise<void> => {
  await tx.notices.awaken(order.chatId, announcementSubject(order.id))
  await tx.notices.enqueue(order.chatId, announcementOf(order.id, announcement), at, notBefore)
  await enqueueForOwner(tx, order, announcement, at, notBefore)
}

/**
 * The notice that redraws the card after a change. Outside a list, the outcome of a send counts as the answer to the
 * press that confirmed the order.
 */
const cardAfter = ({
  purchaseId,
  listed,
  placement,
}: Pick<Order, 'purchaseId' | 'listed' | 'placement'>): NoticeContent => {
  if (listed) return cardOf(purchaseId, true)
  return placement === 'queued' || placement === 'sending' ? answeringCard(purchaseId) : cardOf(purchaseId)
}

/** Enqueues a redraw of the card, which then says that the order is being sent. */
export const enqueueSendingCard = async (
  tx: Queries,
  order: NewsOrder & Pick<Order, 'chatId' | 'placement'>,
  at: Date,
): Promise<void> => {
  if (order.listed) await enqueueNews(tx, order, at)
  else await tx.notices.enqueue(order.chatId, answeringCard(order.purchaseId, true), at)
}

/** Enqueues a redraw of the card with a status that only a callback has reported. */
export const enqueueReportedCard = async (
  tx: Queries,
  order: NewsOrder & Pick<Order, 'chatId' | 'placement'>,
  at: Date,
): Promise<void> => {
  if (order.listed || mayBeWarnedOf(order)) await enqueueNews(tx, order, at)
  else await tx.notices.enqueue(order.chatId, reportedCard(order.purchaseId), at)
}

/** Whether the order had been in doubt before this change. Only then can it have warnings to close. */
const mayBeWarnedOf = ({ placement }: Pick<Order, 'placement'>): boolean =>
  placement !== 'queued' && placement !== 'sending' && placement !== 'placed'

/** How long an order may be under way before its list's closing message no longer waits for it, ms. */
const underWayMs = 20 * 60_000

/**
 * Whether a list's closing message is sent although some orders have not ended. It waits neither for orders that only
 * the person can end nor, if numbers have failed, for orders that have been under way for long, because people must
 * hear of failures while they can still do something.
 */
const isClosedEarly = async (
  tx: Queries,
  purchaseId: string,
  open: readonly Pick<Order, 'placement' | 'sentAt'>[],
  at: Date,
): Promise<boolean> => {
  const others = open.filter(({ placement }) => placement !== 'review')
  const isLong = ({ placement, sentAt }: (typeof others)[number]): boolean =>
    placement === 'placed' && sentAt !== null && at.getTime() - sentAt.getTime() >= underWayMs
  return (
    others.every(isLong) &&
    (others.length === 0 || progressOf(await tx.orders.ofPurchase(purchaseId)).failed.length > 0)
  )
}

/** Closes the list and enqueues its closing message, once nothing more is to be waited for. */
export const closeIfDone = async (
  tx: Queries,
  order: NewsOrder & Pick<Order, 'chatId'>,
  at: Date,
): Promise<void> => {
  const { purchaseId, chatId } = order
  const open = await tx.orders.openOf(purchaseId)
  if (open.length > 0 && !(await isClosedEarly(tx, purchaseId, open, at))) return
  if (!(await tx.purchases.close(purchaseId, at))) return
  const wishes = await wishesOf(tx, chatId, at)
  const isReported = order.ownerChatId !== null
  const { isAll, isOnlyReported, owed } = await endsOf(tx, purchaseId)
  // People ask for refunds as soon as they read that a list is done, so the wallet is read for missing refunds now.
  for (const { id, refundAt } of owed)
    if (refundAt !== null && refundAt > at) await tx.orders.patch(id, { refundAt: at }, at)
  if (isReported) await enqueueListForOwner(tx, order, 'done', isAll ? 'ends' : 'problems', at)
  const canWait = wishes.hasAny && isAll
  if (canWait && wishes.notify === 'failures') return
  const quietUntil = canWait ? wishes.quietUntil : null
  const notBefore = isOnlyReported ? new Date(at.getTime() + confirmationMs) : null
  await enqueueListNews(tx, chatId, { purchaseId, what: 'done' }, at, { notBefore, quietUntil })
}

/**
 * Tells the person if the list's closing message is no longer true for some recipients. Deliveries in an order that has
 * not ended are only shown on the card.
 */
export const enqueueListChange = async (
  tx: Queries,
  order: Order,
  after: readonly Recipient[],
  at: Date,
): Promise<void> => {
  if (!order.listed) return
  const changes = order.recipients.flatMap((before, index) => {
    const next = after[index]
    return next && next !== before && changesGroup(order, before, next) ? [{ before, next }] : []
  })
  const isExpected = changes.every(({ before }) => groupIn(order, before) === 'underWay')
  const isGood = isExpected && changes.every(({ next }) => next.status === 'delivered')
  const isUnderWay = after.some(({ status }) => !isTerminal(status))
  if (changes.length === 0 || (isGood && isUnderWay) || !(await isClosed(tx, order))) return
  const { chatId, purchaseId } = order
  const what = isExpected ? 'went_on' : 'changed'
  const wishes = isGood ? await wishesOf(tx, chatId, at) : null
  const hold = { notBefore: null, quietUntil: wishes?.quietUntil ?? null }
  if (wishes?.notify !== 'failures') await enqueueListNews(tx, chatId, { purchaseId, what }, at, hold)
  await enqueueListForOwner(tx, order, what, isGood ? 'ends' : 'problems', at)
}

export const isClosed = async (tx: Queries, { purchaseId }: Pick<Order, 'purchaseId'>): Promise<boolean> =>
  (await tx.purchases.byId(purchaseId))?.closedAt != null

/**
 * How the orders of a purchase have ended. `isAll`: everything was delivered. `isOnlyReported`: only a callback
 * reported how some orders ended. `owed`: the orders whose refund is missing.
 */
const endsOf = async (
  tx: Queries,
  purchaseId: string,
): Promise<{ isAll: boolean; isOnlyReported: boolean; owed: Order[] }> => {
  const orders = await tx.orders.ofPurchase(purchaseId)
  const { total, delivered } = progressOf(orders)
  const owed = orders.filter((order) => owedRefund(order) > (order.refundedPesewas ?? 0))
  return { isAll: delivered === total, isOnlyReported: orders.some(isUnfinished), owed }
}

/** A person's settings for news in a chat. A private chat has the same id as its person; groups have no settings. */
interface Wishes {
  notify: NotifyLevel
  quietUntil: Date | null
  /** Whether any setting differs from the default. */
  hasAny: boolean
}

const wishesOf = async (tx: Queries, chatId: number, at: Date): Promise<Wishes> => {
  const preferences = await tx.preferences.of(chatId)
  const until = quietUntil(preferences, at)
  const { notify } = preferences
  return { notify, quietUntil: until, hasAny: until !== null || notify !== 'final' }
}

interface StatusNews {
  status: string
  reported: boolean
  /** The status contradicts one that was announced before. */
  contradicts: boolean
}

interface StatusNewsToAll extends StatusNews {
  followers: readonly Pick<Follow, 'chatId'>[]
}

/**
 * Enqueues news of a status for followers and, if `aloud`, for the person who ordered. Each gets it according to their
 * settings.
 */
export const enqueueStatusNews = async (
  tx: Queries,
  order: Order,
  { followers, ...news }: StatusNewsToAll,
  aloud: boolean,
  now: Date,
): Promise<void> => {
  const { status, reported } = news
  const notBefore = reported ? new Date(now.getTime() + confirmationMs) : null
  if (aloud) {
    const notice = announcementOf(order.id, { about: 'status', ...news })
    const isSentNow = await enqueueStatus(tx, order.chatId, news, { notice, notBefore }, now)
    if (isSentNow && isTerminal(status) && !order.listed) await tx.purchases.bare(order.purchaseId)
    await enqueueForOwner(tx, order, { about: 'status', ...news }, now, notBefore)
  }
  const content = { kind: 'follow_announce', orderId: order.id, status, reported } as const
  for (const { chatId } of followers) {
    const notice = { ...content, subject: announcementSubject(order.id) }
    await enqueueStatus(tx, chatId, news, { notice, notBefore }, now)
  }
}

/**
 * Enqueues the message about a status, if the chat's settings ask for one.
 * @returns whether it is sent without waiting for the end of quiet hours.
 */
const enqueueStatus = async (
  tx: Queries,
  chatId: number,
  { status, contradicts }: StatusNews,
  { notice, notBefore }: { notice: NoticeContent; notBefore: Date | null },
  now: Date,
): Promise<boolean> => {
  const isProgress = !isTerminal(status) && !contradicts
  const canWait = isProgress || (status === 'delivered' && !contradicts)
  const { notify, quietUntil } = await wishesOf(tx, chatId, now)
  if (isProgress && notify !== 'each') return false
  if (canWait && notify === 'failures') return false
  if (!canWait) await tx.notices.awaken(chatId, notice.subject)
  const until = canWait ? quietUntil : null
  await tx.notices.enqueue(chatId, notice, now, notBefore, until)
  return until === null
}
