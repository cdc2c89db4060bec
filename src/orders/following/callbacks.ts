import { isReferenceOf } from '../../domain/debits/matching.ts'
import { isRedacted, type Order, phonesOf, type Recipient } from '../../domain/order/order.ts'
import { provable } from '../../domain/order/placement.ts'
import { haveAllRecipientsEnded } from '../../domain/order/recipient-ends.ts'
import type { StatusReport } from '../../domain/order/status.ts'
import { type IncomingStatus, isTerminal } from '../../domain/order/status.ts'
import type { Phone } from '../../provider/index.ts'
import type { ReportedOrder } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'
import { watchRefund } from '../reconciling/refunds.ts'
import { enqueueListChange, enqueueNews } from './order-news.ts'
import { withPrefetched } from './read-ahead.ts'
import { applyRecipientCallback } from './recipient-reports.ts'
import { applyStatus, type Judgement } from './status-change.ts'

/**
 * The provider reports a bulk order's recipients in many callbacks within seconds. After this time, ms, one poll
 * confirms all of them.
 */
const recipientsConfirmedAfterMs = 10_000

/**
 * The time of an account's last callback is written no more often than this, ms. That is exact enough, because it is
 * only used to check for callbacks within the last day.
 */
const seenEveryMs = 60 * 60_000

/** Data shared by the callbacks of one commit, so that each row is read or written once. */
interface Swarm {
  /** The orders of the callbacks, read together. An entry is removed when its order may have changed. */
  read: Map<string, Order>
  /** Accounts already marked, in this commit, as receiving callbacks. */
  seen: Set<string>
  /** Bulk orders, as the callbacks about their recipients have changed them. */
  orders: Map<string, Order>
  /** When the provider produced the callback that gave a recipient its current status, by order and phone. */
  producedAt: Map<string, Date | null>
  /** The reported statuses of second references (`otherReference`) that this commit has handled already. */
  seconds: Set<string>
}

interface Effect {
  /** Notices or polls are due. */
  changed: boolean
  /** A callback ended an order or a recipient. */
  ended: boolean
  /** Orders to poll immediately, as they were before the callbacks. */
  due: Order[]
}

/** Another process has already applied one of the callbacks, so this commit must be abandoned. */
export class AppliedElsewhere extends Error {
  override name = 'AppliedElsewhere'
}

/**
 * Applies the callbacks of one commit to their orders, and stores the disposition of each.
 * @throws {AppliedElsewhere}
 */
export const applyCallbacks = async (
  queries: Queries,
  reports: StatusReport[],
  now: Date,
): Promise<Effect> => {
  const ids = [...new Set(reports.map(({ orderId }) => orderId))]
  const all = await queries.orders.toReport(ids, now)
  const tx = withPrefetched(queries, all)
  const read = new Map(all.map(({ order }) => [order.id, order]))
  const seen = new Set(all.flatMap((each) => (isSeenLately(each, now) ? each.order.accountId : [])))
  const swarm: Swarm = { read, seen, orders: new Map(), producedAt: new Map(), seconds: new Set() }
  const judged: (Judgement & { report: StatusReport })[] = []
  for (const report of reports) judged.push({ report, ...(await applyStatusReport(tx, report, swarm, now)) })
  for (const order of swarm.orders.values()) {
    await watchRefund(tx, order, now)
    await enqueueNews(tx, order, now)
  }
  for (const [disposition, group] of Map.groupBy(judged, (each) => each.disposition)) {
    const ids = group.map(({ report }) => report.id)
    if (!(await tx.statusReports.setDisposition(ids, disposition, now))) throw new AppliedElsewhere()
  }
  const dueIds = new Set(judged.flatMap(({ isDue, report }) => (isDue ? report.orderId : [])))
  const due = all.flatMap(({ order, mayBeAsked }) => (mayBeAsked && dueIds.has(order.id) ? order : []))
  const ended = judged.some((each) => each.ended)
  const changed =
    ended || judged.some(({ disposition, isTold, isDue }) => disposition === 'applied' || isTold || isDue)
  return { changed, ended, due }
}

const isSeenLately = ({ callbackSeenAt }: ReportedOrder, now: Date): boolean =>
  callbackSeenAt !== null && callbackSeenAt <= now && now.getTime() - callbackSeenAt.getTime() < seenEveryMs

const applyStatusReport = async (
  tx: Queries,
  report: StatusReport,
  swarm: Swarm,
  now: Date,
): Promise<Judgement> => {
  const { read, seen, orders } = swarm
  const known = orders.get(report.orderId)
  if (known && !namesAnother(report, known)) {
    const phone = recipientOf(report, known)
    if (phone && !known.inferred) return applyToRecipient(tx, known, report, { phone, ...swarm }, now)
  }
  const order = read.get(report.orderId) ?? (await tx.orders.byId(report.orderId))
  read.delete(report.orderId)
  if (!order) {
    // The order was erased, or is missing because the database was restored from an older copy. In both cases, the
    // callback's phone number is erased too.
    await tx.statusReports.eraseContent(report.id)
    return { disposition: 'foreign', ended: false }
  }
  // The order's phone number was removed, so a callback must not bring it back. Its status still counts.
  if (isRedacted(order)) await tx.statusReports.eraseContent(report.id)
  if (!seen.has(order.accountId)) await tx.accounts.sawCallback(order.accountId, report.receivedAt)
  seen.add(order.accountId)
  if (order.placement === 'sending' || order.placement === 'queued')
    return { disposition: 'unmatched', ended: false }
  if (provable.includes(order.placement)) {
    // Nothing proves yet that the order exists. The poll looks up the reference that the callback names, and its record
    // decides.
    await tx.orders.patch(order.id, { nextPollAt: now, callbackAt: report.receivedAt }, now)
    return { disposition: 'unmatched', ended: false, isDue: true }
  }
  if (order.placement === 'placed' && order.inferred && isReferenceOf(order.kind, report.reference)) {
    // A callback that names the order's inferred reference proves that reference. If it names another one, that may be
    // the true reference, and the poll looks up its record to decide.
    if (report.reference !== order.reference) {
      await tx.orders.patch(order.id, { nextPollAt: now }, now)
      return { disposition: 'unmatched', ended: false, isDue: true }
    }
    await tx.orders.patch(order.id, { inferred: false, reason: null, reconcileAt: null }, now)
  }
  if (isAboutSecond(report, order)) return enqueueSecondStatus(tx, order, report, swarm, now)
  if (namesAnother(report, order)) {
    if (await isKnownForeign(tx, report)) return { disposition: 'foreign', ended: false }
    // It may be a second charge for the order. The poll looks it up, and its record decides.
    await tx.orders.patch(order.id, { nextPollAt: now }, now)
    return { disposition: 'unmatched', ended: false }
  }
  const recipient = order.kind === 'bulk' ? recipientOf(report, order) : null
  if (order.placement === 'placed' && recipient) {
    return applyToRecipient(tx, order, report, { phone: recipient, ...swarm }, now)
  }
  if (order.placement !== 'placed' || !isAbout(report, order)) return { disposition: 'foreign', ended: false }
  orders.delete(order.id)
  const incoming: IncomingStatus = { source: 'callback', status: report.status, at: report.receivedAt }
  return applyStatus(tx, order, incoming, report.happenedAt, now)
}

/**
 * Whether a callback is about the order's second reference. A callback that names a phone number of a bulk order is
 * about that number, whatever its reference.
 */
const isAboutSecond = ({ reference, phone }: StatusReport, order: Order): boolean =>
  order.placement === 'placed' &&
  reference === order.otherReference &&
  (phone === null || (order.kind === 'single' && mayBeFor(phone, order)))

/** Whether a callback to the address of a proven order names a reference that the order does not have. */
const namesAnother = ({ reference, phone }: StatusReport, order: Order): boolean =>
  order.placement === 'placed' &&
  !order.inferred &&
  reference !== order.reference &&
  reference !== order.otherReference &&
  isReferenceOf(order.kind, reference) &&
  (phone === null || mayBeFor(phone, order))

/** Whether another order has the reference, or an earlier look-up showed that it is not this order's. */
const isKnownForeign = async (tx: Queries, { orderId, reference }: StatusReport): Promise<boolean> =>
  (await tx.orders.byReference(reference)) !== null ||
  (await judgedReports(tx, orderId)).some((each) => each.reference === reference)

/** The order's callbacks whose reference was judged to be another order's, or the order's second one. */
const judgedReports = async (tx: Queries, orderId: string): Promise<StatusReport[]> => [
  ...(await tx.statusReports.ofOrder(orderId, 'foreign')),
  ...(await tx.statusReports.ofOrder(orderId, 'dismissed')),
]

/** Announces the final status of the second reference, once. No other news of the second reference is announced. */
const enqueueSecondStatus = async (
  tx: Queries,
  order: Order,
  { reference, status }: StatusReport,
  { seconds }: Pick<Swarm, 'seconds'>,
  now: Date,
): Promise<Judgement> => {
  const key = `${order.id} ${reference} ${status}`
  const known = await judgedReports(tx, order.id)
  const isKnown =
    seconds.has(key) ||
    known.some((each) => each.source === 'callback' && each.reference === reference && each.status === status)
  seconds.add(key)
  const isTold = isTerminal(status) && !isKnown
  if (isTold) await enqueueNews(tx, order, now, { about: 'second_status', reference, status })
  return { disposition: 'foreign', ended: false, isTold }
}

const recipientOf = (report: StatusReport, order: Order): Phone | null =>
  phonesOf(order).find((phone) => phone === report.phone) ?? null

/** Applies a bulk order's callback to the recipient that it names, unless its reference belongs to another order. */
const applyToRecipient = async (
  tx: Queries,
  order: Order,
  report: StatusReport,
  { phone, orders, producedAt }: { phone: Phone } & Pick<Swarm, 'orders' | 'producedAt'>,
  now: Date,
): Promise<Judgement> => {
  const isOwn = report.reference === order.reference
  if (!isOwn && (await tx.orders.byReference(report.reference)))
    return { disposition: 'foreign', ended: false }
  const incoming: IncomingStatus = { source: 'callback', status: report.status, at: report.receivedAt }
  const key = `${order.id} ${phone}`
  const isLater = async ({ status }: Recipient): Promise<boolean> => {
    const known = producedAt.has(key)
      ? producedAt.get(key)
      : await tx.statusReports.producedAt(order.id, phone, status ?? '')
    return known != null && report.happenedAt !== null && report.happenedAt > known
  }
  const change = await applyRecipientCallback(tx, order, phone, incoming, { now, isLater })
  if (change.kind === 'same') return { disposition: 'stale', ended: false }
  if (change.kind === 'doubted') {
    await tx.orders.patch(order.id, { nextPollAt: soonConfirmed(order, now) }, now)
    return { disposition: 'stale', ended: false }
  }
  producedAt.set(key, report.happenedAt)
  const isTold = { status: change.status, statusAt: now, reported: change.confirm }
  const recipients = order.recipients.map((each) => (each.phone === phone ? { ...each, ...isTold } : each))
  const told = { ...order, recipients }
  const nextPollAt = change.confirm
    ? haveAllRecipientsEnded(told)
      ? now
      : soonConfirmed(order, now)
    : order.nextPollAt
  if (nextPollAt?.getTime() !== order.nextPollAt?.getTime())
    await tx.orders.patch(order.id, { nextPollAt }, now)
  orders.set(order.id, { ...told, nextPollAt })
  await enqueueListChange(tx, order, recipients, now)
  const ended = isTerminal(change.status)
  if (ended) await tx.orders.wakeWaiting(order.id)
  return { disposition: 'applied', ended }
}

const soonConfirmed = ({ nextPollAt }: Order, now: Date): Date => {
  const soon = new Date(now.getTime() + recipientsConfirmedAfterMs)
  return nextPollAt && nextPollAt < soon ? nextPollAt : soon
}

const isAbout = (report: StatusReport, order: Order): boolean =>
  report.reference === order.reference && (report.phone === null || mayBeFor(report.phone, order))

/**
 * Whether the phone may belong to the order. A redacted order has no phones to compare. Then the answer is yes for a
 * single order, and no for a bulk order, where nobody can tell which recipient is meant.
 */
const mayBeFor = (phone: string, order: Order): boolean =>
  isRedacted(order) ? order.kind === 'single' : order.recipients.some((each) => each.phone === phone)
