import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Purpose } from '../accounts/budget.ts'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { crashPoint } from '../crash-point.ts'
import { accountHash } from '../log.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Queries, Store } from '../store/store.ts'
import {
  type Claimant,
  type Debit,
  fitsRecord,
  mayBelong,
  mayBelongByRecord,
  type Pairing,
  pair,
} from './matching.ts'
import { chargeOf, type Order } from './order.ts'
import { adopt, claimantOf, recordOf } from './proof.ts'
import { confirmedByRefund, failedAt, owedRefund } from './recipients.ts'
import {
  debitsShowWithinMs,
  latestSend,
  nextRefundCheck,
  nextSettling,
  nextWatch,
  settlingEndsMs,
} from './settling.ts'
import { tell } from './telling.ts'
import { entriesPerPage, readEntries, type WalletEntries } from './wallet-entries.ts'

/**
 * Finds out what became of orders whose POST was not answered, by reading the wallet's entries: a matching debit
 * proves the charge, a complete read without one that began ten minutes after the send proves that there was
 * none. Nothing is ever sent again.
 */
export interface Settler {
  round(): Promise<void>
  /** Reads the wallet of an account now, for a person who waits or another purpose. @throws {ProviderError | NoWallet} */
  check(accountId: string, purpose?: Purpose): Promise<void>
}

export interface SettlerOptions {
  store: Store
  wallets: Wallets
  now: () => Date
  log: Logger
  onNotice: () => void
  /** Told when an order came to its end: another for the same phone may go. */
  onEnded: () => void
  /** Told when an order was proven to exist: callbacks that were held for it are looked at. */
  onPlaced: () => void
  /** Resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>
}

/** A read that failed is tried again after this. */
const failedReadAgainMs = 60_000

/** A round does not wait longer than this for slow reads: they go on beside the next, and hold up no other account. */
const roundMs = 2_000

export const createSettler = (options: SettlerOptions): Settler => {
  const { store, now, log, sleep = unhurried } = options
  const reading = new Map<string, Promise<void>>()
  const known: KnownRecords = new Map()

  /** Reads for one purpose are shared: what a person has no room for does not put off the settling. */
  const check = (accountId: string, purpose: Purpose = 'person'): Promise<void> => {
    const key = `${purpose} ${accountId}`
    const running = reading.get(key)
    if (running) return running
    const read = settleAccount(options, known, { accountId, purpose }).finally(() => reading.delete(key))
    reading.set(key, read)
    return read
  }

  const checkDue = async (accountId: string): Promise<void> => {
    try {
      await check(accountId, 'settling').catch((error: unknown) => postpone(options, accountId, error))
    } catch (error) {
      log.error(
        { account: accountHash(accountId), err: error },
        'the next read of a wallet could not be put off',
      )
    }
  }

  return {
    check,
    round: async () => {
      const due = await store.orders.dueToSettle(now(), 500)
      const checks = [...new Set(due.map(({ accountId }) => accountId))].map(checkDue)
      if (checks.length > 0) await Promise.race([Promise.all(checks), sleep(roundMs)])
    },
  }
}

const unhurried = (ms: number): Promise<void> => wait(ms, undefined, { ref: false })

interface Reading {
  accountId: string
  purpose: Purpose
}

const settleAccount = async (
  options: SettlerOptions,
  known: KnownRecords,
  reading: Reading,
): Promise<void> => {
  const { store, wallets, now } = options
  const { accountId, purpose } = reading
  const failed = await store.orders.awaitingRefund(accountId)
  const open = [...(await store.orders.claimants(accountId)), ...failed]
  if (open.length === 0) return
  const readPage = (page: number) =>
    wallets.ask(accountId, purpose, (provider) => provider.transactions({ page, perPage: entriesPerPage }))
  const wanted = wantedOf(open, reading, now())
  const sinceMs = Math.min(...wanted.map(earliestMs))
  const read = await readEntries(readPage, sinceMs, now())
  const isWhole = read.reachedMs < sinceMs
  const held = await store.orders.heldReferences(read.debits.map(({ reference }) => reference))
  const free = read.debits.filter(({ reference }) => !held.has(reference))

  // Read again: what was being sent meanwhile may have had its answer, and nothing is inferred beside one in flight.
  const orders = await store.orders.claimants(accountId)
  const claimants = orders.map((order) => claimantAfter(read, order))
  const likely = free.filter((debit) => claimants.some((claimant) => mayBelongByRecord(claimant, debit)))
  const records = await readRecords(options, known, reading, likely)
  const fits = (claimant: Claimant, debit: Debit): boolean => {
    const record = records.get(debit.reference)
    if (!record || !fitsRecord(claimant, recordOf(record))) return false
    return mayBelong(claimant, debit) || (record.totalQuantity !== null && mayBelongByRecord(claimant, debit))
  }
  const named = await namedDebits(store, claimants, likely, fits)
  const mayClaim = (claimant: Claimant, debit: Debit): boolean =>
    fits(claimant, debit) && isNotAnothers(named, claimant.orderId, debit.reference)
  const pairing = pair(claimants, likely, mayClaim)

  for (const order of failed) {
    if (!isReached(read, order) && !wanted.includes(order)) continue
    await store.transaction((tx) =>
      applyRefund(tx, order, read.credits.get(order.reference ?? '') ?? 0, now()),
    )
  }
  crashPoint('wallet_read')
  let ended = false
  for (const order of orders) {
    if (order.placement === 'sending') continue
    const candidates = likely.filter((debit) => mayClaim(claimantOf(order), debit))
    const isHeldUp = claimants.some(
      (other) => other.sending && candidates.some((debit) => mayClaim(other, debit)),
    )
    const wasWanted = wanted.some(({ id }) => id === order.id)
    const findings = { pairing, candidates, isHeldUp, wasWanted, isWhole, named, read, records }
    const settled = await store.transaction((tx) => apply(tx, order, findings, now()))
    ended ||= settled
  }
  options.onNotice()
  if (!ended) return
  options.onPlaced()
  options.onEnded()
}

/**
 * The orders for which the wallet is read, and so how far back: each hour of a busy wallet costs a request or more,
 * so it is not read to the oldest order of a day each time that a new one is looked for.
 */
const wantedOf = (open: Order[], { purpose }: Reading, at: Date): Order[] => {
  const isDue = (time: Date | null) => time !== null && time <= at
  const isAskedFor = ({ placement }: Order) => purpose === 'person' && placement === 'unconfirmed'
  const wanted = open.filter((order) => isDue(order.settleAt) || isDue(order.refundAt) || isAskedFor(order))
  return wanted.length > 0 ? wanted : open
}

const earliestMs = (order: Order): number => claimantOf(order).notBeforeMs

/** Every entry that may be the order's was read. */
const isReached = ({ reachedMs }: WalletEntries, order: Order): boolean => reachedMs < earliestMs(order)

/** Of one that was not read back to, entries may be missing: nothing that it may claim is given to anybody. */
const claimantAfter = (read: WalletEntries, order: Order): Claimant => {
  const claimant = claimantOf(order)
  return { ...claimant, sending: claimant.sending || !isReached(read, order) }
}

/** By order, the debit that a callback on its own token has named: proof, which no inference may take away. */
const namedDebits = async (
  store: Store,
  claimants: Claimant[],
  debits: Debit[],
  fits: (claimant: Claimant, debit: Debit) => boolean,
): Promise<Map<string, string>> => {
  const named = new Map<string, string>()
  for (const claimant of claimants) {
    for (const { reference } of await store.events.ofOrder(claimant.orderId, 'held')) {
      const debit = debits.find((other) => other.reference === reference)
      if (debit && fits(claimant, debit)) named.set(claimant.orderId, reference)
    }
  }
  return named
}

const isNotAnothers = (named: Map<string, string>, orderId: string, reference: string): boolean => {
  const own = named.get(orderId)
  return own === undefined ? ![...named.values()].includes(reference) : own === reference
}

/** What the wallet shows of a failed order's refund; what is new of it is said, and so is that none came in a day. */
const applyRefund = async (tx: Queries, { id }: Order, refunded: number, at: Date): Promise<void> => {
  // Another process may have read the same entries meanwhile, and said so.
  const order = await tx.orders.byId(id)
  if (!order?.refundAt) return
  const owed = order.kind === 'bulk' ? owedRefund(order) : chargeOf(order)
  const isWhole = refunded >= owed
  const isMore = refunded > (order.refundedPesewas ?? 0)
  const refundAt = isWhole ? null : nextRefundCheck(failedAt(order), at)
  await tx.orders.patch(order.id, { refundAt, ...(isMore && { refundedPesewas: refunded }) }, at)
  for (const { phone, status } of confirmedByRefund(order, refunded)) {
    await tx.orders.patchRecipients(order.id, [phone], status, at)
  }
  if (isMore || refundAt === null) await tell(tx, order, at, { about: 'refund' })
}

/** Records that were read for a debit, by account and reference: whose an order is never changes. */
type KnownRecords = Map<string, OrderStatus>

/** A record takes some 300 bytes: enough for every debit in question of hundreds of accounts. */
const mostKnownRecords = 2_000

/**
 * The status records of the debits in question; one that the provider does not know speaks for nobody. A record
 * that says all that tells orders apart is not read again: its status may be old, which whoever adopts it knows.
 */
const readRecords = async (
  { wallets }: SettlerOptions,
  known: KnownRecords,
  { accountId, purpose }: Reading,
  debits: Debit[],
): Promise<Map<string, OrderStatus>> => {
  const records = new Map<string, OrderStatus>()
  for (const { reference } of debits) {
    const place = `${accountId} ${reference}`
    const earlier = known.get(place)
    if (earlier) {
      records.set(reference, earlier)
      continue
    }
    try {
      const record = await wallets.ask(accountId, purpose, (provider) => provider.orderStatus(reference))
      records.set(reference, record)
      if (isWhole(record)) remember(known, place, record)
    } catch (error) {
      if (!(error instanceof ProviderError && error.code === 'not_found')) throw error
    }
  }
  return records
}

const isWhole = ({ network, volume, phone, placedAt }: OrderStatus): boolean =>
  network !== null && volume !== null && phone !== null && placedAt !== null

/** The one that was read first goes when there are too many: it is read again when it is asked for. */
const remember = (known: KnownRecords, place: string, record: OrderStatus): void => {
  known.set(place, record)
  const [oldest] = known.keys()
  if (known.size > mostKnownRecords && oldest !== undefined) known.delete(oldest)
}

interface Findings {
  pairing: Pairing
  /** The debits that may be this order's. */
  candidates: Debit[]
  /** One that is being sent, or was not read back to, may claim one of them. */
  isHeldUp: boolean
  /** The wallet was read for its sake. */
  wasWanted: boolean
  /** It was read as far back as it was to be. */
  isWhole: boolean
  named: Map<string, string>
  read: WalletEntries
  records: Map<string, OrderStatus>
}

/** @returns whether the order is settled by what was found. */
const apply = async (tx: Queries, seen: Order, findings: Findings, at: Date): Promise<boolean> => {
  const order = await tx.orders.byId(seen.id)
  // A callback may have proven it since it was read, or its account was erased: then it claims no debit any more.
  if (order?.placement !== seen.placement || order.settleAt === null) return false
  const { pairing, candidates, isHeldUp, named, read, records } = findings
  const reference = pairing.pairs.find(({ orderId }) => orderId === order.id)?.reference
  const record = reference === undefined ? undefined : records.get(reference)
  if (record) {
    const debit = read.debits.find((other) => other.reference === reference)
    const charged = (debit?.amountPesewas ?? null) as Pesewas | null
    const by = named.get(order.id) === reference ? 'proof' : 'inference'
    if (await adopt(tx, order, record, { by, chargedPesewas: charged }, at)) return true
  }
  const sentAt = latestSend(order)
  const age = read.beganAt.getTime() - sentAt.getTime()
  if (order.placement === 'unconfirmed' && pairing.without.includes(order.id)) {
    if (age >= debitsShowWithinMs) {
      const patch = { reason: 'no_debit', settleAt: nextWatch(sentAt, at), nextPollAt: null }
      if (!(await tx.orders.go({ id: order.id }, 'not_placed', patch, at))) return false
      await tx.orders.wakeWaiting(order.id)
      await tell(tx, order, at, { about: 'placement' })
      return true
    }
  }
  const isDoubtful = order.placement === 'unconfirmed' && pairing.doubtful.includes(order.id)
  if (isDoubtful && !isHeldUp && age >= settlingEndsMs) {
    const patch = { reason: 'ambiguous', settleAt: nextWatch(sentAt, at) }
    if (await tx.orders.go({ id: order.id }, 'review', patch, at)) {
      await tell(tx, order, at, { about: 'placement' }, doubtOf(findings))
    }
    return false
  }
  if (!isReached(read, order)) {
    await fellShort(tx, order, findings, at)
    return false
  }
  await tx.orders.patch(order.id, { settleAt: nextRead(order, at) }, at)
  if (order.placement === 'not_placed' && order.reason !== 'late_doubt' && candidates.length > 0) {
    await tx.orders.patch(order.id, { reason: 'late_doubt' }, at)
    await tell(tx, order, at, doubtOf(findings))
  }
  return false
}

/** The read did not go back to it: it is read for at once if something was seen that may be its own. */
const fellShort = async (
  tx: Queries,
  order: Order,
  { candidates, wasWanted, isWhole }: Findings,
  at: Date,
): Promise<void> => {
  if (wasWanted) await proveNothing(tx, order, nextRead(order, at), at)
  else if (isWhole && candidates.length > 0) await tx.orders.patch(order.id, { settleAt: at }, at)
}

/** What could not be read proves nothing: the order stays as it is, and its card says why when it is time to know. */
const proveNothing = async (tx: Queries, order: Order, settleAt: Date | null, at: Date): Promise<void> => {
  const overdue = at.getTime() - latestSend(order).getTime() >= debitsShowWithinMs
  const reason = overdue && order.placement === 'unconfirmed' ? 'history_unreadable' : order.reason
  await tx.orders.patch(order.id, { settleAt, reason }, at)
  if (reason !== order.reason) await tell(tx, order, at)
}

/** As many of the debits in question as a message names. */
const mostDoubted = 10

/** The debits that may be the order's, for its person to look at. */
const doubtOf = ({ candidates }: Findings) =>
  ({
    about: 'doubt',
    debits: candidates.slice(0, mostDoubted).map(({ reference, amountPesewas, createdAtMs }) => ({
      reference,
      amountPesewas: amountPesewas as Pesewas,
      atMs: createdAtMs,
    })),
    more: Math.max(0, candidates.length - mostDoubted),
  }) as const

const nextRead = (order: Order, at: Date): Date | null => {
  const sentAt = latestSend(order)
  return order.placement === 'unconfirmed' ? nextSettling(sentAt, at) : nextWatch(sentAt, at)
}

/** A read that failed proves nothing: the orders stay as they are, the card says why, and it is tried again. */
const postpone = async (
  { store, now, log, onNotice }: SettlerOptions,
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
  const retryMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0
  await store.transaction(async (tx) => {
    for (const order of await tx.orders.awaitingRefund(accountId)) {
      if (order.refundAt === null || order.refundAt > at) continue
      const soon = new Date(at.getTime() + Math.max(failedReadAgainMs, retryMs))
      await tx.orders.patch(order.id, { refundAt: isGone ? null : soon }, at)
    }
    for (const order of await tx.orders.claimants(accountId)) {
      if (order.placement === 'sending' || order.settleAt === null || order.settleAt > at) continue
      const next = isGone ? null : nextRead(order, at)
      const settleAt = next && new Date(Math.max(next.getTime(), at.getTime() + retryMs))
      await proveNothing(tx, order, settleAt, at)
    }
  })
  onNotice()
}
