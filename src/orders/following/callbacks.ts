import { isReferenceOf } from '../../domain/matching.ts'
import { isRedacted, type Order, phonesOf, type Recipient } from '../../domain/order.ts'
import { provable } from '../../domain/placement.ts'
import { isEachEndTold } from '../../domain/recipients.ts'
import type { StatusReport } from '../../domain/status.ts'
import { type IncomingStatus, isTerminal } from '../../domain/status.ts'
import type { Phone } from '../../provider/index.ts'
import type { Queries } from '../../store/store.ts'
import { watchRefund } from '../reconciling/refunds.ts'
import { enqueueListChange, enqueueNews } from './order-news.ts'
import { readAhead } from './read-ahead.ts'
import { applyRecipientCallback } from './recipient-reports.ts'
import { applyStatus, type Judgement } from './status-change.ts'

/** Callbacks about a bulk order's recipients come in swarms; one look at the provider's record serves many. */
const recipientsConfirmedAfterMs = 10_000

/** The rows that callbacks of one commit read or write once for all of them. */
interface Swarm {
  /** Their orders, read together. An entry is dropped when its order may have been written. */
  read: Map<string, Order>
  /** Accounts already marked as receiving callbacks. */
  seen: Set<string>
  /** Bulk orders as left by the callbacks about their recipients. */
  orders: Map<string, Order>
  /** When the callbacks that told a recipient's status were produced, by order and phone. */
  producedAt: Map<string, Date | null>
  /** What was told of orders' second references. */
  seconds: Set<string>
}

interface Effect {
  /** Notices or polls are due. */
  changed: boolean
  /** One of them ended an order. */
  ended: boolean
  /** Orders that the provider is to be asked for at once, as they were before. */
  due: Order[]
}

/** Another process has applied one of the callbacks meanwhile, so that none may be applied in this commit. */
export class AppliedElsewhere extends Error {
  override name = 'AppliedElsewhere'
}

/**
 * Applies callbacks that share a commit to their orders, and keeps the disposition on each.
 * @throws {AppliedElsewhere}
 */
export const applyCallbacks = async (
  queries: Queries,
  reports: StatusReport[],
  now: Date,
): Promise<Effect> => {
  const ids = [...new Set(reports.map(({ orderId }) => orderId))]
  const all = await queries.orders.toReport(ids, now)
  const tx = readAhead(queries, all)
  const read = new Map(all.map(({ order }) => [order.id, order]))
  const swarm: Swarm = { read, seen: new Set(), orders: new Map(), producedAt: new Map(), seconds: new Set() }
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
    ended ||
    judged.some(
      ({ disposition, isTold }) => disposition === 'applied' || disposition === 'unmatched' || isTold,
    )
  return { changed, ended, due }
}

const applyStatusReport = async (
  tx: Queries,
  report: StatusReport,
  swarm: Swarm,
  now: Date,
): Promise<Judgement> => {
  const { read, seen, orders } = swarm
  const known = orders.get(report.orderId)
  if (known) {
    const phone = recipientOf(report, known)
    if (phone && !known.inferred) return applyToRecipient(tx, known, report, { phone, ...swarm }, now)
  }
  const order = read.get(report.orderId) ?? (await tx.orders.byId(report.orderId))
  read.delete(report.orderId)
  if (!order) {
    // Its order was erased, or is unknown to a restored copy, so its number is not kept either.
    await tx.statusReports.eraseContent(report.id)
    return { disposition: 'foreign', ended: false }
  }
  // A removed number must not come back with it. Its status still counts.
  if (isRedacted(order)) await tx.statusReports.eraseContent(report.id)
  if (!seen.has(order.accountId)) await tx.accounts.sawCallback(order.accountId, report.receivedAt)
  seen.add(order.accountId)
  if (order.placement === 'sending') return { disposition: 'unmatched', ended: false }
  if (provable.includes(order.placement)) {
    // The order's outcome is unknown. The provider's record of the reference decides.
    await tx.orders.patch(order.id, { nextPollAt: now, callbackAt: report.receivedAt }, now)
    return { disposition: 'unmatched', ended: false }
  }
  if (order.placement === 'placed' && order.inferred && isReferenceOf(order.kind, report.reference)) {
    // If it names the order's own reference, that is proven. If it names another, that one may be the true one: its
    // record decides.
    if (report.reference !== order.reference) {
      await tx.orders.patch(order.id, { nextPollAt: now }, now)
      return { disposition: 'unmatched', ended: false }
    }
    await tx.orders.patch(order.id, { inferred: false, reason: null }, now)
  }
  if (isAboutSecond(report, order)) return enqueueSecondStatus(tx, order, report, swarm, now)
  const recipient = order.kind === 'bulk' ? recipientOf(report, order) : null
  if (order.placement === 'placed' && recipient) {
    return applyToRecipient(tx, order, report, { phone: recipient, ...swarm }, now)
  }
  if (order.placement !== 'placed' || !isAbout(report, order)) return { disposition: 'foreign', ended: false }
  orders.delete(order.id)
  const incoming: IncomingStatus = { source: 'callback', status: report.status, at: report.receivedAt }
  return applyStatus(tx, order, incoming, report.happenedAt, now)
}

/** A bulk order's callback that names a number is about that number, even with another reference. */
const isAboutSecond = ({ reference, phone }: StatusReport, order: Order): boolean =>
  order.placement === 'placed' &&
  reference === order.otherReference &&
  (phone === null || (order.kind === 'single' && mayBeFor(phone, order)))

/** The first reference is followed. The end of the second is told once and shown in `/admin`. */
const enqueueSecondStatus = async (
  tx: Queries,
  order: Order,
  { reference, status }: StatusReport,
  { seconds }: Pick<Swarm, 'seconds'>,
  now: Date,
): Promise<Judgement> => {
  const key = `${order.id} ${reference} ${status}`
  const known = [
    ...(await tx.statusReports.ofOrder(order.id, 'foreign')),
    ...(await tx.statusReports.ofOrder(order.id, 'dismissed')),
  ]
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

/**
 * On a bulk order's token, a report that names a recipient is about that recipient, unless its reference is another
 * order's.
 */
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
    ? isEachEndTold(told)
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

/** A reduced bulk order has no numbers left, so its record tells whose the status is. */
const mayBeFor = (phone: string, order: Order): boolean =>
  isRedacted(order) ? order.kind === 'single' : order.recipients.some((each) => each.phone === phone)
