import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimRequest } from '../accounts/budget.ts'
import { noteBalance } from '../accounts/low-balance.ts'
import { NoWallet, refuse, type Wallets } from '../accounts/wallets.ts'
import { crashPoint } from '../crash-point.ts'
import { type Bundle, type PlacementOutcome, type Provider, ProviderError } from '../provider/index.ts'
import type { Phone } from '../provider/phone.ts'
import type { Account } from '../store/accounts.ts'
import type { OrderPatch } from '../store/orders.ts'
import type { Queries, Store } from '../store/store.ts'
import { blockersOf } from './blockers.ts'
import { acceptedBy, type Order, type PurchaseRemark, totalPesewas } from './order.ts'
import {
  type AttemptOutcome,
  leaseMs,
  leaseReserveMs,
  type Placed,
  type Step,
  staleConfirmationMs,
  stepAfter,
} from './placement.ts'
import { offerOf, type Prices } from './prices.ts'
import { makeWay, proofOf } from './proof.ts'
import { askAgain } from './purchases.ts'
import { report } from './reporting.ts'
import { askAgainForRest } from './rest.ts'
import { callbacksSeenLatelyMs, nextPoll } from './schedule.ts'
import { nextSettling } from './settling.ts'
import { isTerminal } from './status.ts'
import { tell } from './telling.ts'
import { holdsUp, holdUpRest, isItsTurn, releaseRest } from './turn.ts'

/** Sends what is queued: the only code that POSTs. */
export interface Placer {
  /** Takes up what is due; returns when it has been started, not when it has been answered. */
  round(): Promise<void>
  /**
   * Takes nothing new, and waits for what is under way. What is unanswered after `graceMs` is broken off and
   * committed as `unconfirmed`.
   */
  stop(graceMs: number): Promise<void>
}

export interface PlacerOptions {
  store: Store
  wallets: Wallets
  prices: Prices
  /** The address for callbacks about an order, or null where none can arrive. */
  callbackUrl: (orderId: string) => string | null
  now: () => Date
  /** Milliseconds of a clock that nobody sets. */
  monotonicMs: () => number
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
  newId: () => string
  log: Logger
  /** Told when something is owed to a chat. */
  onNotice: () => void
  /** Told when an order was placed, or may have been: callbacks that came early are looked at. */
  onPlaced: () => void
  /** Told when an order that others wait for came to its end. */
  onEnded: () => void
}

type PlacedStep = Extract<Step, { to: 'placed' }>

interface Lease {
  token: string
  endsAtMs: number
  endsMonotonicMs: number
}

interface Signals {
  /** Nothing new is sent. */
  stopping: AbortSignal
  /** What is unanswered is given up. */
  breakOff: AbortSignal
}

/** How many orders of one account are under way at once. */
const mostPerAccount = 4
const mostAtOnce = 64
const mostRecoveredTogether = 100
/** How soon an order that waits for another is looked at again, should nobody wake it. */
const waitAgainMs = 30_000

export const createPlacer = (options: PlacerOptions): Placer => {
  const { store, now, log } = options
  const underWay = new Map<string, { accountId: string; done: Promise<void> }>()
  const stopping = new AbortController()
  const breakOff = new AbortController()

  const hasRoom = (accountId: string): boolean =>
    underWay.size < mostAtOnce && countOf(accountId) < mostPerAccount

  const countOf = (accountId: string): number =>
    [...underWay.values()].filter((other) => other.accountId === accountId).length

  /** What they have in line keeps nobody else from being seen. */
  const busyAccounts = (): string[] => {
    const accounts = new Set([...underWay.values()].map(({ accountId }) => accountId))
    return [...accounts].filter((accountId) => !hasRoom(accountId))
  }

  const start = (order: Order): void => {
    const done = attempt(options, order, { stopping: stopping.signal, breakOff: breakOff.signal })
      .catch((error: unknown) =>
        log.error({ orderId: order.id, err: error }, 'an order could not be attempted'),
      )
      .finally(() => {
        underWay.delete(order.id)
        options.onNotice()
      })
    underWay.set(order.id, { accountId: order.accountId, done })
  }

  /** What a process left behind when it was interrupted: many in a commit, and all of it before anything is sent. */
  const recover = async (): Promise<void> => {
    for (;;) {
      const left = await store.orders.leaseEnded(now(), mostRecoveredTogether)
      const found = left.filter(({ id }) => !underWay.has(id))
      if (found.length === 0 || !(await recoverEach(found)) || left.length < mostRecoveredTogether) return
    }
  }

  const recoverAll = async (orders: Order[]): Promise<void> => {
    const at = now()
    await store.transaction(async (tx) => {
      for (const order of orders) await interrupt(tx, order, at)
    })
    log.warn(
      { orderIds: orders.map(({ id }) => id) },
      'the outcome of orders is unknown after an interruption',
    )
    options.onNotice()
  }

  /**
   * Together; where that fails each by itself, so that one that cannot be recovered holds up no other.
   * @returns whether all were.
   */
  const recoverEach = async (orders: Order[]): Promise<boolean> => {
    try {
      await recoverAll(orders)
      return true
    } catch (error) {
      log.error({ orderIds: orders.map(({ id }) => id), err: error }, 'orders could not be recovered')
      if (orders.length > 1) for (const order of orders) await recoverEach([order])
      return false
    }
  }

  return {
    round: async () => {
      await recover()
      for (const order of await store.orders.dueToSend(now(), 200, busyAccounts())) {
        if (stopping.signal.aborted) return
        if (!underWay.has(order.id) && hasRoom(order.accountId)) start(order)
      }
    },

    stop: async (graceMs) => {
      stopping.abort()
      const timer = setTimeout(() => breakOff.abort(), graceMs)
      await Promise.all([...underWay.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

const interrupt = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  const followed = { nextPollAt: at, settleAt: nextSettling(order.sentAt ?? at, at) }
  const patch = { reason: 'interrupted', ...released, ...(!(await isLastWord(tx, order)) && followed) }
  if (!(await tx.orders.go({ id: order.id, leaseEndedBefore: at }, 'unconfirmed', patch, at))) return
  const isHeld = await holdUpRest(tx, order, at)
  await tell(tx, order, at, ...(isHeld ? [] : [{ about: 'placement' } as const]))
}

/** One try: everything that may keep the order from being sent, then the lease, the POST and what came of it. */
const attempt = async (options: PlacerOptions, order: Order, signals: Signals): Promise<void> => {
  const { store, now, newId } = options
  const at = now()
  if (isLeft(await store.accounts.byId(order.accountId))) {
    await store.transaction((tx) => endIfLeft(tx, order, at))
    return
  }
  if (at.getTime() - (await confirmedAt(store, order)).getTime() > staleConfirmationMs) {
    await store.transaction((tx) => askAnew(tx, order, { remark: 'waited_long', newId, at }))
    return
  }
  const blockers = await blockersOf(store, order)
  const [blocker] = blockers.values()
  if (blocker && blockers.size === order.recipients.length) return waitFor(options, order, blocker)
  if (blocker) return attemptUnblocked(options, order, blockers, signals)
  if (!(await unlessAborted(signals.stopping, isAsConfirmed(options, order)))) return

  // Before the intent: credentials that cannot be had must not leave an order that may have been sent.
  const provider = await options.wallets.of(order.accountId)
  const lease = await claim(options, order)
  if (!lease) return
  crashPoint('intent_committed')
  const outcome = await post(options, provider, order, lease, signals.breakOff)
  crashPoint('answered')
  await settle(options, order, lease, stepAfter(outcome, order.attempts))
}

/** The account's last owner has left: what is still queued by then is not sent any more. */
const endIfLeft = async (tx: Queries, order: Order, at: Date): Promise<boolean> => {
  if (!isLeft(await tx.accounts.byId(order.accountId))) return false
  if (await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'disconnected' }, at)) {
    await tx.orders.wakeWaiting(order.id)
    await tell(tx, order, at, { about: 'placement' })
  }
  return true
}

const isErased = (account: Account | null): boolean => !account?.sealedSecret
const isLeft = (account: Account | null): boolean => isErased(account) || account?.eraseBy !== null

/** What was not begun when the process is asked to end stays queued, and a slow answer does not hold it up. */
const unlessAborted = async (signal: AbortSignal, work: Promise<boolean>): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<false>()
  const onAbort = () => resolve(false)
  signal.addEventListener('abort', onAbort)
  try {
    return (await Promise.race([work, promise])) && !signal.aborted
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const lineOf = (order: Order) => ({
  phone: order.recipients[0]?.phone as Phone,
  bundleId: order.bundleId,
  network: order.network,
  volume: order.volume,
  offerSlug: order.offerSlug,
  pricePesewas: order.unitPricePesewas,
})

/** When the person last said that it is to be sent. */
const confirmedAt = async (store: Store, order: Order): Promise<Date> => {
  const purchase = order.listed ? await store.purchases.byId(order.purchaseId) : null
  return purchase?.confirmedAt ?? order.createdAt
}

/** Some of its phones have to wait: they are taken out into orders that wait, and hold up nobody else. */
const attemptUnblocked = async (
  options: PlacerOptions,
  order: Order,
  blockers: Map<string, Order>,
  signals: Signals,
): Promise<void> => {
  const { store, now, newId } = options
  const at = now()
  const notBefore = new Date(at.getTime() + waitAgainMs)
  const phonesByBlocker = Map.groupBy(blockers.keys(), (phone) => blockers.get(phone)?.id ?? '')
  const unblocked = await store.transaction(async (tx) => {
    let rest = order
    // Another process may have taken them out since it was read: then this one looks at it anew.
    if ((await tx.orders.byId(order.id))?.quantity !== order.quantity) return null
    for (const [waitsForId, phones] of phonesByBlocker) {
      if (!(await tx.orders.split(rest, { id: newId(), phones, waitsForId, notBefore }, at))) return null
      rest = { ...rest, recipients: rest.recipients.filter(({ phone }) => !phones.includes(phone)) }
    }
    await tell(tx, order, at)
    return tx.orders.byId(order.id)
  })
  if (unblocked) await attempt(options, unblocked, signals)
}

const waitFor = async ({ store, now }: PlacerOptions, order: Order, blocker: Order): Promise<void> => {
  const at = now()
  await store.transaction(async (tx) => {
    const notBefore = new Date(at.getTime() + waitAgainMs)
    await tx.orders.patch(order.id, { waitsForId: blocker.id, reason: 'waits', notBefore }, at)
    await tx.orders.passTurn(order.id)
    if (order.waitsForId !== blocker.id) await tell(tx, order, at)
  })
}

/** Reads the price again, at most a minute old: what is not as it was confirmed is not sent. */
const isAsConfirmed = async (options: PlacerOptions, order: Order): Promise<boolean> => {
  const { store, prices, now, newId } = options
  try {
    const { bundles } = await prices.list(order.accountId, 'order')
    const bundle = bundles.find(({ id }) => id === order.bundleId)
    if (bundle && isSame(bundle, order)) return await isAffordable(options, order)
    const at = now()
    await store.transaction(async (tx) => {
      if (bundle || order.listed) {
        await askAnew(tx, order, { bundles, remark: 'price_changed', newId, at })
      } else if (await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'bundle_gone' }, at)) {
        await tx.orders.wakeWaiting(order.id)
        await tell(tx, order, at)
      }
    })
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
    const at = now()
    await store.transaction((tx) => cannotCheck(tx, order, error, { newId, at }))
  }
  return false
}

/** Before the first order of a list the balance is looked at: where it has shrunk, the person is asked again. */
const isAffordable = async (options: PlacerOptions, order: Order): Promise<boolean> => {
  const { store, wallets, now, newId } = options
  if (!order.listed || (await store.orders.placementsOf(order.purchaseId)).some(isSent)) return true
  const askedAt = now()
  const { balancePesewas } = await wallets.ask(order.accountId, 'order', (provider) => provider.balance())
  const at = now()
  return store.transaction(async (tx) => {
    await noteBalance(tx, order.accountId, { balancePesewas, askedAt, at })
    const all = await tx.orders.ofPurchase(order.purchaseId)
    const queued = all.filter(({ placement }) => placement === 'queued')
    const total = queued.reduce((sum, each) => sum + totalPesewas(each), 0)
    if (total <= balancePesewas) return true
    await askAnew(tx, order, { remark: 'balance_changed', newId, at })
    return false
  })
}

const isSent = ({ placement }: Pick<Order, 'placement'>): boolean =>
  placement !== 'queued' && placement !== 'cancelled' && placement !== 'superseded'

interface AskAnew {
  remark: PurchaseRemark
  /** The price list that shows what is asked; without one it is asked as it was confirmed. */
  bundles?: Bundle[]
  newId: () => string
  at: Date
}

/** What must not be sent as it was confirmed is asked again: of a list all that is still queued, on one card. */
const askAnew = async (tx: Queries, order: Order, { bundles, ...ask }: AskAnew): Promise<boolean> => {
  if (order.listed) return askAgainForRest(tx, order, { ...ask, bundles: bundles ?? null })
  const bundle = bundles?.find(({ id }) => id === order.bundleId)
  const line = { ...lineOf(order), ...(bundle && bundles && offerOf(bundle, bundles)) }
  return askAgain(tx, order, { ...ask, line })
}

const isSame = (bundle: Bundle, order: Order): boolean =>
  bundle.pricePesewas === order.unitPricePesewas &&
  bundle.network === order.network &&
  bundle.volume === order.volume

const cannotCheck = async (
  tx: Queries,
  order: Order,
  error: ProviderError | NoWallet,
  { newId, at }: { newId: () => string; at: Date },
): Promise<void> => {
  if (error instanceof NoWallet) {
    if (await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'disconnected' }, at))
      await tell(tx, order, at)
    return
  }
  if (error.code === 'rate_limited' && error.retryAfterMs !== null) {
    await holdFor(tx, order, error.retryAfterMs, at)
    return
  }
  const remark = error.code === 'unauthorized' ? 'unauthorized' : 'prices_unreadable'
  await askAnew(tx, order, { remark, newId, at })
}

/** The account's request limit is reached: the order waits, and its card says until when. */
const holdFor = async (tx: Queries, order: Order, waitMs: number, at: Date): Promise<void> => {
  const notBefore = new Date(at.getTime() + waitMs)
  await tx.orders.patch(order.id, { reason: 'rate_limited', notBefore }, at)
  await tell(tx, order, at)
}

/** queued → sending, committed before the first byte; also the last look at other orders for the phone. */
const claim = async (options: PlacerOptions, order: Order): Promise<Lease | null> => {
  const { store, now, monotonicMs, newId } = options
  const at = now()
  const token = newId()
  const endsMonotonicMs = monotonicMs() + leaseMs
  const until = new Date(at.getTime() + leaseMs)
  crashPoint('before_intent')
  const claimed = await store.transaction(async (tx) => {
    if (await endIfLeft(tx, order, at)) return false
    // A part of it may have been taken out by another process: what is sent is what is written.
    if ((await tx.orders.byId(order.id))?.quantity !== order.quantity) return false
    if (!(await isItsTurn(tx, order)) || (await blockersOf(tx, order)).size > 0) return false
    const waitMs = await claimRequest(tx, order.accountId, 'order', at)
    if (waitMs > 0) {
      await holdFor(tx, order, waitMs, at)
      return false
    }
    const patch = {
      leaseToken: token,
      leaseUntil: until,
      sentAt: at,
      clockOffsetMs: options.prices.clockOffsetMs(order.accountId),
      reason: null,
      waitsForId: null,
      notBefore: null,
    }
    if (!(await tx.orders.go({ id: order.id }, 'sending', patch, at))) return false
    await tell(tx, order, at)
    return true
  })
  options.onNotice()
  return claimed ? { token, endsAtMs: until.getTime(), endsMonotonicMs } : null
}

const post = async (
  options: PlacerOptions,
  provider: Provider,
  order: Order,
  lease: Lease,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { now, monotonicMs } = options
  const leaseLeft = () => Math.min(lease.endsAtMs - now().getTime(), lease.endsMonotonicMs - monotonicMs())
  const call = {
    signal,
    mayStart: () => leaseLeft() >= leaseReserveMs,
    onStart: () => crashPoint('first_byte'),
  }
  const callback = options.callbackUrl(order.id)
  const common = { bundleId: order.bundleId, ...(callback && { webhookUrl: callback }) }
  const phones = order.recipients.map(({ phone }) => phone)
  try {
    if (order.kind === 'bulk') {
      const outcome = await provider.placeBulkOrder({ ...common, phones }, call)
      return placedAs(outcome, (placed) => ({
        chargedPesewas: placed.totalPricePesewas,
        acceptedQuantity: placed.totalQuantity,
      }))
    }
    const outcome = await provider.placeOrder({ ...common, phone: phones[0] as Phone }, call)
    return placedAs(outcome, ({ pricePesewas }) => ({ chargedPesewas: pricePesewas, acceptedQuantity: 1 }))
  } catch (error) {
    // Thrown before a connection is opened. Whatever else went wrong, the lease's end makes it `unconfirmed`.
    if (!(error instanceof ProviderError && error.code === 'invalid_request')) throw error
    options.log.error({ orderId: order.id, err: error }, 'an order could not be made into a request')
    return { kind: 'not_made' }
  }
}

const placedAs = <T extends Pick<Placed, 'reference' | 'status' | 'placedAt'>>(
  outcome: PlacementOutcome<T>,
  taken: (order: T) => Pick<Placed, 'chargedPesewas' | 'acceptedQuantity'>,
): PlacementOutcome<Placed> => {
  if (outcome.kind !== 'placed') return outcome
  const { reference, status, placedAt } = outcome.order
  return { ...outcome, order: { reference, status, placedAt, ...taken(outcome.order) } }
}

/** How often the outcome of a POST is tried to be committed before the lease's end makes it `unconfirmed`. */
const commitTries = 5

const settle = async (options: PlacerOptions, order: Order, lease: Lease, answer: Step): Promise<void> => {
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
      if (tries === commitTries) return
      await (options.sleep ?? wait)(200 * tries)
    }
  }
  options.onNotice()
  if (step.to === 'placed' || step.to === 'unconfirmed') options.onPlaced()
  if (step.to === 'rejected' || step.to === 'not_placed' || order.listed) options.onEnded()
  if (isOtherThanListed(order, step)) options.prices.forget(order.accountId)
  if (step.to === 'rejected') await learnMore(options, order, step)
}

/** The price list that it was confirmed by is out of date. */
const isOtherThanListed = (order: Order, step: Step): boolean =>
  step.to === 'placed'
    ? step.chargedPesewas !== null && step.chargedPesewas !== order.unitPricePesewas * acceptedOf(order, step)
    : step.to === 'rejected' && step.reason === 'not_found'

/**
 * Writes what an attempt came to, with what its people are told.
 * @returns the step that was taken: a reference that is proven to be another order's makes it `unconfirmed`.
 */
const commit = async (options: PlacerOptions, order: Order, lease: Lease, answer: Step): Promise<Step> => {
  const step = await options.store.transaction(async (tx) => {
    if (answer.to !== 'placed') {
      await commitUnplaced(tx, order, lease, answer, options.now())
      return answer
    }
    if (await commitPlaced(tx, order, lease, answer, options.now())) return answer
    const taken = { to: 'unconfirmed', reason: 'reference_taken' } as const
    await commitUnplaced(tx, order, lease, taken, options.now())
    return taken
  })
  if (step !== answer) {
    options.log.warn(
      { orderId: order.id },
      'the answer to an order names what is proven to be another order’s',
    )
  }
  return step
}

const released = { leaseToken: null, leaseUntil: null }

/** The own answer is proof: it is taken whoever holds the lease, and from an order that only inferred it. */
const commitPlaced = async (
  tx: Queries,
  order: Order,
  lease: Lease,
  step: PlacedStep,
  at: Date,
): Promise<boolean> => {
  const current = (await tx.orders.byId(order.id)) ?? order
  const isLast = await isLastWord(tx, order)
  const placed = { ...(await placedPatch(tx, order, step, at)), ...released }
  const patch = { ...placed, ...(isLast && { nextPollAt: null }) }
  if (current.reference === step.reference) {
    const { chargedPesewas, balancePesewas } = step
    await tx.orders.patch(
      order.id,
      { inferred: false, ...(chargedPesewas !== null && { chargedPesewas }), balancePesewas },
      at,
    )
    await tell(tx, order, at, ...otherPrice(order, step))
    return true
  }
  const way = await makeWay(tx, current, step.reference, at)
  if (!way) return false
  const inTime = await tx.orders.go({ id: order.id, leaseToken: lease.token }, 'placed', patch, at)
  if (!inTime && !(await tx.orders.prove(order.id, patch, at))) {
    throw new Error(`The order ${order.id} has changed while its answer was written.`)
  }
  if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, step.status, at)
  await releaseRest(tx, order)
  await tx.events.release(order.id, step.reference)
  if (step.balancePesewas !== null) {
    const heard = { balancePesewas: step.balancePesewas, askedAt: current.sentAt ?? at, at }
    await noteBalance(tx, order.accountId, heard)
  }
  await tx.accounts.markAuthorized(order.accountId)
  crashPoint('answer_half_written')
  const lastWord = isLast ? [{ about: 'placement' } as const] : []
  await tell(tx, order, at, ...(inTime ? [] : [proofOf(way)]), ...otherPrice(order, step), ...lastWord)
  if (inTime) await report(tx, order, { about: 'placed' }, at)
  return true
}

/** Erased while the order was being sent: its outcome is the last that is heard of it, so it is said in a message. */
const isLastWord = async (tx: Queries, { accountId }: Order): Promise<boolean> =>
  isErased(await tx.accounts.byId(accountId))

const commitUnplaced = async (
  tx: Queries,
  order: Order,
  lease: Lease,
  step: Exclude<Step, PlacedStep>,
  at: Date,
): Promise<void> => {
  const guard = { id: order.id, leaseToken: lease.token }
  const late = at.getTime() - order.createdAt.getTime() > 20_000
  const isLast = await isLastWord(tx, order)
  switch (step.to) {
    case 'rejected': {
      const ours = step.reason === 'pending' ? await pendingOfOurs(tx, order, at) : null
      const known = { reason: step.reason, providerMessage: step.message, providerType: step.type }
      const patch = { ...released, ...known, waitsForId: ours }
      if (!(await tx.orders.go(guard, 'rejected', patch, at))) return
      await tx.orders.wakeWaiting(order.id)
      if (step.reason === 'unauthorized') await refuse(tx, order.accountId, at)
      const isHeld = holdsUp(step) && (await holdUpRest(tx, order, at))
      const aloud = (late || isLast || order.listed) && !isHeld
      await tell(tx, order, at, ...(aloud ? [{ about: 'placement' } as const] : []))
      if (!aloud && !isHeld) await report(tx, order, { about: 'placement' }, at)
      return
    }
    case 'queued': {
      const notBefore = new Date(at.getTime() + step.waitMs)
      const attempts = order.attempts + (step.reason === 'unreachable' ? 1 : 0)
      const patch = { ...released, reason: step.reason, notBefore, attempts, sentAt: null }
      if (!(await tx.orders.go(guard, 'queued', patch, at))) return
      if (step.freezes) await tx.accounts.freeze(order.accountId, notBefore)
      await tell(tx, order, at)
      return
    }
    case 'not_placed':
    case 'unconfirmed': {
      // An early callback may have named the reference already: the poll looks for one.
      const followed = { nextPollAt: at, settleAt: nextSettling(order.sentAt ?? at, at) }
      const patch = {
        ...released,
        reason: step.reason,
        ...(step.to === 'unconfirmed' && !isLast && followed),
      }
      if (!(await tx.orders.go(guard, step.to, patch, at))) return
      if (step.to === 'not_placed') await tx.orders.wakeWaiting(order.id)
      const isHeld = await holdUpRest(tx, order, at)
      await tell(tx, order, at, ...(isHeld ? [] : [{ about: 'placement' } as const]))
    }
  }
}

const placedPatch = async (tx: Queries, order: Order, step: PlacedStep, at: Date): Promise<OrderPatch> => {
  const account = await tx.accounts.byId(order.accountId)
  const seen = account?.callbackSeenAt ?? null
  const callbacksSeen = seen !== null && at.getTime() - seen.getTime() < callbacksSeenLatelyMs
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
    waitsForId: null,
    settleAt: null,
    nextPollAt: isTerminal(step.status) ? at : nextPoll(at, at, callbacksSeen),
  }
}

const otherPrice = (order: Order, step: PlacedStep) => [
  ...(isOtherThanListed(order, step) ? [{ about: 'other_price' } as const] : []),
  ...(acceptedOf(order, step) < order.quantity ? [{ about: 'accepted_in_part' } as const] : []),
]

/** For how many recipients it was taken, as told or by the charge: a bulk order may be accepted in part. */
const acceptedOf = (order: Order, { acceptedQuantity, chargedPesewas }: PlacedStep): number =>
  acceptedQuantity ?? acceptedBy(order, chargedPesewas)

/**
 * The only order of ours for the phone that is open, or may be: what the provider's 409 is about, as far as we can
 * know. It adopts nothing, but for those of unknown outcome the wallet is read at once.
 */
const pendingOfOurs = async (tx: Queries, order: Order, at: Date): Promise<string | null> => {
  const phones = order.recipients.map(({ phone }) => phone)
  const open = await tx.orders.openFor(order.accountId, phones, order.id)
  const placed = open.filter(({ reference }) => reference)
  const unknown = (await tx.orders.claimants(order.accountId)).filter(
    ({ id, settleAt, recipients }) =>
      id !== order.id && settleAt !== null && recipients.some(({ phone }) => phones.includes(phone)),
  )
  for (const { id } of unknown) await tx.orders.patch(id, { settleAt: at }, at)
  const candidates = placed.length > 0 ? placed : unknown
  return candidates.length === 1 ? (candidates[0]?.id ?? null) : null
}

/** A refusal for want of balance is told with the balance. */
const learnMore = async (options: PlacerOptions, order: Order, step: Step): Promise<void> => {
  if (step.to !== 'rejected' || step.reason !== 'balance') return
  try {
    const askedAt = options.now()
    const { balancePesewas } = await options.wallets.ask(order.accountId, 'person', (provider) =>
      provider.balance(),
    )
    const at = options.now()
    await options.store.transaction(async (tx) => {
      await noteBalance(tx, order.accountId, { balancePesewas, askedAt, at })
      await tx.orders.patch(order.id, { balancePesewas }, at)
      await tell(tx, order, at)
    })
    options.onNotice()
  } catch (error) {
    options.log.info({ orderId: order.id, err: error }, 'the balance could not be read after a refusal')
  }
}
