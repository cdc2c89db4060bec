import { fitsRecordButTime, isReferenceOf } from '../../domain/debits/matching.ts'
import {
  type Announcement,
  announcementSubject,
  listNotice,
  type NoticeContent,
} from '../../domain/notice.ts'
import { acceptedBy, chargeOf, isOtherCharge, isRedacted, type Order } from '../../domain/order/order.ts'
import { provable } from '../../domain/order/placement.ts'
import { isTerminal } from '../../domain/order/status.ts'
import type { OrderStatus } from '../../provider/index.ts'
import { minus, type Pesewas, zero } from '../../provider/money.ts'
import type { PatchTo } from '../../store/orders/order-placing.ts'
import type { Queries } from '../../store/store.ts'
import { noteCharge } from '../../wallets/low-balance.ts'
import { redrawDrafts } from '../buying/draft-redraw.ts'
import { enqueueNews } from '../following/order-news.ts'
import { enqueueForOwner } from '../following/owner-news.ts'
import { releaseRest } from '../listing/sequence.ts'
import { claimantOf, isContested } from './claimants.ts'

/**
 * Decides which order a reference belongs to. The order's own answer is proof, and so is a callback about the order
 * that the status record confirms. Proof beats inference from a debit: a wrongly inferred reference moves to its true
 * order in one transaction, and the order that held it is reconciled again.
 */

/** The part of a status record that shows whose order it is. */
export const recordOf = (record: OrderStatus) => ({
  network: record.network,
  volume: record.volume,
  phone: record.phone,
  quantity: record.totalQuantity,
  phones: record.recipients?.map(({ phone }) => phone) ?? null,
  placedAtMs: record.placedAt?.getTime() ?? null,
})

/**
 * The accounts that a transaction must name to adopt the reference for this order. An order of another account, which
 * is the same wallet with an older key, may hold it. If an order takes the reference in between, the database refuses
 * the second write, and its transaction runs again.
 */
export const accountsFor = async (
  { orders }: Pick<Queries, 'orders'>,
  { accountId }: Order,
  reference: string,
): Promise<string[]> => {
  const holding = await orders.accountHolding(reference)
  return holding === null ? [accountId] : [accountId, holding]
}

/** Why a reference is thought to be this order's. */
interface Grounds {
  by: 'proof' | 'inference'
  /** The wallet's key is used outside the bot too, so an inferred reference may be somebody else's. */
  isLikely?: boolean
  /** The amount of the debit in the wallet; null if no debit was read. */
  chargedPesewas: Pesewas | null
}

/**
 * Adopts a reference for this order if its status record fits and no order has a better claim. The order's people are
 * told.
 * @returns whether it was adopted.
 */
export const adopt = async (
  tx: Queries,
  order: Order,
  record: OrderStatus,
  { by, isLikely = false, chargedPesewas }: Grounds,
  at: Date,
): Promise<boolean> => {
  if (!isReferenceOf(order.kind, record.reference)) return false
  // A callback about this order names the reference. A redacted order has no number to compare, so that is enough.
  const isNumberKnown = !(by === 'proof' && isRedacted(order))
  const evidence = { ...recordOf(record), ...(!isNumberKnown && { phone: null, phones: null }) }
  if (!fitsRecordButTime(claimantOf(order), evidence) || isTooEarly(order, evidence.placedAtMs)) return false
  const { reference } = record
  const holder = await tx.orders.byReference(reference)
  const way = by === 'proof' ? await freeReference(tx, order, { reference, holder }, at) : freeWay(holder)
  if (!way) return false
  // A final status is left to the poll that follows at once: it announces the status and does what follows from it.
  const status = isTerminal(record.status) ? 'processing' : record.status
  const charged = chargedPesewas ?? way.chargedPesewas ?? chargeIn(order, record)
  const acceptedQuantity = record.totalQuantity ?? acceptedBy(order, charged)
  const patch = {
    reference: record.reference,
    inferred: by === 'inference',
    status,
    statusAt: at,
    statusReported: false,
    reason: by === 'inference' && (isLikely || isContested(order)) ? ('likely' as const) : null,
    chargedPesewas: charged,
    acceptedQuantity,
    placedAt: record.placedAt ?? order.sentAt ?? at,
    answeredAt: at,
    reconcileAt: null,
    nextPollAt: at,
    callbackAt: null,
  }
  if (!(await tx.orders.prove(order.id, patch, at))) return false
  if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, status, at)
  await releaseRest(tx, order)
  await tx.statusReports.reopen(order.id, record.reference)
  const inPart = acceptedQuantity < order.quantity ? [{ about: 'accepted_in_part' } as const] : []
  const isOther = isOtherCharge(order, charged, acceptedQuantity)
  await noteCharge(tx, order.accountId, charged ?? chargeOf(order), at)
  await redrawDrafts(tx, order.accountId, at)
  const news = await newsOfProof(tx, order, { ...way, by }, at)
  await enqueueNews(tx, order, at, news, ...(isOther ? [{ about: 'other_price' } as const] : []), ...inPart)
  return true
}

/**
 * The charge in a status record. The `price` of a bulk order may be that of one number (API §4.4 does not say), so only
 * its total counts.
 */
const chargeIn = ({ kind }: Order, { totalPricePesewas, pricePesewas }: OrderStatus): Pesewas | null =>
  totalPricePesewas ?? (kind === 'single' ? pricePesewas : null)

/** Whether the record is from before the send. An inferred reference has passed a closer check of the times already. */
const isTooEarly = (order: Order, placedAtMs: number | null): boolean =>
  placedAtMs !== null && placedAtMs < claimantOf(order).suspectFromMs

/** What was known of a reference, and of its true order, before the order got it. */
interface FreedReference {
  /** The reference that the order held by inference until now. */
  instead: string | null
  /** The charge under the freed reference, if an order knew it. */
  chargedPesewas: Pesewas | null
}

/** What people are told when an order's reference is found after all. */
export const newsOfProof = async (
  tx: Queries,
  order: Order,
  { instead, by }: FreedReference & Pick<Grounds, 'by'>,
  at: Date,
): Promise<Announcement> => {
  if (instead !== null) return { about: 'other_reference', reference: instead }
  if (!(await isDoubtUntold(tx, order, at))) return { about: 'proof' }
  for (const subject of subjectsOf(order)) await tx.notices.release(subject)
  // An inferred reference is not certain, so it is told.
  if (by === 'inference') return { about: 'proof' }
  await enqueueForOwner(tx, order, { about: 'placed' }, at)
  return { about: 'proof', isUntold: true }
}

const subjectsOf = ({ id, listed, purchaseId }: Order): string[] => [
  announcementSubject(id),
  ...(listed ? [listNotice(purchaseId, 'held').subject] : []),
]

/**
 * Whether the news of the doubt still waits for its time. Then it will be left out (`isOutdated`). News whose time has
 * come may be on its way.
 */
const isDoubtUntold = async (tx: Queries, order: Order, at: Date): Promise<boolean> => {
  if (order.placement !== 'unconfirmed') return false
  const owed = await Promise.all(
    subjectsOf(order).map((subject) => tx.notices.waiting(order.chatId, subject, at)),
  )
  return owed.flat().some(isNewsOfDoubt)
}

const isNewsOfDoubt = (notice: NoticeContent): boolean =>
  notice.kind === 'list'
    ? notice.what === 'held'
    : notice.kind === 'announce' && notice.what.about === 'placement' && notice.what.while === 'unconfirmed'

const freeWay = (holder: Order | null): FreedReference | null =>
  holder === null ? { instead: null, chargedPesewas: null } : null

/**
 * Frees a reference that is proven to be this order's. An order that only inferred it loses it, and this order loses
 * any other reference that it inferred.
 * @param holder the order that holds the reference; null: none does.
 * @returns null if this order's reference or the holder's is proven too; then nothing changes.
 */
export const freeReference = async (
  tx: Queries,
  order: Order,
  { reference, holder }: { reference: string; holder: Order | null },
  at: Date,
): Promise<FreedReference | null> => {
  const isOpenToProof = order.placement === 'placed' ? order.inferred : provable.includes(order.placement)
  if (!isOpenToProof || holder?.id === order.id || holder?.inferred === false) return null
  if (holder) await takeReferenceBack(tx, holder, reference, at)
  if (order.placement === 'placed') await giveUp(tx, order, at)
  return { instead: order.reference, chargedPesewas: holder?.chargedPesewas ?? null }
}

/** Takes an inferred reference from the order because it is proven to be another's, and tells the order's people. */
export const takeReferenceBack = async (
  tx: Queries,
  order: Order,
  reference: string,
  at: Date,
): Promise<void> => {
  await giveUp(tx, order, at)
  await enqueueNews(tx, order, at, { about: 'mistaken', reference })
  await enqueueForFollowers(tx, order, at)
}

/** Whether a newer record of the order's reference still fits the order: the provider may complete a record later. */
export const isStillOwn = (order: Order, record: OrderStatus): boolean =>
  !order.inferred || isRedacted(order) || fitsRecordButTime(claimantOf(order), recordOf(record))

/**
 * Removes the order's inferred reference. Everything known under it was another order's, so the outcome is unknown
 * again and the wallet is read at once.
 */
const giveUp = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  const { id, accountId, reference } = order
  const patch: PatchTo<'unconfirmed'> = {
    reference: null,
    inferred: false,
    reason: 'mistaken',
    status: null,
    statusReported: false,
    statusAt: null,
    announcedStatus: null,
    callbackAt: null,
    chargedPesewas: null,
    acceptedQuantity: null,
    balancePesewas: null,
    placedAt: null,
    answeredAt: null,
    deliveredAt: null,
    deliverySeconds: null,
    polls: 0,
    // Held callbacks about the order may name its true reference.
    nextPollAt: at,
    reconcileAt: at,
    refundAt: null,
    refundedPesewas: null,
    extraPesewas: null,
    extraAt: null,
  }
  const guard = { id, inferredReference: reference ?? '' }
  if (!(await tx.orders.go(guard, 'unconfirmed', patch, at))) {
    throw new Error(`The order ${id} has changed while its reference was taken back.`)
  }
  await tx.orders.patchRecipients(id, null, null, at)
  await noteCharge(tx, accountId, minus(zero, chargeOf(order)), at)
}

const enqueueForFollowers = async (tx: Queries, { id }: Order, at: Date): Promise<void> => {
  for (const { chatId } of await tx.chats.followers(id)) {
    await tx.notices.enqueue(chatId, { kind: 'follow_card', subject: `follow:${id}`, orderId: id }, at)
    const subject = announcementSubject(id)
    await tx.notices.enqueue(chatId, { kind: 'follow_mistaken', subject, orderId: id }, at)
  }
}
