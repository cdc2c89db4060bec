import { fitsRecordButTime, isReferenceOf } from '../../domain/debits/matching.ts'
import {
  type Announcement,
  announcementSubject,
  listSubject,
  type NoticeContent,
} from '../../domain/notice.ts'
import { acceptedBy, chargeOf, isOtherCharge, isRedacted, type Order } from '../../domain/order/order.ts'
import { provable } from '../../domain/order/placement.ts'
import { isTerminal } from '../../domain/order/status.ts'
import { latestSend, nextWatch } from '../../domain/times/reconciling-schedule.ts'
import type { OrderStatus } from '../../provider/index.ts'
import { minus, type Pesewas, zero } from '../../provider/money.ts'
import { isErased } from '../../store/accounts/accounts.ts'
import type { PatchTo } from '../../store/orders/order-placing.ts'
import type { Queries } from '../../store/store.ts'
import { noteCharge } from '../../wallets/low-balance.ts'
import { redrawDrafts } from '../buying/draft-redraw.ts'
import { enqueueNews } from '../following/order-news.ts'
import { enqueueForOwner } from '../following/owner-news.ts'
import { releaseRest } from '../listing/sequence.ts'
import { claimantOf, isContested } from './claimants.ts'
import { lookEndsMs } from './refunds.ts'

/**
 * Decides which order a reference belongs to. The answer to the order's own POST is proof, and so is a callback about
 * the order if the provider's record confirms it. Proof beats inference from a debit: a wrongly inferred reference
 * moves to its true order in one transaction, and the order that had it is reconciled again.
 */

/** The parts of the provider's record that show which order it is about. */
export const recordOf = (record: OrderStatus) => ({
  network: record.network,
  volume: record.volume,
  phone: record.phone,
  quantity: record.totalQuantity,
  phones: record.recipients?.map(({ phone }) => phone) ?? null,
  placedAtMs: record.placedAt?.getTime() ?? null,
})

/**
 * The accounts that a transaction must name to adopt the reference for this order: its own account and, if an order of
 * another account holds the reference, that account (the same wallet, connected with an older key). If an order takes
 * the reference in between, the database refuses the second write, and its transaction runs again.
 */
export const accountsFor = async (
  { orders }: Pick<Queries, 'orders'>,
  { accountId, reference: own }: Order,
  reference: string,
): Promise<string[]> => {
  if (own === reference) return [accountId]
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
 * Adopts a reference for this order if the provider's record of it fits and no other order has a better claim. The
 * people concerned are told.
 * @returns false if it was not adopted.
 */
export const adoptReference = async (
  tx: Queries,
  order: Order,
  record: OrderStatus,
  { by, isLikely = false, chargedPesewas }: Grounds,
  at: Date,
): Promise<boolean> => {
  if (!mayBeAbout(order, record, by)) return false
  const { reference } = record
  const holder = await tx.orders.byReference(reference)
  const way = by === 'proof' ? await freeReference(tx, order, { reference, holder }, at) : freeWay(holder)
  if (!way) return false
  // A final status is left to the poll that follows immediately, because the poll announces it and does everything that
  // a final status requires.
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
    // An inferred debit may be somebody else's, and the order's own may come later.
    reconcileAt: by === 'inference' ? nextWatch(latestSend(order), at) : null,
    nextPollAt: at,
    callbackAt: null,
    ...(by === 'proof' && chargedPesewas === null && lookForSecondCharge(at)),
  }
  if (!(await tx.orders.prove(order.id, patch, at))) return false
  if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, status, at)
  await releaseRest(tx, order)
  await tx.statusReports.reopen(order.id, record.reference)
  const inPart = acceptedQuantity < order.quantity ? [{ about: 'accepted_in_part' } as const] : []
  const isOther = isOtherCharge(order, charged, acceptedQuantity)
  await noteCharge(tx, order.accountId, charged ?? chargeOf(order), at)
  await redrawDrafts(tx, order.accountId, at)
  const news = await newsOfProof(tx, order, way, at)
  await enqueueNews(
    tx,
    order,
    at,
    ...news,
    ...(isOther ? [{ about: 'other_price' } as const] : []),
    ...inPart,
  )
  return true
}

/**
 * The balance in the answer would have shown a second charge, but the answer was lost. So the wallet is read once, at a
 * time when all debits of the order have appeared there. In `lookOn`, this `extraAt` ends the search after that read.
 */
const lookForSecondCharge = (at: Date) => ({ refundAt: new Date(at.getTime() + lookEndsMs), extraAt: at })

/**
 * The charge in the provider's record. The `price` of a bulk order may be the price of one number (API §4.4 does not
 * say), so only its total counts.
 */
const chargeIn = ({ kind }: Order, { totalPricePesewas, pricePesewas }: OrderStatus): Pesewas | null =>
  totalPricePesewas ?? (kind === 'single' ? pricePesewas : null)

/**
 * Whether the provider's record may be about this order. The numbers of a redacted order are removed, so they are not
 * compared if a callback named the reference. For an inferred reference, the times were already compared, more
 * strictly.
 */
export const mayBeAbout = (order: Order, record: OrderStatus, by: Grounds['by']): boolean => {
  const isNumberKnown = !(by === 'proof' && isRedacted(order))
  const evidence = { ...recordOf(record), ...(!isNumberKnown && { phone: null, phones: null }) }
  const claimant = claimantOf(order)
  const isTooEarly = evidence.placedAtMs !== null && evidence.placedAtMs < claimant.suspectFromMs
  return isReferenceOf(order.kind, record.reference) && fitsRecordButTime(claimant, evidence) && !isTooEarly
}

/** What was known before a reference moved to this order, from both orders concerned. */
interface FreedReference {
  /** The other reference that this order had inferred until now; null if there was none. */
  instead: string | null
  /** The charge that the previous holder knew for the freed reference; null if unknown. */
  chargedPesewas: Pesewas | null
}

/**
 * The news that an order's reference was found after all. There is none if only the outcome was unknown and the message
 * that said so can be edited, or was never sent.
 */
export const newsOfProof = async (
  tx: Queries,
  order: Order,
  { instead }: FreedReference,
  at: Date,
): Promise<Announcement[]> => {
  if (instead !== null) return [{ about: 'other_reference', reference: instead }]
  // The messages of an erased account cannot be edited later.
  const isErasedNow = isErased(await tx.accounts.byId(order.accountId))
  if (order.placement !== 'unconfirmed' || isErasedNow) return [{ about: 'proof' }]
  if (await isDoubtUntold(tx, order, at)) {
    for (const subject of subjectsOf(order)) await tx.notices.release(subject)
    await enqueueForOwner(tx, order, { about: 'placed' }, at)
    return []
  }
  // If the process crashed right after it sent the message, the message was not stored, so it cannot be edited.
  const standing = await tx.warnings.standing(order.purchaseId)
  const isKept = standing.some(({ chatId, orderId }) => chatId === order.chatId && orderId === order.id)
  return isKept ? [] : [{ about: 'proof' }]
}

const subjectsOf = ({ id, listed, purchaseId }: Order): string[] => [
  announcementSubject(id),
  ...(listed ? [listSubject(purchaseId)] : []),
]

/**
 * Whether the news that the outcome is unknown is still held back. If so, it will never be sent (`isOutdated`). News
 * that is due already may be on its way to the chat.
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
 * Frees a reference that is proven to be this order's. If another order had only inferred the reference, that order
 * loses it. If this order had inferred another one, it loses that.
 * @param holder the order that holds the reference; null if no order does.
 * @returns null, without any change, if the order accepts no proof or already holds the reference, or if the reference
 * is proven to be the holder's.
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

/**
 * Takes an inferred reference away from the order because it is proven to be another's, and tells the order's people.
 */
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

/** Whether a newer version of the reference's record still fits the order. The provider may complete a record later. */
export const isStillOwn = (order: Order, record: OrderStatus): boolean =>
  !order.inferred || isRedacted(order) || fitsRecordButTime(claimantOf(order), recordOf(record))

/**
 * Removes the order's inferred reference. Everything known through it was about another order, so the outcome is
 * unknown again and a read of the wallet is due immediately.
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
    // Callbacks that wait for the order's reference may name its true one.
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
