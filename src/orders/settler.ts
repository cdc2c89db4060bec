import type { Logger } from 'pino'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { crashPoint } from '../crash-point.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Queries, Store } from '../store/store.ts'
import { type Claimant, type Debit, fitsRecord, mayBelong, type Pairing, pair } from './matching.ts'
import { chargeOf, type Order } from './order.ts'
import { adopt, claimantOf, recordOf } from './proof.ts'
import { tell } from './purchases.ts'
import { confirmedByRefund, failedAt, owedRefund } from './recipients.ts'
import {
  debitsShowWithinMs,
  latestSend,
  nextRefundCheck,
  nextSettling,
  nextWatch,
  settlingEndsMs,
} from './settling.ts'

/**
 * Finds out what became of orders whose POST was not answered, by reading the wallet's entries: a matching debit
 * proves the charge, a complete read without one that began ten minutes after the send proves that there was
 * none. Nothing is ever sent again.
 */
export interface Settler {
  round(): Promise<void>
  /** Reads the wallet of an account now. @throws {ProviderError | NoWallet} */
  check(accountId: string): Promise<void>
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
}

/** Pages of the largest size; a wallet with more entries than this in the time in question is not read to the end. */
const entriesPerPage = 100
const mostPages = 50

/** A read that failed is tried again after this. */
const failedReadAgainMs = 60_000

interface WalletRead {
  beganAt: Date
  debits: Debit[]
  /** What came back to the wallet, by the reference of its order. */
  credits: Map<string, number>
  /** Every entry back to the time in question was read, and understood. */
  complete: boolean
}

export const createSettler = (options: SettlerOptions): Settler => {
  const { store, now, log } = options
  const reading = new Map<string, Promise<void>>()
  const known: KnownRecords = new Map()

  const check = (accountId: string): Promise<void> => {
    const running = reading.get(accountId)
    if (running) return running
    const read = settleAccount(options, known, accountId).finally(() => reading.delete(accountId))
    reading.set(accountId, read)
    return read
  }

  const checkDue = async (accountId: string): Promise<void> => {
    try {
      await check(accountId)
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      log.info({ code: error.code }, 'the entries of a wallet could not be read')
      await postpone(options, accountId, error)
    }
  }

  return {
    check,
    round: async () => {
      const due = await store.orders.dueToSettle(now(), 500)
      await Promise.all([...new Set(due.map(({ accountId }) => accountId))].map(checkDue))
    },
  }
}

const settleAccount = async (
  options: SettlerOptions,
  known: KnownRecords,
  accountId: string,
): Promise<void> => {
  const { store, now } = options
  const before = await store.orders.claimants(accountId)
  const failed = await store.orders.awaitingRefund(accountId)
  if (before.length + failed.length === 0) return
  const sinceMs = Math.min(...[...before, ...failed].map((order) => claimantOf(order).notBeforeMs))
  const read = await readDebits(options, accountId, sinceMs)
  const held = await store.orders.heldReferences(read.debits.map(({ reference }) => reference))
  const free = read.debits.filter(({ reference }) => !held.has(reference))

  // Read again: what was being sent meanwhile may have had its answer, and nothing is inferred beside one in flight.
  const orders = await store.orders.claimants(accountId)
  const claimants = orders.map(claimantOf)
  const likely = free.filter((debit) => claimants.some((claimant) => mayBelong(claimant, debit)))
  const records = await readRecords(options, known, accountId, likely)
  const fits = (claimant: Claimant, debit: Debit): boolean => {
    const record = records.get(debit.reference)
    return mayBelong(claimant, debit) && record !== undefined && fitsRecord(claimant, recordOf(record))
  }
  const named = await namedDebits(store, claimants, likely, fits)
  const mayClaim = (claimant: Claimant, debit: Debit): boolean =>
    fits(claimant, debit) && isNotAnothers(named, claimant.orderId, debit.reference)
  const pairing = pair(claimants, likely, mayClaim)

  for (const order of failed) {
    await store.transaction((tx) =>
      applyRefund(tx, order, read.credits.get(order.reference ?? '') ?? 0, now()),
    )
  }
  crashPoint('wallet_read')
  let ended = false
  for (const order of orders) {
    if (order.placement === 'sending') continue
    const candidates = likely.filter((debit) => mayClaim(claimantOf(order), debit))
    const findings = { pairing, candidates, named, read, records }
    const settled = await store.transaction((tx) => apply(tx, order, findings, now()))
    ended ||= settled
  }
  options.onNotice()
  if (!ended) return
  options.onPlaced()
  options.onEnded()
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

/**
 * Reads the entries back to that time, all of them each time. What was read before cannot be left out: a debit may
 * show minutes late among older entries, the API promises no order, and `total` may stand still while an entry comes
 * and another drops out of what is “recent” (§4.6). Newest first, one page of a hundred mostly reaches far enough.
 */
const readDebits = async (
  { wallets, now }: SettlerOptions,
  accountId: string,
  sinceMs: number,
): Promise<WalletRead> => {
  const beganAt = now()
  const debits = new Map<string, Debit>()
  const credits = new Map<string, { reference: string; amountPesewas: number }>()
  let complete = false
  // An old entry ends the read only where nothing newer can follow it: the API promises no order (§4.6).
  let isNewestFirst = true
  let oldestMs = Number.POSITIVE_INFINITY
  // New entries that arrive between two pages shift older ones to a later page, where they are met again.
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await wallets.ask(accountId, 'settling', (provider) =>
      provider.transactions({ page, perPage: entriesPerPage }),
    )
    for (const entry of answer.transactions) {
      if (entry.reference === null) continue
      // Met twice where entries shifted between pages: counted once.
      if (entry.type === 'credit') credits.set(String(entry.id), { ...entry, reference: entry.reference })
      if (entry.type !== 'debit') continue
      debits.set(entry.reference, {
        reference: entry.reference,
        amountPesewas: entry.amountPesewas,
        description: entry.description,
        createdAtMs: entry.createdAt?.getTime() ?? null,
      })
    }
    if (answer.unreadable > 0) break
    for (const { createdAt } of answer.transactions) {
      if (createdAt === null) continue
      isNewestFirst &&= createdAt.getTime() <= oldestMs
      oldestMs = Math.min(oldestMs, createdAt.getTime())
    }
    const reachedBack = isNewestFirst && oldestMs < sinceMs
    const last = answer.pagination?.lastPage ?? null
    const isEnd = last === null ? answer.transactions.length < entriesPerPage : page >= last
    complete = reachedBack || isEnd
    if (complete) break
  }
  return { beganAt, debits: [...debits.values()], credits: sums(credits.values()), complete }
}

const sums = (entries: Iterable<{ reference: string; amountPesewas: number }>): Map<string, number> => {
  const result = new Map<string, number>()
  for (const { reference, amountPesewas } of entries) {
    result.set(reference, (result.get(reference) ?? 0) + amountPesewas)
  }
  return result
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
  accountId: string,
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
      const record = await wallets.ask(accountId, 'settling', (provider) => provider.orderStatus(reference))
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
  named: Map<string, string>
  read: WalletRead
  records: Map<string, OrderStatus>
}

/** @returns whether the order is settled by what was found. */
const apply = async (tx: Queries, order: Order, findings: Findings, at: Date): Promise<boolean> => {
  // A callback may have proven it since it was read: what is placed claims no debit any more.
  if ((await tx.orders.byId(order.id))?.placement !== order.placement) return false
  const { pairing, candidates, named, read, records } = findings
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
    if (read.complete && age >= debitsShowWithinMs) {
      const patch = { reason: 'no_debit', settleAt: nextWatch(sentAt, at), nextPollAt: null }
      if (!(await tx.orders.go({ id: order.id }, 'not_placed', patch, at))) return false
      await tx.orders.wakeWaiting(order.id)
      await tell(tx, order, at, { about: 'placement' })
      return true
    }
  }
  if (order.placement === 'unconfirmed' && pairing.doubtful.includes(order.id) && age >= settlingEndsMs) {
    const patch = { reason: 'ambiguous', settleAt: nextWatch(sentAt, at) }
    if (await tx.orders.go({ id: order.id }, 'review', patch, at)) {
      await tell(tx, order, at, { about: 'placement' }, doubtOf(findings))
    }
    return false
  }
  await tx.orders.patch(order.id, { settleAt: nextRead(order, at) }, at)
  if (order.placement === 'not_placed' && order.reason !== 'late_doubt' && candidates.length > 0) {
    await tx.orders.patch(order.id, { reason: 'late_doubt' }, at)
    await tell(tx, order, at, doubtOf(findings))
  }
  return false
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
  { store, now, onNotice }: SettlerOptions,
  accountId: string,
  error: ProviderError | NoWallet,
): Promise<void> => {
  const at = now()
  const retryMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0
  await store.transaction(async (tx) => {
    for (const order of await tx.orders.awaitingRefund(accountId)) {
      if (order.refundAt === null || order.refundAt > at) continue
      const soon = new Date(at.getTime() + Math.max(failedReadAgainMs, retryMs))
      await tx.orders.patch(order.id, { refundAt: error instanceof NoWallet ? null : soon }, at)
    }
    for (const order of await tx.orders.claimants(accountId)) {
      if (order.placement === 'sending' || order.settleAt === null || order.settleAt > at) continue
      const next = error instanceof NoWallet ? null : nextRead(order, at)
      const settleAt = next && new Date(Math.max(next.getTime(), at.getTime() + retryMs))
      const overdue = at.getTime() - latestSend(order).getTime() >= debitsShowWithinMs
      const reason = overdue && order.placement === 'unconfirmed' ? 'history_unreadable' : order.reason
      await tx.orders.patch(order.id, { settleAt, reason }, at)
      if (reason !== order.reason) await tell(tx, order, at)
    }
  })
  onNotice()
}
