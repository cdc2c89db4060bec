import type { Evidence } from '../../domain/debits/evidence.ts'
import type { Debit } from '../../domain/debits/matching.ts'
import { isReferenceOf } from '../../domain/debits/matching.ts'
import type { Pairing } from '../../domain/debits/pairing.ts'
import type { DoubtedDebit, DoubtedOrder } from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import {
  debitsShowWithinMs,
  latestSend,
  nextReconciling,
  nextWatch,
  reconcilingEndsMs,
  restAfterRead,
} from '../../domain/times/reconciling-schedule.ts'
import type { OrderStatus } from '../../provider/index.ts'
import type { Queries } from '../../store/store.ts'
import type { WalletEntries } from '../../wallets/wallet-reading.ts'
import { enqueueNews } from '../following/order-news.ts'
import { writeOvercharge } from './charge-watch.ts'
import { adoptReference } from './proof.ts'

/** What a read of the wallet says about one order with an unknown outcome. */
export interface Findings {
  pairing: Pairing
  /** The debits that may be this order's. */
  candidates: Debit[]
  /** What a debit proves about this order. */
  judge: (debit: Debit) => Evidence
  /** Other orders that one of the candidates may belong to. */
  rivals: Order[]
  /** One of the candidates may also belong to an order that is being sent, or that the read did not reach. */
  isRivalSending: boolean
  /** The read went back far enough to contain every entry that may be this order's. */
  isReached: boolean
  /** The wallet's key is used outside the bot too. */
  isShared: boolean
  /** The wallet was read for this order, perhaps among others. */
  wasWanted: boolean
  /** The read went back as far as planned. */
  isWhole: boolean
  read: WalletEntries
  records: ReadonlyMap<Debit, OrderStatus>
}

/** Applies the findings about an order, and enqueues the news. @returns true if the order's outcome is now known. */
export const applyFindings = async (
  tx: Queries,
  seen: Order,
  findings: Findings,
  at: Date,
): Promise<boolean> => {
  const order = await tx.orders.byId(seen.id)
  // If a callback has proven the order in the meantime, or its account was erased, the debits no longer matter for it.
  if (order?.placement !== seen.placement || order.reconcileAt === null) return false
  const { pairing, candidates, isRivalSending, isReached, isShared, judge, read, records } = findings
  const debit = pairing.pairs.find(({ orderId }) => orderId === order.id)?.debit
  const record = debit && records.get(debit)
  if (record) {
    const chargedPesewas = debit.amountPesewas
    const by = judge(debit).kind === 'proven' ? 'proof' : 'inference'
    if (await adoptReference(tx, order, record, { by, isLikely: isShared, chargedPesewas }, at)) {
      await writeOvercharge(tx, order.id, read.charges.get(record.reference) ?? [], at)
      return true
    }
  }
  const sentAt = latestSend(order)
  if (sentAt > at) {
    // The order's send time is in the future, because the clock was set back since. All waits count from now instead.
    const rebased = { ...order, leaseUntil: at }
    await tx.orders.patch(order.id, { leaseUntil: at, reconcileAt: nextRead(rebased, at) }, at)
    return false
  }
  // If the clock was set back during the read, the read seems to have begun in the future, so its age is unknown.
  const age = read.beganAt > at ? 0 : read.beganAt.getTime() - sentAt.getTime()
  const isWithout = pairing.without.includes(order.id) && isReached
  // A callback about this order has named a reference that the look-up may not know yet.
  const isHinted = isWithout && (await isNamedBy(tx, order))
  const isDenied = isWithout && !isHinted
  if (order.placement === 'unconfirmed' && isDenied && age >= debitsShowWithinMs) {
    const patch = { reason: 'no_debit' as const, reconcileAt: nextWatch(sentAt, at), nextPollAt: null }
    if (!(await tx.orders.go({ id: order.id }, 'not_placed', patch, at))) return false
    await tx.orders.wakeWaiting(order.id)
    await enqueueNews(tx, order, at, { about: 'placement' })
    return true
  }
  const isOpen = isHinted || pairing.doubtful.includes(order.id)
  const isDoubtful = order.placement === 'unconfirmed' && isOpen
  if (isDoubtful && !isRivalSending && age >= reconcilingEndsMs) {
    const isProvable = candidates.some((each) => judge(each).kind === 'adoptable')
    const reason = isProvable ? 'ambiguous' : isHinted ? 'hinted' : 'unexplained'
    if (await tx.orders.go({ id: order.id }, 'review', { reason, reconcileAt: nextWatch(sentAt, at) }, at)) {
      const doubts = isHinted ? [] : await newDoubts(tx, order, findings, at)
      await enqueueNews(tx, order, at, { about: 'placement', while: 'review' }, ...doubts)
    }
    return false
  }
  if (!isReached) {
    await fellShort(tx, order, findings, at)
    return false
  }
  await tx.orders.patch(order.id, { reconcileAt: nextRead(order, at, read) }, at)
  if (order.placement === 'unconfirmed') return false
  const doubts = await newDoubts(tx, order, findings, at)
  if (doubts.length === 0) return false
  if (order.placement === 'not_placed') await tx.orders.patch(order.id, { reason: 'late_doubt' }, at)
  await enqueueNews(tx, order, at, ...doubts)
  return false
}

/** The news of debits that may be the order's. Each debit is recorded, so that it is announced only once. */
const newDoubts = async (tx: Queries, { id }: Order, findings: Findings, at: Date): Promise<Doubt[]> => {
  const told = new Set((await tx.statusReports.ofOrder(id, 'doubted')).map(({ reference }) => reference))
  const fresh = findings.candidates.filter((debit) => !told.has(nameOf(debit)))
  for (const debit of fresh) {
    const happenedAt = debit.createdAtMs === null ? null : new Date(debit.createdAtMs)
    const seen = { reference: nameOf(debit), status: 'debit', happenedAt, receivedAt: at }
    await tx.statusReports.record({ orderId: id, source: 'poll', ...seen }, 'doubted')
  }
  return fresh.length > 0 ? [doubtOf({ ...findings, candidates: fresh })] : []
}

const nameOf = ({ reference, amountPesewas, createdAtMs }: Debit): string =>
  reference ?? `#${amountPesewas}/${createdAtMs}`

type Doubt = ReturnType<typeof doubtOf>

const isNamedBy = async (tx: Queries, { id, kind }: Order): Promise<boolean> =>
  (await tx.statusReports.ofOrder(id, 'unmatched')).some(({ reference }) => isReferenceOf(kind, reference))

/**
 * Plans the next read of the wallet if this one did not go back as far as the order. If it showed a debit that may be
 * the order's, the next read is due immediately.
 */
const fellShort = async (
  tx: Queries,
  order: Order,
  { candidates, wasWanted, isWhole, read }: Findings,
  at: Date,
): Promise<void> => {
  if (wasWanted) await proveNothing(tx, order, nextRead(order, at, read), at)
  else if (isWhole && candidates.length > 0) await tx.orders.patch(order.id, { reconcileAt: at }, at)
}

/**
 * Plans the next read after one that proves nothing. If the outcome should be known by now, the card says why it is
 * not.
 */
export const proveNothing = async (
  tx: Queries,
  order: Order,
  reconcileAt: Date | null,
  at: Date,
): Promise<void> => {
  const overdue = at.getTime() - latestSend(order).getTime() >= debitsShowWithinMs
  const reason = overdue && order.placement === 'unconfirmed' ? 'history_unreadable' : order.reason
  await tx.orders.patch(order.id, { reconcileAt, reason }, at)
  if (reason !== order.reason) await enqueueNews(tx, order, at)
}

/** The most debits and the most other orders that a message names. */
const maxDoubted = 10

/** The news of debits that may be the order's, with the other orders that they may belong to. */
const doubtOf = ({ candidates, rivals, isShared }: Findings) =>
  ({
    about: 'doubt',
    debits: candidates.slice(0, maxDoubted).map(
      ({ reference, amountPesewas, description, createdAtMs }): DoubtedDebit => ({
        reference,
        amountPesewas,
        atMs: createdAtMs,
        ...(reference === null && { description }),
      }),
    ),
    more: Math.max(0, candidates.length - maxDoubted),
    others: rivals.slice(0, maxDoubted).map(
      ({ network, volume, quantity, sentAt, createdAt }): DoubtedOrder => ({
        network,
        volume,
        quantity,
        sentAtMs: (sentAt ?? createdAt).getTime(),
      }),
    ),
    isShared,
  }) as const

/**
 * When the wallet is read next for the order; null for never.
 * @param read the read that has just finished. If it took many requests, the next one is delayed.
 */
export const nextRead = (order: Order, at: Date, read: WalletEntries | null = null): Date | null => {
  const sentAt = latestSend(order)
  if (order.placement !== 'unconfirmed') return nextWatch(sentAt, at)
  const next = nextReconciling(sentAt, at)
  return read === null || read.isUnfinished ? next : restAfterRead(read.requests, sentAt, at, next)
}
