import type { Transaction } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Queries, Store } from '../store/store.ts'
import { chargeOf, type Order } from './order.ts'
import { awaitedRefund, confirmedByRefund, failedAt, owedRefund } from './recipients.ts'
import { nextRefundCheck } from './settling.ts'
import { tell } from './telling.ts'

/**
 * The money of what failed. The wallet is read for it for a day (`settling`); what any read shows later is taken too,
 * whoever reads the wallet and why.
 */

/** What came back to a wallet, in pesewas by the reference of its order. */
export type Credits = ReadonlyMap<string, number>

/** Looks for the money from now on, where more is owed than was seen. */
export const watchRefund = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  if (order.refundAt !== null || owedRefund(order) <= (order.refundedPesewas ?? 0)) return
  await tx.orders.patch(order.id, { refundAt: nextRefundCheck(failedAt(order), now) }, now)
}

/** Whether money of it is known to be owed, and was not seen. */
export const isOwed = (order: Order): boolean =>
  order.placement === 'placed' && owedOf(order) > (order.refundedPesewas ?? 0)

const owedOf = (order: Order): number => {
  if (order.kind === 'bulk') return owedRefund(order)
  return order.status === 'failed' || order.status === 'cancelled' ? chargeOf(order) : 0
}

/**
 * What a wallet shows of one order's refund; what is new of it is said, and so is that none came in a day.
 * @param refunded all that was seen of it: a later part of the wallet may show less, and takes nothing back.
 * @param wholeSince nothing that came back since then is missing; of an older order only what covers all of it counts.
 */
export const applyRefund = async (
  tx: Queries,
  { id }: Pick<Order, 'id'>,
  refunded: number,
  at: Date,
  wholeSince: Date | null = always,
): Promise<void> => {
  // Another process may have read the same entries meanwhile, and said so.
  const order = await tx.orders.byId(id)
  if (order?.placement !== 'placed') return
  const isWhole = wholeSince !== null && order.createdAt >= wholeSince
  if (!isWhole && refunded < awaitedRefund(order)) return
  const isMore = refunded > (order.refundedPesewas ?? 0)
  const owed = order.kind === 'bulk' ? owedRefund(order) : chargeOf(order)
  const next = refunded >= owed ? null : nextRefundCheck(failedAt(order), at)
  const refundAt = order.refundAt && next
  if (!isMore && order.refundAt === null) return
  await tx.orders.patch(id, { refundAt, ...(isMore && { refundedPesewas: refunded }) }, at)
  for (const { phone, status } of confirmedByRefund(order, refunded)) {
    await tx.orders.patchRecipients(id, [phone], status, at)
  }
  const isTold = isToldBack(order) && refunded <= chargeOf(order)
  if (!isTold && (isMore || refundAt === null)) await tell(tx, order, at, { about: 'refund' })
}

/** The provider's own record calls it refunded, and its people were told that its charge is back. */
const isToldBack = ({ status, statusReported }: Order): boolean => status === 'refunded' && !statusReported

const always = new Date(0)

/** What came back for an order's second reference is told, and changes nothing of the first, which is followed. */
const applySecondRefund: typeof applyRefund = async (tx, { id }, refunded, at, wholeSince = always) => {
  const order = await tx.orders.byId(id)
  if (order?.placement !== 'placed' || order.otherReference === null) return
  const isWhole = wholeSince !== null && order.createdAt >= wholeSince
  if (!isWhole && refunded < chargeOf(order)) return
  const { otherReference: reference } = order
  const told = (await tx.events.ofOrder(id, 'doubted')).filter((each) => each.reference === reference)
  if (told.some(({ status }) => Number(status.replace(creditOf, '')) >= refunded)) return
  const seen = { orderId: id, source: 'poll', reference, happenedAt: null, receivedAt: at } as const
  await tx.events.note({ ...seen, status: `${creditOf}${refunded}` }, 'doubted')
  await tell(tx, order, at, { about: 'second_refund', reference, refundedPesewas: refunded as Pesewas })
}

/** Before the pesewas, where it is kept that they were told. */
const creditOf = 'credit '

/**
 * Takes what entries of an account's wallet show to have come back, whatever they were read for.
 * @param wholeSince since when all entries were read; null: there may be some missing anywhere between them.
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
    await store.transaction((tx) => refund(tx, { id }, credits.get(reference) ?? 0, now(), wholeSince))
  }
  onNotice()
}

/** The credits of a wallet that is read page by page: an entry that is met again counts once. */
export const collectCredits = () => {
  const credits = new Map<string, { reference: string; amountPesewas: number }>()
  return {
    take: (entries: readonly Transaction[]): void => {
      for (const { id, type, reference, amountPesewas } of entries) {
        if (type === 'credit' && reference !== null) credits.set(String(id), { reference, amountPesewas })
      }
    },
    sums: (): Credits => {
      const sums = new Map<string, number>()
      for (const { reference, amountPesewas } of credits.values()) {
        sums.set(reference, (sums.get(reference) ?? 0) + amountPesewas)
      }
      return sums
    },
  }
}
