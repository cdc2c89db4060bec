import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Purpose } from '../accounts/budget.ts'
import { NoWallet, type Wallets } from '../accounts/wallets.ts'
import { crashPoint } from '../crash-point.ts'
import { accountHash } from '../log.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import type { DoubtedDebit, DoubtedOrder } from '../relay/notice.ts'
import type { Queries, Store } from '../store/store.ts'
import { accountedFor } from './accounted-debits.ts'
import { createDebitRecords, type DebitRecords } from './debit-records.ts'
import { type Evidence, suspectedBeforeMs, weigh } from './evidence.ts'
import { type Claimant, type Debit, isAlike, isReferenceOf } from './matching.ts'
import { chargeOf, type Order } from './order.ts'
import { type Pairing, pair } from './pairing.ts'
import { adopt, claimantOf, recordOf } from './proof.ts'
import { createProviderClock, type ProviderClock } from './provider-clock.ts'
import { applyRefund, learnRefunds, watchRefund } from './refunds.ts'
import {
  debitsShowWithinMs,
  latestSend,
  nextSettling,
  nextWatch,
  restAfter,
  settlingEndsMs,
  watchEndsMs,
} from './settling.ts'
import { tell } from './telling.ts'
import { createUnfinishedReads, type UnfinishedReads } from './unfinished-reads.ts'
import { readEntries, type WalletEntries } from './wallet-entries.ts'
import { historyEntriesPerPage } from './wallet-history.ts'

/**
 * Finds out what became of orders whose POST was not answered, by reading the wallet's entries: a matching debit
 * proves the charge, a complete read without one that began ten minutes after the send proves that there was
 * none. Nothing is ever sent again.
 */
export interface Settler {
  round(): Promise<void>
  /**
   * Reads the wallet of an account now, for a person who waits or another purpose.
   * @param owed orders whose refund is looked for though their day is over.
   * @throws {ProviderError | NoWallet}
   */
  check(accountId: string, purpose?: Purpose, owed?: readonly Order[]): Promise<void>
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
  /** Which debits are given to which orders, by other rules than those of `pairing`. */
  pairing?: typeof pair
}

/** A read that failed is tried again after this. */
const failedReadAgainMs = 60_000

/** A round does not wait longer than this for slow reads: they go on beside the next, and hold up no other account. */
const roundMs = 2_000

export const createSettler = (options: SettlerOptions): Settler => {
  const { store, now, log, sleep = unhurried } = options
  const reading = new Map<string, Promise<void>>()
  const means = {
    records: createDebitRecords(options.wallets),
    clock: createProviderClock(options),
    unfinished: createUnfinishedReads(),
  }

  /** Reads for one purpose are shared: what a person has no room for does not put off the settling. */
  const check: Settler['check'] = (accountId, purpose = 'person', owed = []) => {
    const key = [purpose, accountId, ...owed.map(({ id }) => id)].join(' ')
    const running = reading.get(key)
    if (running) return running
    const read = settleAccount(options, means, { accountId, purpose, owed }).finally(() =>
      reading.delete(key),
    )
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
  /** Orders whose refund is looked for though their day is over. */
  owed: readonly Order[]
}

/** What is kept from one read to the next. */
interface Means {
  records: DebitRecords
  clock: ProviderClock
  unfinished: UnfinishedReads
}

const settleAccount = async (
  options: SettlerOptions,
  { records: debitRecords, clock, unfinished }: Means,
  reading: Reading,
): Promise<void> => {
  const { store, now } = options
  const { accountId, purpose } = reading
  const awaiting = await store.orders.awaitingRefund(accountId)
  const failed = [...awaiting, ...reading.owed.filter(({ id }) => awaiting.every((each) => each.id !== id))]
  const open = [...(await store.orders.claimants(accountId)), ...failed]
  if (open.length === 0) return
  const at = now()
  const wanted = wantedOf(open, reading, at)
  const isOfOutcome = wanted.some(({ settleAt }) => settleAt !== null)
  const measured = isOfOutcome ? await clock.measure(accountId, purpose) : []
  const sinceMs = Math.min(...wanted.map((order) => earliestMs(order, { at, offsets: measured })))
  const name = `${purpose} ${accountId}`
  const history = unfinished.take(name, at, usefulMs(wanted, at))
  const { beganAt } = history
  const read = await readEntries(history, readerOf(options, reading), sinceMs).catch((error: unknown) => {
    unfinished.keep(name, history)
    throw error
  })
  if (read.isUnfinished) unfinished.keep(name, history)
  const isWhole = read.reachedMs < sinceMs

  await tellDoubleCharges(options, accountId, read)
  const view = { at: beganAt, offsets: await clock.learn(accountId, read.debits) }
  const isReached = (order: Order): boolean => read.reachedMs < earliestMs(order, view)

  // Read again: what was being sent meanwhile may have had its answer, and nothing is inferred beside one in flight.
  const orders = await store.orders.claimants(accountId)
  const free = await unexplained(store, accountId, read)
  const current = orders.map((order) => claimantAfter(read, order, view))
  const likely = free.filter((debit) => current.some((claimant) => isSuspect(claimant, debit)))
  const claimants = [...current, ...(await formerClaimants(store, accountId, orders, view))]
  const records = await debitRecords.read(accountId, purpose, likely)
  const named = await namedDebits(store, claimants, likely, records)
  const judge = judgeOf(records, named)
  const isShared = isUsedElsewhere(claimants, free, judge, beganAt)
  const pairing = (options.pairing ?? pair)(claimants, likely, judge, { isShared })

  for (const order of failed) {
    if (!isReached(order) && (read.isUnfinished || !wanted.includes(order))) continue
    await store.transaction((tx) =>
      applyRefund(tx, order, read.credits.get(order.reference ?? '') ?? 0, now()),
    )
  }
  await learnRefunds(options, accountId, read.credits, wholeSince(read))
  crashPoint('wallet_read')
  let ended = false
  for (const order of orders) {
    if (order.placement === 'sending') continue
    const own = claimantAt(order, view)
    const candidates = likely.filter((debit) => judge(own, debit).kind !== 'none')
    const others = claimants.filter(({ orderId }) => orderId !== order.id)
    const rivals = others.filter((other) => candidates.some((debit) => judge(other, debit).kind !== 'none'))
    const findings: Findings = {
      ...{ pairing, candidates, isShared, isWhole, read, records },
      isHeldUp: rivals.some(({ sending }) => sending),
      isReached: isReached(order),
      wasWanted: wanted.some(({ id }) => id === order.id),
      judge: (debit) => judge(own, debit),
      rivals: orders.filter(({ id }) => rivals.some(({ orderId }) => orderId === id)),
    }
    const settled = await store.transaction((tx) => apply(tx, order, findings, now()))
    ended ||= settled
  }
  options.onNotice()
  if (!ended) return
  options.onPlaced()
  options.onEnded()
}

/** So many pages are what a read mostly takes: those of a longer one leave room for all else in the budget. */
const usualPages = 5

const readerOf =
  ({ wallets }: SettlerOptions, { accountId, purpose }: Reading) =>
  (page: number, before: number) =>
    wallets.ask(accountId, before < usualPages ? purpose : 'reading', (provider) =>
      provider.transactions({ page, perPage: historyEntriesPerPage }),
    )

/** An unfinished read is gone on with for this long. */
const mostReadingMs = 30 * 60_000

/** How old an unfinished read may be: where orders wait to be denied it has to serve one of them at least. */
const usefulMs = (wanted: readonly Order[], at: Date): number => {
  const ripeMs = wanted
    .filter((order) => mayBeDenied(order, at))
    .map((order) => at.getTime() - latestSend(order).getTime() - debitsShowWithinMs)
  return ripeMs.length === 0 ? mostReadingMs : Math.min(mostReadingMs, Math.max(...ripeMs))
}

/**
 * Two debits with one reference are two charges of one order, also where one of them was given back: the refunds tell
 * that much, and what is left is the person's to see.
 */
const tellDoubleCharges = async (
  { store, now }: SettlerOptions,
  accountId: string,
  { debits, charges }: WalletEntries,
): Promise<void> => {
  for (const { reference, amountPesewas } of debits) {
    const charged = charges.get(reference ?? '') ?? amountPesewas
    if (reference === null || charged === amountPesewas) continue
    await store.transaction(async (tx) => {
      const order = await tx.orders.byReference(reference)
      if (order?.accountId !== accountId || charged <= chargeOf(order)) return
      const chargedPesewas = charged as Pesewas
      await tx.orders.patch(order.id, { chargedPesewas }, now())
      await watchRefund(tx, { ...order, chargedPesewas }, now())
      await tell(tx, order, now(), { about: 'other_price' })
    })
  }
}

/**
 * Orders of unknown outcome whose day is over. A debit of that day may be theirs as well as before: it is given to
 * nobody else for their silence.
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

/** The debits that no order of known outcome accounts for. */
const unexplained = async (store: Store, accountId: string, { debits }: WalletEntries): Promise<Debit[]> => {
  const held = await store.orders.heldReferences(debits.flatMap(({ reference }) => reference ?? []))
  const free = debits.filter(({ reference }) => reference === null || !held.has(reference))
  if (free.every(({ reference }) => reference !== null)) return free
  const oldestMs = Math.min(...free.map(({ createdAtMs }) => createdAtMs ?? Number.POSITIVE_INFINITY))
  const placed = Number.isFinite(oldestMs)
    ? await store.orders.placedSince(accountId, new Date(oldestMs - placedBeforeMs))
    : []
  const accounted = accountedFor(placed, debits)
  return free.filter((debit) => !accounted.has(debit))
}

/** An order that was confirmed this long before a debit may still have been what was charged. */
const placedBeforeMs = 24 * 60 * 60_000

/** Whether the debit is to be looked at for the claimant's sake. */
const isSuspect = (claimant: Claimant, debit: Debit): boolean =>
  (debit.createdAtMs === null || debit.createdAtMs >= claimant.suspectFromMs) && isAlike(claimant, debit)

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

/** How far back a debit that nothing explains tells that others use the wallet's key. */
const sharedWithinMs = 3 * 24 * 60 * 60_000

/** Whether somebody else orders with the same key: there are debits of late that no order here explains or may claim. */
const isUsedElsewhere = (claimants: Claimant[], debits: Debit[], judge: Judge, at: Date): boolean =>
  debits.some(
    (debit) =>
      (debit.createdAtMs ?? at.getTime()) >= at.getTime() - sharedWithinMs &&
      claimants.every((claimant) => judge(claimant, debit).kind === 'none'),
  )

/**
 * The orders for which the wallet is read, and so how far back: each hour of a busy wallet costs a request or more,
 * so it is not read to the oldest order of a day each time that a new one is looked for.
 */
const wantedOf = (open: Order[], { purpose, owed }: Reading, at: Date): Order[] => {
  const isDue = (time: Date | null) => time !== null && time <= at
  const isAskedFor = ({ id, placement }: Order) =>
    (purpose === 'person' && placement === 'unconfirmed') || owed.some((each) => each.id === id)
  const wanted = open.filter((order) => isDue(order.settleAt) || isDue(order.refundAt) || isAskedFor(order))
  return wanted.length > 0 ? wanted : open
}

/** An order is denied when its debit has had this long to show: then it is looked at more widely. */
const mayBeDenied = (order: Order, at: Date): boolean =>
  order.placement === 'unconfirmed' && at.getTime() - latestSend(order).getTime() >= debitsShowWithinMs

/** When the wallet was read, and how far the provider's clock is from ours then. */
interface View {
  at: Date
  offsets: readonly number[]
}

const claimantAt = (order: Order, { at, offsets }: View): Claimant => {
  const claimant = claimantOf(order, offsets)
  return mayBeDenied(order, at) ? claimant : { ...claimant, suspectFromMs: claimant.notBeforeMs }
}

const earliestMs = (order: Order, view: View): number => claimantAt(order, view).suspectFromMs

/** Of older orders credits may be missing; null where none is known to be read whole. */
const wholeSince = ({ reachedMs }: WalletEntries): Date | null =>
  reachedMs === Number.POSITIVE_INFINITY ? null : new Date(Math.max(0, reachedMs))

/** Of one that was not read back to, or was sent since, entries may be missing: nothing that it may claim is given to anybody. */
const claimantAfter = ({ reachedMs, beganAt }: WalletEntries, order: Order, view: View): Claimant => {
  const claimant = claimantAt(order, view)
  const isUnseen = !(reachedMs < claimant.notBeforeMs) || latestSend(order) > beganAt
  return { ...claimant, sending: claimant.sending || isUnseen }
}

/** The debits that callbacks on an order's own token have named, with that order: proof, which no inference may take away. */
const namedDebits = async (
  store: Store,
  claimants: Claimant[],
  debits: Debit[],
  records: ReadonlyMap<Debit, OrderStatus>,
): Promise<Map<Debit, string>> => {
  const named = new Map<Debit, string>()
  if (debits.length === 0) return named
  for (const claimant of claimants) {
    for (const { reference } of await store.events.ofOrder(claimant.orderId, 'held')) {
      const debit = debits.find((other) => other.reference === reference)
      const record = debit && records.get(debit)
      if (!debit || !record) continue
      const { kind } = weigh(claimant, debit, { record: recordOf(record), namedFor: null })
      if (kind !== 'none') named.set(debit, claimant.orderId)
    }
  }
  return named
}

interface Findings {
  pairing: Pairing
  /** The debits that may be this order's. */
  candidates: Debit[]
  /** What a debit says of this order. */
  judge: (debit: Debit) => Evidence
  /** Other orders that may claim one of them. */
  rivals: Order[]
  /** One that is being sent, or was not read back to, may claim one of them. */
  isHeldUp: boolean
  /** Every entry that may be this order's was read. */
  isReached: boolean
  /** Others use the wallet's key too. */
  isShared: boolean
  /** The wallet was read for its sake. */
  wasWanted: boolean
  /** It was read as far back as it was to be. */
  isWhole: boolean
  read: WalletEntries
  records: ReadonlyMap<Debit, OrderStatus>
}

/** @returns whether the order is settled by what was found. */
const apply = async (tx: Queries, seen: Order, findings: Findings, at: Date): Promise<boolean> => {
  const order = await tx.orders.byId(seen.id)
  // A callback may have proven it since it was read, or its account was erased: then it claims no debit any more.
  if (order?.placement !== seen.placement || order.settleAt === null) return false
  const { pairing, candidates, isHeldUp, isReached, isShared, judge, read, records } = findings
  const debit = pairing.pairs.find(({ orderId }) => orderId === order.id)?.debit
  const record = debit && records.get(debit)
  if (record) {
    const charged = (read.charges.get(record.reference) ?? debit.amountPesewas) as Pesewas
    const by = judge(debit).kind === 'proven' ? 'proof' : 'inference'
    if (await adopt(tx, order, record, { by, isLikely: isShared, chargedPesewas: charged }, at)) return true
  }
  const sentAt = latestSend(order)
  // By a clock that was set back meanwhile, the read began in the future: it tells no age.
  const age = read.beganAt > at ? 0 : read.beganAt.getTime() - sentAt.getTime()
  const isWithout = pairing.without.includes(order.id) && isReached
  // A callback on its own token has named a reference: the look-up may learn it yet.
  const isHinted = isWithout && (await isNamedBy(tx, order))
  const isDenied = isWithout && !isHinted
  if (order.placement === 'unconfirmed' && isDenied && age >= debitsShowWithinMs) {
    const patch = { reason: 'no_debit', settleAt: nextWatch(sentAt, at), nextPollAt: null }
    if (!(await tx.orders.go({ id: order.id }, 'not_placed', patch, at))) return false
    await tx.orders.wakeWaiting(order.id)
    await tell(tx, order, at, { about: 'placement' })
    return true
  }
  const isOpen = isHinted || pairing.doubtful.includes(order.id)
  const isDoubtful = order.placement === 'unconfirmed' && isOpen
  if (isDoubtful && !isHeldUp && age >= settlingEndsMs) {
    const isProvable = candidates.some((each) => judge(each).kind === 'adoptable')
    const reason = isProvable ? 'ambiguous' : isHinted ? 'hinted' : 'unexplained'
    if (await tx.orders.go({ id: order.id }, 'review', { reason, settleAt: nextWatch(sentAt, at) }, at)) {
      const doubts = isHinted ? [] : await newDoubts(tx, order, findings, at)
      await tell(tx, order, at, { about: 'placement' }, ...doubts)
    }
    return false
  }
  if (!isReached) {
    await fellShort(tx, order, findings, at)
    return false
  }
  await tx.orders.patch(order.id, { settleAt: nextRead(order, at, read) }, at)
  if (order.placement === 'unconfirmed') return false
  const doubts = await newDoubts(tx, order, findings, at)
  if (doubts.length === 0) return false
  if (order.placement === 'not_placed') await tx.orders.patch(order.id, { reason: 'late_doubt' }, at)
  await tell(tx, order, at, ...doubts)
  return false
}

/** Each debit that may be the order's is told of once, as soon as it is seen. */
const newDoubts = async (tx: Queries, { id }: Order, findings: Findings, at: Date): Promise<Doubt[]> => {
  const told = new Set((await tx.events.ofOrder(id, 'doubted')).map(({ reference }) => reference))
  const fresh = findings.candidates.filter((debit) => !told.has(nameOf(debit)))
  for (const debit of fresh) {
    const happenedAt = debit.createdAtMs === null ? null : new Date(debit.createdAtMs)
    const seen = { reference: nameOf(debit), status: 'debit', happenedAt, receivedAt: at }
    await tx.events.note({ orderId: id, source: 'poll', ...seen }, 'doubted')
  }
  return fresh.length > 0 ? [doubtOf({ ...findings, candidates: fresh })] : []
}

const nameOf = ({ reference, amountPesewas, createdAtMs }: Debit): string =>
  reference ?? `#${amountPesewas}/${createdAtMs}`

type Doubt = ReturnType<typeof doubtOf>

const isNamedBy = async (tx: Queries, { id, kind }: Order): Promise<boolean> =>
  (await tx.events.ofOrder(id, 'held')).some(({ reference }) => isReferenceOf(kind, reference))

/** The read did not go back to it: it is read for at once if something was seen that may be its own. */
const fellShort = async (
  tx: Queries,
  order: Order,
  { candidates, wasWanted, isWhole, read }: Findings,
  at: Date,
): Promise<void> => {
  if (wasWanted) await proveNothing(tx, order, nextRead(order, at, read), at)
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

/** The debits that may be the order's, for its person to look at, and the other orders that may be meant. */
const doubtOf = ({ candidates, rivals, isShared }: Findings) =>
  ({
    about: 'doubt',
    debits: candidates.slice(0, mostDoubted).map(
      ({ reference, amountPesewas, description, createdAtMs }): DoubtedDebit => ({
        reference,
        amountPesewas: amountPesewas as Pesewas,
        atMs: createdAtMs,
        ...(reference === null && { description }),
      }),
    ),
    more: Math.max(0, candidates.length - mostDoubted),
    others: rivals.slice(0, mostDoubted).map(
      ({ network, volume, quantity, sentAt, createdAt }): DoubtedOrder => ({
        ...{ network, volume, quantity },
        sentAtMs: (sentAt ?? createdAt).getTime(),
      }),
    ),
    isShared,
  }) as const

/** @param read what it took, where it was finished: a long one is not begun anew at once. */
const nextRead = (order: Order, at: Date, read: WalletEntries | null = null): Date | null => {
  const sentAt = latestSend(order)
  if (order.placement !== 'unconfirmed') return nextWatch(sentAt, at)
  const next = nextSettling(sentAt, at)
  return read === null || read.isUnfinished ? next : restAfter(read.requests, sentAt, at, next)
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
