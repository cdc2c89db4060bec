import { chargeOf, type Order } from '../../domain/order/order.ts'
import {
  awaitedRefund,
  confirmedByRefund,
  failedAt,
  isFailure,
  owedRefund,
} from '../../domain/order/recipient-ends.ts'
import { debitsShowWithinMs, nextRefundCheck } from '../../domain/times/reconciling-schedule.ts'
import type { Transaction } from '../../provider/index.ts'
import { type Pesewas, zero } from '../../provider/money.ts'
import type { Queries, Store } from '../../store/store.ts'
import { endLook } from '../../wallets/low-balance.ts'
import { entryKey } from '../../wallets/wallet-history.ts'
import { sumsByReference } from '../../wallets/wallet-reading.ts'
import { enqueueNews } from '../following/order-news.ts'

/**
 * Refunds of failed orders and recipients. The wallet is read for a day to find them. After that, a read for another
 * purpose may still show one.
 */

/** The sum of a wallet's credits (refunds) for each reference of an order. */
export type Credits = ReadonlyMap<string, Pesewas>

/** Starts to look for the order's refund if more is due than was seen so far. */
export const watchRefund = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  if (order.refundAt !== null || owedRefund(order) <= (order.refundedPesewas ?? 0)) return
  await tx.orders.patch(order.id, { refundAt: nextRefundCheck(failedAt(order), now) }, now)
}

/** Whether a refund is due that has not been seen in full. */
export const isOwed = (order: Order): boolean =>
  order.placement === 'placed' && owedOf(order) > (order.refundedPesewas ?? 0)

const owedOf = (order: Order): Pesewas =>
  order.kind === 'bulk' || !isFailure(order.status) ? owedRefund(order) : chargeOf(order)

/**
 * Stores what a wallet shows of one order's refund. The person is told of each further refund, and if the rest was not
 * refunded within a day.
 * @param refunded the sum of all credits in this read. If it is lower than in an earlier read, the earlier sum stays.
 * @param wholeSince the time after which all credits were read. If the order is older than that, some of its credits
 * may be missing, so only a refund of the full amount counts.
 */
export const applyRefund = async (
  tx: Queries,
  { id }: Pick<Order, 'id'>,
  refunded: Pesewas,
  at: Date,
  wholeSince: Date | null = always,
): Promise<void> => {
  // The order is read again, because another process may have stored the same refund already.
  const order = await tx.orders.byId(id)
  if (order?.placement !== 'placed') return
  const isWhole = wholeSince !== null && order.createdAt >= wholeSince
  if (!isWhole && refunded < awaitedRefund(order)) return
  const isMore = refunded > (order.refundedPesewas ?? 0)
  if (!isMore && order.extraAt !== null && !isOwed(order)) return lookOn(tx, order, order.extraAt, at)
  const owed = order.kind === 'bulk' ? owedRefund(order) : awaitedRefund(order)
  // The order did not fail after all, so no refund is due.
  if (!isMore && owed === zero) return tx.orders.patch(id, { refundAt: null }, at)
  const next = refunded >= owed ? null : nextRefundCheck(failedAt(order), at)
  const refundAt = order.refundAt && next
  if (!isMore && order.refundAt === null) return
  await tx.orders.patch(id, { refundAt, ...(isMore && { refundedPesewas: refunded }) }, at)
  for (const { phone, status } of confirmedByRefund(order, refunded)) {
    await tx.orders.patchRecipients(id, [phone], status, at)
  }
  const isTold = isToldBack(order) && refunded <= chargeOf(order)
  const refundedPesewas = isMore ? refunded : (order.refundedPesewas ?? zero)
  if (!isTold && (isMore || refundAt === null))
    await enqueueNews(tx, order, at, { about: 'refund', refundedPesewas })
}

/** How long, ms, the wallet is searched for a charge beyond an order's price. */
export const lookEndsMs = debitsShowWithinMs

/**
 * Plans the next read that searches for a charge beyond the order's price, or ends the search. No refund is due at this
 * point.
 */
const lookOn = async (tx: Queries, { id, accountId }: Order, since: Date, at: Date): Promise<void> => {
  const next = nextRefundCheck(since, at)
  const isOver = next === null || next.getTime() - since.getTime() > lookEndsMs
  await tx.orders.patch(id, isOver ? { refundAt: null, extraAt: null } : { refundAt: next }, at)
  if (isOver) await endLook(tx, accountId)
}

/** Whether the provider's record says `refunded`. The order's people have then been told already. */
const isToldBack = ({ status, statusReported }: Order): boolean => status === 'refunded' && !statusReported

const always = new Date(0)

/**
 * Announces a refund under an order's second reference. The order's own status belongs to its first reference, so it
 * does not change.
 */
const applySecondRefund: typeof applyRefund = async (tx, { id }, refunded, at, wholeSince = always) => {
  const order = await tx.orders.byId(id)
  if (order?.placement !== 'placed' || order.otherReference === null) return
  const isWhole = wholeSince !== null && order.createdAt >= wholeSince
  if (!isWhole && refunded < chargeOf(order)) return
  const { otherReference: reference } = order
  const told = (await tx.statusReports.ofOrder(id, 'doubted')).filter((each) => each.reference === reference)
  if (told.some(({ status }) => Number(status.replace(creditOf, '')) >= refunded)) return
  const seen = { orderId: id, source: 'poll', reference, happenedAt: null, receivedAt: at } as const
  await tx.statusReports.record({ ...seen, status: `${creditOf}${refunded}` }, 'doubted')
  await enqueueNews(tx, order, at, { about: 'second_refund', reference, refundedPesewas: refunded })
}

/** How an announced credit is stored as a status: this prefix, then the amount in pesewas. */
const creditOf = 'credit '

/**
 * Stores the refunds among entries of an account's wallet, whatever the entries were read for.
 * @param wholeSince the time after which all entries were read; null: any may be missing.
 */
export const learnRefunds = async (
  { store, now, onNotice }: { store: Store; now: () => Date; onNotice: () => void },
  accountId: string,
  credits: Credits,
  wholeSince: Date | null = always,
): Promise<void> => {
  const more = await store.orders.refundedLess(accountId, credits)
  if (more.length === 0) return
  for (const { id, reference, isSecond } of more) {
    const refund = isSecond ? applySecondRefund : applyRefund
    await store.transaction((tx) => refund(tx, { id }, credits.get(reference) ?? zero, now(), wholeSince), {
      accounts: [accountId],
    })
  }
  onNotice()
}

export const collectCredits = () => {
  const credits = new Map<string, Transaction>()
  return {
    take: (entries: readonly Transaction[]): void => {
      for (const entry of entries) if (entry.type === 'credit') credits.set(entryKey(entry), entry)
    },
    sums: (): Credits => sumsByReference(credits.values()),
  }
}
