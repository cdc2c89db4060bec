import type { Logger } from 'pino'
import { crashPoint } from '../../base/crash-point.ts'
import { accountHash } from '../../base/log.ts'
import { wait } from '../../base/wait.ts'
import { type Evidence, suspectedBeforeMs, weigh } from '../../domain/debits/evidence.ts'
import { type Claimant, type Debit, mayBelongButTime } from '../../domain/debits/matching.ts'
import { pair } from '../../domain/debits/pairing.ts'
import type { Order } from '../../domain/order/order.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import { debitsShowWithinMs, latestSend, watchEndsMs } from '../../domain/times/reconciling-schedule.ts'
import { type OrderStatus, ProviderError } from '../../provider/index.ts'
import { zero } from '../../provider/money.ts'
import type { Store } from '../../store/store.ts'
import type { Purpose } from '../../wallets/budget.ts'
import { createDebitRecords, type DebitRecords } from '../../wallets/debit-records.ts'
import { createProviderClock, type ProviderClock } from '../../wallets/provider-clock.ts'
import { pagesOf } from '../../wallets/reader.ts'
import { createUnfinishedReads, type UnfinishedReads } from '../../wallets/unfinished-reads.ts'
import { readEntries, type WalletEntries } from '../../wallets/wallet-reading.ts'
import { NoWallet, type Wallets } from '../../wallets/wallets.ts'
import { debitsOfPlacedOrders } from './accounted-debits.ts'
import { type ChargeWatch, createChargeWatch } from './charge-watch.ts'
import { claimantOf, watchedClaimants } from './claimants.ts'
import type { Findings } from './findings.ts'
import { applyFindings, nextRead, proveNothing } from './findings.ts'
import { recordOf } from './proof.ts'
import { applyRefund, learnRefunds } from './refunds.ts'

/**
 * Finds out, by reading the wallet, what became of orders whose POST was not answered. A matching debit proves the
 * charge. A complete read without one, begun at least ten minutes after the send, proves that there was none. Nothing
 * is ever sent again.
 */
export interface Reconciler {
  round(): Promise<void>
  /**
   * Reads an account's wallet now, because a person is waiting or for another purpose.
   * @param owed orders whose refund is looked for even though their day of watching is over.
   * @throws {WalletError}
   */
  check(accountId: string, purpose?: Purpose, owed?: readonly Order[]): Promise<void>
  /** Compares entries that were read elsewhere with the orders' prices. */
  learnCharges: ChargeWatch['learn']
}

export interface ReconcilerOptions {
  store: Store
  wallets: Wallets
  /** Whether this process is the worker, as far as it knows. Called before each step. */
  mayWork: () => boolean
  now: () => Date
  log: Logger
  onNotice: () => void
  /** Called when an order ended, so that another order for the same phone may be sent. */
  onEnded: () => void
  /** Called when an order was proven to exist, so that callbacks that waited for its reference are applied. */
  onPlaced: () => void
  /** Called when more wallets may be due than one round reads. */
  onMore: () => void
  sleep?: (ms: number) => Promise<void>
  /** Replaces the rules of `pair`, for tests. */
  pairing?: typeof pair
  /** Replaces `readEntries`, for tests. */
  reading?: typeof readEntries
}

const failedReadAgainMs = 60_000

/** How long a round waits for slow reads, ms. They continue during the next round and do not delay other accounts. */
const roundMs = 2_000

const maxAccounts = 100

export const createReconciler = (options: ReconcilerOptions): Reconciler => {
  const { store, mayWork, now, log, sleep = unhurried } = options
  const underWay = new Set<string>()
  const reading = new Map<string, Promise<void>>()
  const means = {
    records: createDebitRecords(options.wallets),
    clock: createProviderClock(options),
    unfinished: createUnfinishedReads(),
    charges: createChargeWatch(options),
  }

  /**
   * Concurrent reads of an account become one only if they have the same purpose. A person's read has a smaller share
   * of the request budget, so it could otherwise delay reconciling.
   */
  const check: Reconciler['check'] = (accountId, purpose = 'person', owed = []) => {
    const key = [purpose, accountId, ...owed.map(({ id }) => id)].join(' ')
    const running = reading.get(key)
    if (running) return running
    const read = settleAccount(options, means, { accountId, purpose, owed }).finally(() =>
      reading.delete(key),
    )
    reading.set(key, read)
    return read
  }

  /** Reads one wallet that is due. @returns false if not even the time of the next read could be written. */
  const checkDue = async (accountId: string): Promise<boolean> => {
    underWay.add(accountId)
    try {
      await check(accountId, 'reconciling').catch((error: unknown) => postpone(options, accountId, error))
      return true
    } catch (error) {
      log.error(
        { account: accountHash(accountId), err: error },
        'the next read of a wallet could not be put off',
      )
      return false
    } finally {
      underWay.delete(accountId)
    }
  }

  return {
    check,
    learnCharges: means.charges.learn,
    round: async () => {
      const limit = maxAccounts - underWay.size
      if (limit === 0 || !mayWork()) return
      const found = await store.orders.dueToReconcile(now(), limit, [...underWay])
      const isAnyWritten = Promise.all(found.map(checkDue)).then((all) => all.includes(true))
      const isSlow = async () => sleep(roundMs).then(() => true)
      const mayGoOn = found.length === 0 || (await Promise.race([isAnyWritten, isSlow()]))
      if (mayGoOn && found.length === limit) options.onMore()
    },
  }
}

const unhurried = (ms: number): Promise<void> => wait(ms, undefined, { ref: false })

interface Reading {
  accountId: string
  purpose: Purpose
  /** Orders whose refund is looked for even though their day of watching is over. */
  owed: readonly Order[]
}

/** What the reconciler keeps in memory between reads. */
interface Means {
  records: DebitRecords
  clock: ProviderClock
  unfinished: UnfinishedReads
  charges: ChargeWatch
}

const readingName = (purpose: Purpose, accountId: string): string => `${purpose} ${accountId}`

const settleAccount = async (
  options: ReconcilerOptions,
  { records: debitRecords, clock, unfinished, charges }: Means,
  reading: Reading,
): Promise<void> => {
  const { store, now } = options
  const { accountId, purpose } = reading
  const awaiting = await store.orders.awaitingRefund(accountId)
  const failed = [...awaiting, ...reading.owed.filter(({ id }) => awaiting.every((each) => each.id !== id))]
  const inferred = await store.orders.watchedInferred(accountId)
  const open = [...(await watchedClaimants(store, accountId)), ...inferred, ...failed]
  if (open.length === 0) return
  const at = now()
  const wanted = wantedOf(open, reading, at)
  const isOfOutcome = wanted.some(({ reconcileAt }) => reconcileAt !== null)
  const measured = isOfOutcome ? await clock.measure(accountId, purpose) : []
  const sinceMs = Math.min(...wanted.map((order) => earliestMs(order, { at, offsets: measured })))
  const name = readingName(purpose, accountId)
  const begun = unfinished.take(name, at, usefulMs(wanted, at))
  const { beganAt } = begun
  const pages = pagesOf(options.wallets, accountId, purpose)
  const read = await (options.reading ?? readEntries)(begun, pages, sinceMs).catch((error: unknown) => {
    unfinished.keep(name, begun)
    throw error
  })
  if (read.isUnfinished) unfinished.keep(name, begun)
  const isWhole = read.reachedMs < sinceMs

  await charges.learn(accountId, begun.entries.values())
  const view = { at: beganAt, offsets: await clock.learn(accountId, read.debits) }
  const isReached = (order: Order): boolean => read.reachedMs < earliestMs(order, view)

  // The orders are read again: some may have been answered since, and nothing may be inferred while another order that
  // may own the debit is being sent.
  const orders = await watchedClaimants(store, accountId)
  const free = await unexplained(store, accountId, read)
  const current = orders.map((order) => claimantAfter(read, order, view))
  const suspects = [...current, ...inferred.map((order) => claimantAt(order, view))]
  const likely = free.filter((debit) => suspects.some((claimant) => isSuspect(claimant, debit)))
  const claimants = [...current, ...(await formerClaimants(store, accountId, orders, view))]
  const records = await debitRecords.read(accountId, purpose, likely)
  const named = await namedDebits(store, claimants, likely, records)
  const judge = judgeOf(records, named)
  const isShared = isUsedElsewhere(claimants, free, judge, beganAt)
  const pairing = (options.pairing ?? pair)(claimants, likely, judge, { isShared })

  for (const order of failed) {
    if (!isReached(order) && (read.isUnfinished || !wanted.includes(order))) continue
    await store.transaction(
      (tx) => applyRefund(tx, order, read.credits.get(order.reference ?? '') ?? zero, now()),
      { accounts: [accountId] },
    )
  }
  await learnRefunds(options, accountId, read.credits, wholeSince(read))
  crashPoint('wallet_read')
  let ended = false
  const paired = new Set(pairing.pairs.map(({ debit }) => debit))
  for (const order of [...orders, ...inferred]) {
    if (order.placement === 'sending') continue
    const own = claimantAt(order, view)
    const candidates = likely.filter(
      (debit) => judge(own, debit).kind !== 'none' && !(order.inferred && paired.has(debit)),
    )
    const others = claimants.filter(({ orderId }) => orderId !== order.id)
    const rivals = others.filter((other) => candidates.some((debit) => judge(other, debit).kind !== 'none'))
    const findings: Findings = {
      pairing,
      candidates,
      isShared,
      isWhole,
      read,
      records,
      isRivalSending: rivals.some(({ sending }) => sending),
      isReached: isReached(order),
      wasWanted: wanted.some(({ id }) => id === order.id),
      judge: (debit) => judge(own, debit),
      rivals: orders.filter(({ id }) => rivals.some(({ orderId }) => orderId === id)),
    }
    const settled = await store.transaction((tx) => applyFindings(tx, order, findings, now()), {
      accounts: [accountId],
    })
    ended ||= settled
  }
  options.onNotice()
  if (!ended) return
  options.onPlaced()
  options.onEnded()
}

/** An unfinished read may be continued for this long, ms. */
const maxReadingMs = 30 * 60_000

/**
 * An unfinished read is continued only if it is at most this old, ms. If orders wait for a read that proves them
 * `not_placed`, the read must have begun at least ten minutes after the send of at least one of them.
 */
const usefulMs = (wanted: readonly Order[], at: Date): number => {
  const ripeMs = wanted
    .filter((order) => mayBeDenied(order, at))
    .map((order) => at.getTime() - latestSend(order).getTime() - debitsShowWithinMs)
  return ripeMs.length === 0 ? maxReadingMs : Math.min(maxReadingMs, Math.max(...ripeMs))
}

/**
 * Orders with an unknown outcome whose day of watching is over. A debit of that day may belong to them, so no other
 * order may get it.
 */
const formerClaimants = async (
  store: Store,
  accountId: string,
  orders: readonly Order[],
  { offsets }: View,
): Promise<Claimant[]> => {
  const oldestMs = Math.min(...orders.map((order) => latestSend(order).getTime()))
  if (!Number.isFinite(oldestMs)) return []
  const since = new Date(oldestMs - watchEndsMs - suspectedBeforeMs)
  const former = await store.orders.undecided(accountId, since)
  return former.map((order) => {
    const claimant = claimantOf(order, offsets)
    const notAfterMs = claimant.notBeforeMs + watchEndsMs
    return { ...claimant, suspectFromMs: claimant.notBeforeMs, notAfterMs }
  })
}

/** The debits that belong to no order of known outcome. */
const unexplained = async (store: Store, accountId: string, { debits }: WalletEntries): Promise<Debit[]> => {
  const held = await store.orders.referencesInUse(debits.flatMap(({ reference }) => reference ?? []))
  const free = debits.filter(({ reference }) => reference === null || !held.has(reference))
  if (free.every(({ reference }) => reference !== null)) return free
  const oldestMs = Math.min(...free.map(({ createdAtMs }) => createdAtMs ?? Number.POSITIVE_INFINITY))
  const placed = Number.isFinite(oldestMs)
    ? await store.orders.placedSince(accountId, new Date(oldestMs - placedBeforeMs))
    : []
  const accounted = debitsOfPlacedOrders(placed, debits)
  return free.filter((debit) => !accounted.has(debit))
}

/** A debit may belong to an order that was confirmed up to this long before, ms. */
const placedBeforeMs = 24 * 60 * 60_000

/** Whether the debit may be the claimant's, by its time and description. */
const isSuspect = (claimant: Claimant, debit: Debit): boolean =>
  (debit.createdAtMs === null || debit.createdAtMs >= claimant.suspectFromMs) &&
  mayBelongButTime(claimant, debit)

type Judge = (claimant: Claimant, debit: Debit) => Evidence

const judgeOf =
  (records: ReadonlyMap<Debit, OrderStatus>, named: ReadonlyMap<Debit, string>): Judge =>
  (claimant, debit) => {
    if ((debit.createdAtMs ?? 0) > (claimant.notAfterMs ?? Number.POSITIVE_INFINITY)) return { kind: 'none' }
    const own = [...named].find(([, orderId]) => orderId === claimant.orderId)?.[0]
    if (own && own !== debit) return { kind: 'none' }
    const record = records.get(debit)
    const facts = { record: record ? recordOf(record) : ('unknown' as const) }
    return weigh(claimant, debit, { ...facts, namedFor: named.get(debit) ?? null })
  }

/** If an unexplained debit is at most this old (three days), the wallet's key counts as used outside the bot too. */
const sharedWithinMs = 3 * 24 * 60 * 60_000

/**
 * Whether somebody else orders with the same key: some recent debit fits none of our orders, not even the claimants,
 * which still look for a debit.
 */
const isUsedElsewhere = (claimants: Claimant[], debits: Debit[], judge: Judge, at: Date): boolean =>
  debits.some(
    (debit) =>
      (debit.createdAtMs ?? at.getTime()) >= at.getTime() - sharedWithinMs &&
      claimants.every((claimant) => judge(claimant, debit).kind === 'none'),
  )

/**
 * The orders for which the wallet is read; the oldest of them determines how far back. Reading one hour of a busy
 * wallet can cost several requests, so a read for a new order does not go back to the oldest watched order.
 */
const wantedOf = (open: Order[], { purpose, owed }: Reading, at: Date): Order[] => {
  const isDue = (time: Date | null) => time !== null && !isAhead(time, 'readAt', at)
  const isAskedFor = ({ id, placement }: Order) =>
    (purpose === 'person' && placement === 'unconfirmed') || owed.some((each) => each.id === id)
  const wanted = open.filter(
    (order) => isDue(order.reconcileAt) || isDue(order.refundAt) || isAskedFor(order),
  )
  return wanted.length > 0 ? wanted : open
}

/**
 * Whether a read may prove the order `not_placed`, because its debit has had time to appear. Such a read goes back
 * further.
 */
const mayBeDenied = (order: Order, at: Date): boolean =>
  order.placement === 'unconfirmed' && at.getTime() - latestSend(order).getTime() >= debitsShowWithinMs

/** When the wallet was read, and how far (ms) the provider's clock may have been ahead of ours at that time. */
interface View {
  at: Date
  offsets: readonly number[]
}

const claimantAt = (order: Order, { at, offsets }: View): Claimant => {
  const claimant = claimantOf(order, offsets)
  return mayBeDenied(order, at) ? claimant : { ...claimant, suspectFromMs: claimant.notBeforeMs }
}

const earliestMs = (order: Order, view: View): number => claimantAt(order, view).suspectFromMs

/**
 * The time after which all entries were read; null if any may be missing. Refunds of orders older than that may be
 * missing.
 */
const wholeSince = ({ reachedMs }: WalletEntries): Date | null =>
  reachedMs === Number.POSITIVE_INFINITY ? null : new Date(Math.max(0, reachedMs))

/**
 * The order as a claimant (an order that may own a debit), in view of this read. If the read did not reach the order,
 * or began before the order was sent, its debit may be missing. The order then counts as being sent, so that no other
 * order gets a debit that may be its own. A send time further in the future than `readAt` allows counts as past,
 * because the clock was set back since.
 */
const claimantAfter = ({ reachedMs, beganAt }: WalletEntries, order: Order, view: View): Claimant => {
  const claimant = claimantAt(order, view)
  const isUnseen = !(reachedMs < claimant.notBeforeMs) || isAhead(latestSend(order), 'readAt', beganAt)
  return { ...claimant, sending: claimant.sending || isUnseen }
}

/**
 * The debits whose reference was named by a callback about an order, with the id of that order. Such a callback is
 * proof, so no other order gets these debits.
 */
const namedDebits = async (
  store: Store,
  claimants: Claimant[],
  debits: Debit[],
  records: ReadonlyMap<Debit, OrderStatus>,
): Promise<Map<Debit, string>> => {
  const named = new Map<Debit, string>()
  if (debits.length === 0) return named
  for (const claimant of claimants) {
    for (const { reference } of await store.statusReports.ofOrder(claimant.orderId, 'unmatched')) {
      const debit = debits.find((other) => other.reference === reference)
      const record = debit && records.get(debit)
      if (!debit || !record) continue
      const { kind } = weigh(claimant, debit, { record: recordOf(record), namedFor: null })
      if (kind !== 'none') named.set(debit, claimant.orderId)
    }
  }
  return named
}

const longestRestMs = 60 * 60_000

/** Plans the next read after one that failed. The cards of orders whose outcome is overdue give the reason. */
const postpone = async (
  { store, now, log, onNotice }: ReconcilerOptions,
  accountId: string,
  error: unknown,
): Promise<void> => {
  const isGone = error instanceof NoWallet
  if (isGone || error instanceof ProviderError) {
    log.info(
      { account: accountHash(accountId), code: error.code },
      'the entries of a wallet could not be read',
    )
  } else {
    log.error({ account: accountHash(accountId), err: error }, 'what a wallet says could not be applied')
  }
  const at = now()
  // The wait is an hour at most, even if the day's request budget is used up: a try that the budget refuses costs no
  // request.
  const retryMs = error instanceof ProviderError ? Math.min(error.retryAfterMs ?? 0, longestRestMs) : 0
  await store.transaction(
    async (tx) => {
      for (const order of await tx.orders.awaitingRefund(accountId)) {
        if (order.refundAt === null || isAhead(order.refundAt, 'readAt', at)) continue
        const soon = new Date(at.getTime() + Math.max(failedReadAgainMs, retryMs))
        await tx.orders.patch(order.id, { refundAt: isGone ? null : soon }, at)
      }
      const inferred = await tx.orders.watchedInferred(accountId)
      for (const order of [...(await watchedClaimants(tx, accountId)), ...inferred]) {
        if (order.placement === 'sending' || order.reconcileAt === null) continue
        if (isAhead(order.reconcileAt, 'readAt', at)) continue
        const next = isGone ? null : nextRead(order, at)
        const reconcileAt = next && new Date(Math.max(next.getTime(), at.getTime() + retryMs))
        await proveNothing(tx, order, reconcileAt, at)
      }
    },
    { accounts: [accountId] },
  )
  onNotice()
}
