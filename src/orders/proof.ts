import type { OrderStatus } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { announcementSubject } from '../relay/notice.ts'
import type { OrderPatch } from '../store/orders.ts'
import type { Queries } from '../store/store.ts'
import { suspectedBeforeMs } from './evidence.ts'
import { type Claimant, fitsRecordButTime, isReferenceOf } from './matching.ts'
import { acceptedBy, isOtherCharge, isReduced, type Order } from './order.ts'
import { provable } from './placement.ts'
import { measuredToleranceMs, unmeasuredToleranceMs } from './settling.ts'
import { isTerminal } from './status.ts'
import { tell } from './telling.ts'
import { releaseRest } from './turn.ts'

/**
 * Whose a reference is. Proof, that is the order's own late answer or a callback on its own token checked by the
 * status record, beats inference from a debit: what was inferred wrongly moves to its owner in one transaction,
 * and who held it is settled again.
 */

/** A debit of a POST stands at its second or later; the provider writes whole ones, and so does its `Date`. */
const grainMs = 1_500

/** The answer was a 409: an order for the number stood already when this one was sent, or this one came twice. */
export const isContested = ({
  placement,
  reason,
  providerType,
}: Pick<Order, 'placement' | 'reason' | 'providerType'>): boolean =>
  placement === 'rejected' ? reason === 'pending' : providerType !== null

/**
 * The order as something that may claim a debit of its wallet.
 *
 * @param offsets how far the provider's clock is from ours (ms), as its records tell beside what was known when the
 * order was sent. Where they disagree, the time in question spans all.
 */
export const claimantOf = (order: Order, offsets: readonly number[] = []): Claimant => {
  const known = order.clockOffsetMs === null ? offsets : [order.clockOffsetMs, ...offsets]
  const toleranceMs = known.length === 0 ? unmeasuredToleranceMs : measuredToleranceMs
  const sentAt = (order.sentAt ?? order.createdAt).getTime()
  const sentMs = sentAt + Math.min(...(known.length === 0 ? [0] : known))
  return {
    orderId: order.id,
    sending: order.placement === 'sending',
    kind: order.kind,
    network: order.network,
    volume: order.volume,
    phones: order.recipients.map(({ phone }) => phone),
    unitPricePesewas: order.unitPricePesewas,
    // What stood before a send that was answered with 409 is what that was about.
    notBeforeMs: sentMs - (isContested(order) && known.length > 0 ? grainMs : toleranceMs),
    suspectFromMs: sentMs - toleranceMs - suspectedBeforeMs,
  }
}

/** What a status record says that matters for whose it is. */
export const recordOf = (record: OrderStatus) => ({
  network: record.network,
  volume: record.volume,
  phone: record.phone,
  quantity: record.totalQuantity,
  phones: record.recipients?.map(({ phone }) => phone) ?? null,
  placedAtMs: record.placedAt?.getTime() ?? null,
})

/** Why a reference is taken for this order's. */
interface Grounds {
  by: 'proof' | 'inference'
  /** Others use the wallet's key: what is inferred may be theirs. */
  isLikely?: boolean
  /** What the debit in the wallet says; null where none was looked at. */
  chargedPesewas: Pesewas | null
}

/**
 * Takes a reference as this order's, if its status record fits and nobody has a better claim to it. Always said in
 * a new message.
 * @returns whether it was taken.
 */
export const adopt = async (
  tx: Queries,
  order: Order,
  record: OrderStatus,
  { by, isLikely = false, chargedPesewas }: Grounds,
  at: Date,
): Promise<boolean> => {
  if (!isReferenceOf(order.kind, record.reference)) return false
  // On its own token a callback names it: of a reduced order that has to do without the number.
  const isNumberKnown = !(by === 'proof' && isReduced(order))
  const evidence = { ...recordOf(record), ...(!isNumberKnown && { phone: null, phones: null }) }
  if (!fitsRecordButTime(claimantOf(order), evidence) || isTooEarly(order, evidence.placedAtMs)) return false
  const way = by === 'proof' ? await makeWay(tx, order, record.reference, at) : await freeWay(tx, record)
  if (!way) return false
  // An end is left to the poll that follows at once: it says so in a message and does what an end entails.
  const status = isTerminal(record.status) ? 'processing' : record.status
  const charged = chargedPesewas ?? way.chargedPesewas ?? chargeIn(order, record)
  const acceptedQuantity = record.totalQuantity ?? acceptedBy(order, charged)
  const patch = {
    reference: record.reference,
    inferred: by === 'inference',
    status,
    statusAt: at,
    statusReported: false,
    reason: by === 'inference' && (isLikely || isContested(order)) ? 'likely' : null,
    chargedPesewas: charged,
    acceptedQuantity,
    placedAt: record.placedAt ?? order.sentAt ?? at,
    settleAt: null,
    nextPollAt: at,
    callbackAt: null,
  }
  if (!(await tx.orders.prove(order.id, patch, at))) return false
  if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, status, at)
  await releaseRest(tx, order)
  await tx.events.release(order.id, record.reference)
  const inPart = acceptedQuantity < order.quantity ? [{ about: 'accepted_in_part' } as const] : []
  const isOther = isOtherCharge(order, charged, acceptedQuantity)
  await tell(tx, order, at, proofOf(way), ...(isOther ? [{ about: 'other_price' } as const] : []), ...inPart)
  return true
}

/** The `price` of a bulk order's record may be that of one number (API §4.4 shows none): only its total is a charge. */
const chargeIn = ({ kind }: Order, { totalPricePesewas, pricePesewas }: OrderStatus): Pesewas | null =>
  totalPricePesewas ?? (kind === 'single' ? pricePesewas : null)

/** Whoever infers has looked at the time more closely. */
const isTooEarly = (order: Order, placedAtMs: number | null): boolean =>
  placedAtMs !== null && placedAtMs < claimantOf(order).suspectFromMs

/** How a reference came to be free for the order it belongs to. */
interface Way {
  /** The reference that the order itself held until now, by inference. */
  instead: string | null
  /** What was charged for it, as far as it is known already. */
  chargedPesewas: Pesewas | null
}

/** What is said of an order whose reference is proven after all. */
export const proofOf = ({ instead }: Way) =>
  instead === null
    ? ({ about: 'proof' } as const)
    : ({ about: 'other_reference', reference: instead } as const)

const freeWay = async (tx: Queries, { reference }: OrderStatus): Promise<Way | null> =>
  (await tx.orders.byReference(reference)) === null ? { instead: null, chargedPesewas: null } : null

/**
 * Makes way for a reference that is proven to be this order's: who holds it by inference gives it up, and so does
 * the order another one that it holds by inference.
 * @returns null where proof stands against proof: the reference, or the order, stays with what it has.
 */
export const makeWay = async (
  tx: Queries,
  order: Order,
  reference: string,
  at: Date,
): Promise<Way | null> => {
  const isOpenToProof = order.placement === 'placed' ? order.inferred : provable.includes(order.placement)
  const holder = await tx.orders.byReference(reference)
  if (!isOpenToProof || holder?.id === order.id || holder?.inferred === false) return null
  if (holder) await renounce(tx, holder, reference, at)
  if (order.placement === 'placed') await giveUp(tx, order, at)
  return { instead: order.reference, chargedPesewas: holder?.chargedPesewas ?? null }
}

/** A reference that was inferred is proven to be somebody else's: the order gives it up, and its people are told. */
export const renounce = async (tx: Queries, order: Order, reference: string, at: Date): Promise<void> => {
  await giveUp(tx, order, at)
  await tell(tx, order, at, { about: 'mistaken', reference })
  await tellFollowers(tx, order, at)
}

/** Whether the record of the order's own reference may still be its: the provider may name more of it later. */
export const isStillOwn = (order: Order, record: OrderStatus): boolean =>
  !order.inferred || isReduced(order) || fitsRecordButTime(claimantOf(order), recordOf(record))

/** All that was known of the order was another's: nobody knows any more, and the wallet is read at once. */
const giveUp = async (tx: Queries, { id, reference }: Order, at: Date): Promise<void> => {
  const patch: OrderPatch = {
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
    deliveredAt: null,
    deliverySeconds: null,
    polls: 0,
    // Callbacks on its own token that were held may name what is truly its own.
    nextPollAt: at,
    settleAt: at,
    refundAt: null,
    refundedPesewas: null,
  }
  const guard = { id, inferredReference: reference ?? '' }
  if (!(await tx.orders.go(guard, 'unconfirmed', patch, at))) {
    throw new Error(`The order ${id} has changed while its reference was taken back.`)
  }
  await tx.orders.patchRecipients(id, null, null, at)
}

const tellFollowers = async (tx: Queries, { id }: Order, at: Date): Promise<void> => {
  for (const { chatId } of await tx.chats.followers(id)) {
    await tx.notices.owe(chatId, { kind: 'follow_card', subject: `follow:${id}`, orderId: id }, at)
    const subject = announcementSubject(id)
    await tx.notices.owe(chatId, { kind: 'follow_mistaken', subject, orderId: id }, at)
  }
}
