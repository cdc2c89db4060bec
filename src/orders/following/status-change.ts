import { announcementSubject } from '../../domain/notice.ts'
import { deliverySecondsOf } from '../../domain/order/delivery-time.ts'
import type { Order } from '../../domain/order/order.ts'
import {
  contradictsRecipients,
  haveAllRecipientsEnded,
  isFailure,
  owedRefund,
} from '../../domain/order/recipient-ends.ts'
import {
  type IncomingStatus,
  isTerminal,
  type KnownStatus,
  mergeStatus,
  rankOf,
} from '../../domain/order/status.ts'
import {
  callbacksSeenLately,
  confirmAgainMs,
  isLongReported,
  nextPoll,
  pollAgainAtLatestMs,
} from '../../domain/times/polling-schedule.ts'
import { nextRefundCheck } from '../../domain/times/reconciling-schedule.ts'
import type { Follow } from '../../store/chats/chats.ts'
import type { Disposition } from '../../store/orders/status-reports.ts'
import type { Queries } from '../../store/store.ts'
import { closeIfDone, enqueueNews, enqueueReportedCard, enqueueStatusNews, isClosed } from './order-news.ts'

export interface Judgement {
  disposition: Disposition
  /** The report ended the order or one of its recipients. */
  ended: boolean
  /** News is sent although the order did not change. */
  isTold?: boolean
  /** The provider has to be asked about the order immediately. */
  isDue?: boolean
}

/**
 * The order's known status. A time in the future means that the clock was set back since, so that status counts as
 * older than any report.
 */
const knownOf = (order: Order, now: Date): KnownStatus => {
  const past = (at: Date | null): Date | null => (at && at <= now ? at : null)
  return {
    status: order.status,
    reported: order.statusReported,
    since: past(order.statusAt),
    newestCallbackAt: past(order.callbackAt),
  }
}

/** Merges a status report into a placed order, and writes everything that follows from it. */
export const applyStatus = async (
  tx: Queries,
  order: Order,
  incoming: IncomingStatus,
  deliveredAt: Date | null,
  now: Date,
): Promise<Judgement> => {
  const merge = mergeStatus(knownOf(order, now), incoming)
  if (merge.kind !== 'same' && incoming.source === 'poll') await note(tx, order, incoming, deliveredAt, now)
  const callbackSeen = incoming.source === 'callback' ? { callbackSeenAt: incoming.at } : null
  const callbackAt = incoming.source === 'callback' ? { callbackAt: incoming.at } : {}
  switch (merge.kind) {
    case 'same': {
      const nextPollAt = merge.again
        ? confirmAt(order, incoming, now)
        : await regularPoll(tx, order, now, callbackSeen)
      const polls = order.polls + (incoming.source === 'poll' ? 1 : 0)
      const ended = nextPollAt === null && !isTerminal(order.status) && !haveAllRecipientsEnded(order)
      const patch = { ...(isNews(incoming, order) && callbackAt), nextPollAt, polls }
      if (ended || !isAsIn(order, patch)) {
        await tx.orders.patch(order.id, { ...patch, ...(ended && { reason: 'stale' }) }, now)
      }
      await redrawUnconfirmed(tx, order, now)
      if (ended) await enqueueStale(tx, order, now)
      else if (order.listed) await closeIfDone(tx, order, now)
      return { disposition: 'stale', ended }
    }
    case 'confirmed': {
      await tx.orders.patch(
        order.id,
        { statusReported: false, nextPollAt: null, polls: 0, ...refundWatch(order, order.status, now) },
        now,
      )
      await tx.notices.release(announcementSubject(order.id))
      await redraw(tx, order, now)
      return { disposition: 'applied', ended: isTerminal(order.status) }
    }
    case 'changed': {
      const { status, reported, contradicts } = merge
      const terminal = isTerminal(status)
      const announce = contradicts || !terminal || order.announcedStatus !== status
      const nextPollAt = reported
        ? now
        : terminal
          ? null
          : await regularPoll(tx, { ...order, status }, now, callbackSeen)
      const ended = nextPollAt === null && !terminal && !haveAllRecipientsEnded({ ...order, status })
      await tx.orders.patch(
        order.id,
        {
          ...callbackAt,
          status,
          statusReported: reported,
          statusAt: now,
          reason: ended ? 'stale' : order.inferred ? order.reason : null,
          polls: 0,
          nextPollAt,
          ...(!reported && refundWatch(order, status, now)),
          ...(status === 'delivered' && {
            deliveredAt: deliveredAt ?? now,
            deliverySeconds: deliverySecondsOf(order, deliveredAt, now),
          }),
          ...(announce && (terminal || contradicts) && { announcedStatus: status }),
        },
        now,
      )
      if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, status, now)
      if (terminal) await tx.orders.wakeWaiting(order.id)
      const isOther = contradicts || (!reported && contradictsRecipients(order, status))
      // `isAloud` has to be read before the redraw, because the redraw may close the list.
      const aloud = isOther || (await isAloud(tx, order))
      const followers = await redraw(tx, order, now, reported)
      const news = { status, reported, contradicts: isOther, followers }
      if (announce) await enqueueStatusNews(tx, order, news, aloud, now)
      if (ended) await enqueueStale(tx, order, now)
      return { disposition: 'applied', ended: terminal || ended, isDue: reported }
    }
  }
}

/**
 * Whether the person gets a message about the news. A list gets one closing message instead of one for each order. News
 * after the closing message is sent, unless people were already told how each number ended.
 */
const isAloud = async (tx: Queries, order: Order): Promise<boolean> => {
  if (!order.listed) return true
  const isEachKnown = order.kind === 'bulk' && haveAllRecipientsEnded(order)
  return !isEachKnown && isClosed(tx, order)
}

/** Adds a status from the provider's record to the order's history. Callbacks are in the history already. */
const note = (
  tx: Queries,
  { id, reference }: Order,
  { status }: IncomingStatus,
  happenedAt: Date | null,
  now: Date,
): Promise<void> =>
  tx.statusReports.record({
    orderId: id,
    source: 'poll',
    reference: reference ?? '',
    status,
    happenedAt,
    receivedAt: now,
  })

/**
 * Redraws the card if the provider's record should have confirmed a reported status by now, unless an earlier poll has
 * already redrawn it.
 */
export const redrawUnconfirmed = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  const pollBefore = (order.nextPollAt?.getTime() ?? 0) - pollAgainAtLatestMs
  if (isLongReported(order, now) && !isLongReported(order, new Date(pollBefore))) await redraw(tx, order, now)
}

/**
 * Redraws the card and announces that the order is no longer followed. If a person refreshes the order later, only the
 * card is redrawn.
 */
export const enqueueStale = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await redraw(tx, order, now)
  if (order.reason === 'stale') return
  await tx.orders.wakeWaiting(order.id)
  await enqueueNews(tx, order, now, { about: 'stale' })
}

/** Whether the patch changes nothing. Most callbacks only repeat a known status. */
const isAsIn = (order: Order, patch: Partial<Pick<Order, 'callbackAt' | 'nextPollAt' | 'polls'>>): boolean =>
  patch.callbackAt === undefined &&
  patch.polls === order.polls &&
  patch.nextPollAt?.getTime() === order.nextPollAt?.getTime()

/** Whether a callback brings a new status. If it does not, the answer of a poll in progress stays valid. */
const isNews = (incoming: IncomingStatus, order: Order): boolean =>
  incoming.status !== order.status && rankOf(incoming.status) >= rankOf(order.status ?? '')

/**
 * When the provider is asked next to confirm a reported status: immediately after the first callback, then less and
 * less often. Further callbacks do not speed this up, because each would cost a request.
 */
const confirmAt = (order: Order, incoming: IncomingStatus, now: Date): Date => {
  if (incoming.source !== 'callback') return new Date(now.getTime() + confirmAgainMs(order.polls))
  return (order.statusReported && order.nextPollAt) || now
}

/**
 * The patch that starts to watch for the refund of a failed or cancelled order, or ends the watch if no refund is due
 * or all of it was seen.
 */
const refundWatch = (order: Order, status: string | null, now: Date): { refundAt?: Date | null } => {
  // After a charge beyond the price, the wallet is watched whatever the order's status is.
  if (status === null || (order.extraAt !== null && !isFailure(status))) return {}
  const owed = isFailure(status) ? owedRefund({ ...order, status, statusReported: false }) : 0
  return { refundAt: owed > (order.refundedPesewas ?? 0) ? nextRefundCheck(now, now) : null }
}

/**
 * When the order is polled next if no callback comes; null for never.
 * @param callbackSeen the account's newest callback, if one is being applied.
 */
export const regularPoll = async (
  tx: Queries,
  order: Order,
  now: Date,
  callbackSeen: { callbackSeenAt: Date } | null = null,
): Promise<Date | null> => {
  // A callback does not put off a poll that is due, because the poll may have to look up another reference.
  if (callbackSeen && order.nextPollAt && order.nextPollAt <= now) return order.nextPollAt
  if (isTerminal(order.status) && !order.statusReported) return null
  const lately = callbacksSeenLately(callbackSeen ?? (await tx.accounts.byId(order.accountId)), now)
  // Counted from our own times, because the provider's clock may be minutes off.
  return nextPoll(order.answeredAt ?? order.sentAt ?? order.createdAt, now, lately)
}

/** Redraws the order's card, for the person and for followers. @returns the followers. */
const redraw = async (tx: Queries, order: Order, now: Date, reported = false): Promise<readonly Follow[]> => {
  await (reported ? enqueueReportedCard : enqueueNews)(tx, order, now)
  const followers = await tx.chats.followers(order.id)
  for (const { chatId } of followers) {
    await tx.notices.enqueue(
      chatId,
      { kind: 'follow_card', subject: `follow:${order.id}`, orderId: order.id },
      now,
    )
  }
  return followers
}
