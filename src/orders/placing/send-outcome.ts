import { crashPoint } from '../../base/crash-point.ts'
import { wait } from '../../base/wait.ts'
import type { Announcement } from '../../domain/notice.ts'
import {
  acceptedBy,
  isOtherCharge,
  type Order,
  ownChargeOf,
  phonesOf,
  totalPesewas,
} from '../../domain/order/order.ts'
import type { PlacementStep } from '../../domain/order/placement.ts'
import { phonesIn } from '../../domain/order/refused.ts'
import { isTerminal } from '../../domain/order/status.ts'
import { callbacksSeenLately, nextPoll } from '../../domain/times/polling-schedule.ts'
import { nextReconciling } from '../../domain/times/reconciling-schedule.ts'
import type { Phone } from '../../provider/index.ts'
import { type Pesewas, plus, zero } from '../../provider/money.ts'
import { type Account, isErased } from '../../store/accounts/accounts.ts'
import type { PatchTo } from '../../store/orders/order-placing.ts'
import type { AnsweredOrder } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'
import { type KnownWallet, noteBalance, noteCharge } from '../../wallets/low-balance.ts'
import { accept, suspect } from '../../wallets/refused-credentials.ts'
import { redrawDrafts } from '../buying/draft-redraw.ts'
import { enqueueAnnouncement, enqueueNews } from '../following/order-news.ts'
import { enqueueForOwner } from '../following/owner-news.ts'
import { holdsUp, holdUpRest, releaseRest } from '../listing/sequence.ts'
import { accountsFor, freeReference, newsOfProof, takeReferenceBack } from '../reconciling/proof.ts'
import { keepSecond } from '../reconciling/second-reference.ts'
import type { PlacerOptions } from './placer-options.ts'
import type { SendLease } from './sending.ts'

type PlacedStep = Extract<PlacementStep, { to: 'placed' }>

/**
 * How many times the commit of a POST's outcome is tried. If all fail, the order becomes `unconfirmed` when its lease
 * ends. An answer with a reference counts even after the lease has ended, so its commit is tried until the process
 * stops.
 */
const commitTries = 5
const maxCommitAgainMs = 2_000

/** Commits the outcome of a send, then calls the listeners, and asks the provider for more if needed. */
export const commitAnswer = async (
  options: PlacerOptions,
  order: Order,
  lease: SendLease,
  answer: PlacementStep,
  stopping: AbortSignal,
): Promise<void> => {
  let step = answer
  for (let tries = 1; ; tries += 1) {
    try {
      step = await commit(options, order, lease, answer)
      crashPoint('answer_committed')
      break
    } catch (error) {
      options.log.error(
        { orderId: order.id, err: error, tries },
        'the outcome of an order could not be committed',
      )
      const isProof = answer.to === 'placed'
      if (isProof ? stopping.aborted : tries === commitTries) return
      await (options.sleep ?? wait)(Math.min(200 * tries, maxCommitAgainMs))
    }
  }
  options.onNotice()
  if (step.to === 'placed' || step.to === 'unconfirmed') options.onPlaced()
  if (step.to === 'rejected' || step.to === 'not_placed' || order.listed) options.onEnded()
  if (isOtherThanListed(order, step)) options.prices.forget(order.accountId)
  await learnMore(options, order, step)
}

/**
 * Whether the answer shows that the price list in memory is outdated: the charge differs from the confirmed price, or
 * the bundle is gone.
 */
const isOtherThanListed = (order: Order, step: PlacementStep): boolean =>
  step.to === 'placed'
    ? isOtherCharge(order, step.chargedPesewas, acceptedOf(order, step))
    : step.to === 'rejected' && step.reason === 'not_found'

/**
 * Writes the outcome of a send and its notices in one transaction.
 * @returns the step that was taken. It is `unconfirmed` in place of the answer's own step if the answer's reference is
 * proven to be another order's, or if a 409 may be about this very POST.
 */
const commit = async (
  options: PlacerOptions,
  order: Order,
  lease: SendLease,
  answer: PlacementStep,
): Promise<PlacementStep> => {
  const accounts =
    answer.to === 'placed' ? await accountsFor(options.store, order, answer.reference) : [order.accountId]
  const { step, isSecond } = await options.store.transaction(
    async (tx) => {
      if (answer.to !== 'placed') {
        const known = await withoutGuess(tx, order, answer)
        await commitUnplaced(tx, order, lease, known, options.now())
        return { step: known, isSecond: false }
      }
      const found = await tx.orders.toAnswer(order, answer.reference)
      const known = { ...found, order: found.order ?? order }
      if (await keepAnswered(tx, known, answer, options.now())) return { step: answer, isSecond: true }
      if (await commitPlaced(tx, known, lease, answer, options.now()))
        return { step: answer, isSecond: false }
      await noteUntaken(tx, order, answer, options.now())
      const taken = { to: 'unconfirmed', reason: referenceTaken } as const
      await commitUnplaced(tx, order, lease, taken, options.now())
      return { step: taken, isSecond: false }
    },
    { accounts },
  )
  if (isSecond)
    options.log.warn({ orderId: order.id }, 'the answer to an order names another reference than is proven')
  if (step.to === 'unconfirmed' && step.reason === referenceTaken) {
    options.log.warn(
      { orderId: order.id },
      'the answer to an order names what is proven to be another order’s',
    )
  }
  return step
}

/** The stored order, and facts to compare with an answer that brings a reference. */
type Known = AnsweredOrder & { order: Order }

const referenceTaken = 'reference_taken'

type Unplaced = Exclude<PlacementStep, PlacedStep>

/**
 * A 409 says that an order for the number is pending. If no order of ours explains that, the pending order may be this
 * one: a proxy may have sent the POST twice. Then the first copy was charged, and this is the answer to the second. So
 * the outcome counts as unknown.
 */
const withoutGuess = async (tx: Queries, order: Order, step: Unplaced): Promise<Unplaced> => {
  if (step.to !== 'rejected' || step.reason !== 'pending') return step
  const phones = phonesOf(order)
  const open = await tx.orders.openFor(order.accountId, phones, order.id)
  const placed = open.filter(({ reference }) => reference !== null)
  // If we know of an open order for each number, those explain the 409. If we know of one for only some, the first copy
  // may have been accepted for the others.
  if (phones.every((phone) => placed.some((other) => phonesOf(other).includes(phone)))) return step
  const named = phonesIn(step.message ?? '', phones)
  // The answer to a second copy would name the order's first number, because the first copy had made it pending.
  if (named.length > 0 && !named.includes(phones[0] as Phone)) return step
  return { to: 'unconfirmed', reason: 'pending', refusal: { type: step.type, message: step.message } }
}

/** The patch for an order that is no longer being sent. */
export const withoutLease = { leaseToken: null, leaseUntil: null }

/**
 * Handles an answer with a reference other than the one that was already proven. Both are kept, and the people
 * concerned are told. If another order had only inferred the second reference, that order loses it.
 * @returns true if the order now has two references.
 */
const keepAnswered = async (
  tx: Queries,
  { order, holder }: Known,
  step: PlacedStep,
  at: Date,
): Promise<boolean> => {
  const { placement, inferred, reference, otherReference } = order
  if (placement !== 'placed' || inferred || reference === null || reference === step.reference) return false
  if (otherReference === step.reference) return true
  // A reference that is proven to belong to another order is not a second reference of this one.
  if (holder && !holder.inferred) return false
  if (holder) await takeReferenceBack(tx, holder, step.reference, at)
  await keepSecond(tx, order, step.reference, at)
  await noteUntaken(tx, order, step, at)
  await noteTold(tx, order, step, at, zero)
  return true
}

/** Records an answer whose reference cannot be the order's own, so that `/admin` shows it. */
const noteUntaken = (
  tx: Queries,
  { id }: Order,
  { reference, status }: PlacedStep,
  at: Date,
): Promise<void> =>
  tx.statusReports.record(
    { orderId: id, source: 'answer', reference, status, happenedAt: null, receivedAt: at },
    'foreign',
  )

/**
 * Writes an answer with a reference. Such an answer is proof: it counts even after the lease has ended, and it takes
 * the reference from an order that only inferred it.
 * @returns false if the reference is proven to be another order's.
 */
const commitPlaced = async (
  tx: Queries,
  { order, account, isBalanceWatched, holder }: Known,
  lease: SendLease,
  step: PlacedStep,
  at: Date,
): Promise<boolean> => {
  const isLast = isErased(account)
  const charged = step.chargedPesewas ?? totalPesewas(order)
  const placed = { ...placedPatch(order, account, step, at), ...withoutLease }
  const patch = { ...placed, ...(isLast && { nextPollAt: null }) }
  if (order.reference === step.reference) {
    const { chargedPesewas, balancePesewas } = step
    const acceptedQuantity = acceptedNow(order, step)
    // The charge that the answer names, plus any extra charge that the wallet has already shown.
    const told = chargedPesewas === null ? null : plus(chargedPesewas, order.extraPesewas ?? zero)
    const known = { inferred: false, reason: null, reconcileAt: null, acceptedQuantity, balancePesewas }
    await tx.orders.patch(order.id, { ...known, ...(told !== null && { chargedPesewas: told }) }, at)
    await noteTold(tx, order, step, at, zero, { account, isBalanceWatched })
    const isOtherPrice = !isChargeKnown(order, step) && isOtherThanListed(order, step)
    const isOtherPart = (acceptedQuantity ?? order.quantity) !== (order.acceptedQuantity ?? order.quantity)
    await enqueueNews(
      tx,
      order,
      at,
      ...(isOtherPrice ? [aboutPrice] : []),
      ...(isOtherPart ? [aboutPart] : []),
    )
    return true
  }
  const way = await freeReference(tx, order, { reference: step.reference, holder }, at)
  if (!way) return false
  const guard = { id: order.id, leaseToken: lease.token, isAlone: !order.listed }
  const isLeased = order.placement === 'sending' && order.leaseToken === lease.token
  const inTime = isLeased && (await tx.orders.go(guard, 'placed', patch, at))
  if (!inTime && !(await tx.orders.prove(order.id, patch, at))) {
    throw new Error(`The order ${order.id} has changed while its answer was written.`)
  }
  await noteTold(tx, order, step, at, charged, { account, isBalanceWatched })
  if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, step.status, at)
  await redrawDrafts(tx, order.accountId, at)
  await releaseRest(tx, order)
  await tx.statusReports.reopen(order.id, step.reference)
  // This transaction has the account to itself, so nobody marks the key as refused in between.
  if (account?.unauthorizedSince) await accept(tx, order.accountId, order.sentAt ?? at, at)
  crashPoint('answer_half_written')
  // An answer that comes after the lease has ended is always announced, so an erased account needs no extra message
  // here.
  const news = inTime
    ? isLast
      ? [{ about: 'placement' } as const]
      : []
    : await newsOfProof(tx, order, way, at)
  await enqueueNews(tx, order, at, ...news, ...otherPrice(order, step))
  if (inTime) await enqueueForOwner(tx, order, { about: 'placed' }, at)
  return true
}

/**
 * Stores the balance that the answer gives. If it gives none, subtracts the charge from the known balance.
 * @param charged the order's cost if it was not known before; otherwise zero.
 * @param known the account, if the transaction has read it already.
 */
const noteTold = async (
  tx: Queries,
  { accountId, sentAt }: Order,
  { balancePesewas }: PlacedStep,
  at: Date,
  charged: Pesewas,
  known: KnownWallet | null = null,
): Promise<void> => {
  if (balancePesewas === null) return charged > 0 ? noteCharge(tx, accountId, charged, at) : undefined
  const heard = { balancePesewas, askedAt: sentAt ?? at, at }
  await noteBalance(tx, accountId, heard, null, known, charged)
}

/**
 * Whether the account was erased while the order was being sent. If so, nothing more can be learned about the order, so
 * its outcome is sent as a message.
 */
export const isLastWord = async (tx: Queries, { accountId }: Order): Promise<boolean> =>
  isErased(await tx.accounts.byId(accountId))

/**
 * The news that an answer was lost is held back for this long, ms, because a callback often brings the outcome right
 * away.
 */
const briefDoubtMs = 1_000

/**
 * The news that the order's outcome is unknown. It is dropped if the outcome becomes known before it is sent, unless
 * nothing more can be learned (`isLast`).
 */
export const unknownOutcome = (isLast: boolean): Announcement =>
  isLast ? { about: 'placement' } : { about: 'placement', while: 'unconfirmed' }

const commitUnplaced = async (
  tx: Queries,
  order: Order,
  lease: SendLease,
  step: Unplaced,
  at: Date,
): Promise<void> => {
  const guard = { id: order.id, leaseToken: lease.token }
  const late = at.getTime() - order.createdAt.getTime() > 20_000
  const isLast = await isLastWord(tx, order)
  switch (step.to) {
    case 'rejected': {
      const ours = step.reason === 'pending' ? await pendingOfOurs(tx, order, at) : null
      const known = { reason: step.reason, providerMessage: step.message, providerType: step.type }
      // The open order that would explain the 409 may have ended without our knowledge. Then the 409 answers the second
      // copy of a POST, and the first copy was charged. So the wallet is watched for this order's debit.
      const watched = step.reason === 'pending' && !isLast && { reconcileAt: at }
      const patch = { ...withoutLease, ...known, waitsForId: ours, ...watched }
      if (!(await tx.orders.go(guard, 'rejected', patch, at))) return
      await tx.orders.wakeWaiting(order.id)
      if (step.reason === 'unauthorized') await suspect(tx, order.accountId, at)
      const isListHeldUp = holdsUp(step) && (await holdUpRest(tx, order, at))
      const aloud = (late || isLast || order.listed) && !isListHeldUp
      await enqueueNews(tx, order, at, ...(aloud ? [{ about: 'placement' } as const] : []))
      if (!aloud && !isListHeldUp) await enqueueForOwner(tx, order, { about: 'placement' }, at)
      return
    }
    case 'queued': {
      const notBefore = new Date(at.getTime() + step.waitMs)
      const attempts = order.attempts + (step.reason === 'unreachable' ? 1 : 0)
      const patch = { ...withoutLease, reason: step.reason, notBefore, attempts, sentAt: null }
      if (!(await tx.orders.go(guard, 'queued', patch, at))) return
      if (step.freezes) await tx.accounts.freeze(order.accountId, notBefore)
      await enqueueNews(tx, order, at)
      return
    }
    case 'not_placed':
    case 'unconfirmed': {
      // A callback that came early may have named the reference already; the poll looks for it.
      const refusal = step.to === 'unconfirmed' ? step.refusal : undefined
      const reconcileAt = refusal ? at : nextReconciling(order.sentAt ?? at, at)
      const followed = { nextPollAt: at, reconcileAt }
      const patch = {
        ...withoutLease,
        reason: step.reason,
        ...(refusal && { providerMessage: refusal.message, providerType: refusal.type }),
        ...(step.to === 'unconfirmed' && step.httpStatus && { answerStatus: step.httpStatus }),
        ...(step.to === 'unconfirmed' && !isLast && followed),
      }
      if (!(await tx.orders.go(guard, step.to, patch, at))) return
      if (step.to === 'not_placed') await tx.orders.wakeWaiting(order.id)
      if (refusal) await readForUnknown(tx, order, at)
      // An order that is pending for one number says nothing about the list's other orders, so they are not held up.
      const isDoubt = step.to === 'unconfirmed' && !isLast
      const notBefore = isDoubt ? new Date(at.getTime() + briefDoubtMs) : null
      const isListHeldUp = !refusal && (await holdUpRest(tx, order, at, notBefore))
      const news = step.to === 'unconfirmed' ? unknownOutcome(isLast) : ({ about: 'placement' } as const)
      await enqueueNews(tx, order, at)
      if (!isListHeldUp) await enqueueAnnouncement(tx, order, news, at, notBefore)
    }
  }
}

const placedPatch = (
  order: Order,
  account: Account | null,
  step: PlacedStep,
  at: Date,
): PatchTo<'placed'> => {
  const callbacksSeen = callbacksSeenLately(account, at)
  return {
    reason: null,
    reference: step.reference,
    status: step.status,
    statusReported: false,
    statusAt: at,
    chargedPesewas: step.chargedPesewas,
    acceptedQuantity: acceptedOf(order, step),
    balancePesewas: step.balancePesewas,
    placedAt: step.placedAt ?? at,
    answeredAt: at,
    waitsForId: null,
    reconcileAt: null,
    nextPollAt: isTerminal(step.status) ? at : nextPoll(at, at, callbacksSeen),
  }
}

/** Whether the person already knows this charge from the time when the reference was inferred from a debit. */
const isChargeKnown = (order: Order, step: PlacedStep): boolean =>
  step.chargedPesewas === null || step.chargedPesewas === ownChargeOf(order)

const aboutPrice = { about: 'other_price' } as const
const aboutPart = { about: 'accepted_in_part' } as const

const otherPrice = (order: Order, step: PlacedStep) => [
  ...(isOtherThanListed(order, step) ? [aboutPrice] : []),
  ...(acceptedOf(order, step) < order.quantity ? [aboutPart] : []),
]

/**
 * How many recipients were accepted, according to an answer that came after the reference was inferred. If the answer's
 * charge fits no number of recipients, the earlier number stays.
 */
const acceptedNow = (order: Order, { acceptedQuantity, chargedPesewas }: PlacedStep): number | null => {
  if (acceptedQuantity !== null) return acceptedQuantity
  const count = acceptedBy(order, chargedPesewas)
  return count < order.quantity || chargedPesewas === totalPesewas(order) ? count : order.acceptedQuantity
}

/**
 * How many recipients the provider accepted, according to the answer or, if it does not say, to the charge. A bulk
 * order may be accepted in part.
 */
const acceptedOf = (order: Order, { acceptedQuantity, chargedPesewas }: PlacedStep): number =>
  acceptedQuantity ?? acceptedBy(order, chargedPesewas)

/** Our open order for these phones that the provider's 409 refers to; null if there is none, or more than one. */
const pendingOfOurs = async (tx: Queries, order: Order, at: Date): Promise<string | null> => {
  await readForUnknown(tx, order, at)
  const open = await tx.orders.openFor(order.accountId, phonesOf(order), order.id)
  const [only, ...others] = open.filter(({ reference }) => reference)
  return others.length === 0 ? (only?.id ?? null) : null
}

/**
 * Plans an immediate read of the wallet if the pending order for these phones may be one of ours with an unknown
 * outcome.
 */
const readForUnknown = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  const phones = phonesOf(order)
  for (const { id, reconcileAt, recipients } of await tx.orders.claimants(order.accountId)) {
    const isAlike = recipients.some(({ phone }) => phones.includes(phone as Phone))
    if (id !== order.id && reconcileAt !== null && isAlike) await tx.orders.patch(id, { reconcileAt: at }, at)
  }
}

/**
 * Asks the provider for more after a refusal: for the balance if it was too low, for a check of the credentials if they
 * were refused.
 */
const learnMore = async (options: PlacerOptions, order: Order, step: PlacementStep): Promise<void> => {
  if (step.to !== 'rejected') return
  if (step.reason === 'unauthorized') await verifyKey(options, order)
  if (step.reason === 'balance') await readBalance(options, order)
}

/** Verifies the credentials, then redraws the card, which says whether they are still refused. */
const verifyKey = async (
  { store, wallets, now, log, onNotice }: PlacerOptions,
  order: Order,
): Promise<void> => {
  try {
    await wallets.verify(order.accountId)
    await store.transaction((tx) => enqueueNews(tx, order, now()), { accounts: [order.accountId] })
    onNotice()
  } catch (error) {
    log.warn({ orderId: order.id, err: error }, 'refused credentials could not be verified')
  }
}

const readBalance = async (options: PlacerOptions, order: Order): Promise<void> => {
  try {
    const askedAt = options.now()
    const { balancePesewas } = await options.wallets.ask(order.accountId, 'person', (provider) =>
      provider.balance(),
    )
    const at = options.now()
    await options.store.transaction(
      async (tx) => {
        await noteBalance(tx, order.accountId, { balancePesewas, askedAt, at })
        await tx.orders.patch(order.id, { balancePesewas }, at)
        await enqueueNews(tx, order, at)
      },
      { accounts: [order.accountId] },
    )
    options.onNotice()
  } catch (error) {
    options.log.info({ orderId: order.id, err: error }, 'the balance could not be read after a refusal')
  }
}
