import { fitsRecord, isReferenceOf } from '../../domain/debits/matching.ts'
import type { Order, Recipient } from '../../domain/order/order.ts'
import { haveAllRecipientsEnded } from '../../domain/order/recipient-ends.ts'
import { type IncomingStatus, isTerminal } from '../../domain/order/status.ts'
import { givenUpMs, pollAgainAtLatestMs } from '../../domain/times/polling-schedule.ts'
import { type OrderStatus, ProviderError } from '../../provider/index.ts'
import type { Queries } from '../../store/store.ts'
import type { Purpose } from '../../wallets/budget.ts'
import { isWalletError, NoWallet } from '../../wallets/wallets.ts'
import { claimantOf } from '../reconciling/claimants.ts'
import { accountsFor, adoptReference, isStillOwn, recordOf, takeReferenceBack } from '../reconciling/proof.ts'
import type { ReconcilerOptions } from '../reconciling/reconciler.ts'
import { watchRefund } from '../reconciling/refunds.ts'
import { judgeSecond } from '../reconciling/second-reference.ts'
import { closeIfDone, enqueueListChange, enqueueNews } from './order-news.ts'
import { withPrefetched } from './read-ahead.ts'
import { applyRecipientRecord } from './recipient-reports.ts'
import { applyStatus, enqueueStale, redrawUnconfirmed, regularPoll } from './status-change.ts'

/**
 * If an account's request limit prevents a poll, the next try is at least this much later, ms, because each try writes
 * to the database.
 */
const limitedAgainMs = 5_000
const pollAgainMs = 60_000

/** If the provider does not know a reference that callbacks named, it is looked up again for this long, ms. */
const hintedForMs = 24 * 60 * 60_000

/**
 * After a callback about one number of a bulk order, callbacks about its other numbers are expected for this long, ms.
 */
const numbersQuietMs = 30_000

/**
 * Asks the provider for the order's status, or for proof that it exists, and applies the answer.
 * @throws {WalletError}
 */
export const ask = async (options: TrackerOptions, order: Order, purpose: Purpose): Promise<void> => {
  const { store, now } = options
  const named = await namedReferences(store, order)
  if (isProven(order)) await askSeconds(options, order, named, purpose)
  const hinted = isProven(order) ? [] : named
  if (hinted.length === 0 && !order.reference) {
    // The order has no reference to look up, so its poll is cancelled, unless a callback has just named one, or the order
    // was placed in the meantime.
    await store.transaction(
      async (tx) => {
        const current = await tx.orders.byId(order.id)
        if (current?.reference !== null || (await namedReferences(tx, current)).length > 0) return
        await tx.orders.patch(order.id, { nextPollAt: null }, now())
      },
      { accounts: [order.accountId] },
    )
    return
  }
  const began = now()
  const record = await answerFor(options, order, hinted, purpose)
  const { reference } = record
  const { proven, ended } = await store.transaction(
    async (queries) => {
      const read = await queries.orders.toReport([order.id], now())
      const tx = withPrefetched(queries, read)
      const current = read[0]?.order ?? null
      const isKnown = current?.reference === reference
      if (isKnown && !isStillOwn(current, record)) {
        await takeReferenceBack(tx, current, reference, now())
        return { proven: false, ended: false }
      }
      const isNamed = current !== null && hinted.includes(reference)
      const placed = isKnown ? current : isNamed && (await proveBy(tx, current, reference, record, now()))
      if (!placed) return { proven: false, ended: false }
      const incoming: IncomingStatus = { source: 'poll', status: record.status, at: began }
      const recipients =
        placed.kind === 'bulk'
          ? await applyRecipients(tx, placed, { ...record, began }, now())
          : placed.recipients
      const told = { ...placed, recipients }
      const change = awaitsNumbers(placed, told, record.status, now())
        ? await waitForNumbers(tx, placed, now())
        : await applyStatus(tx, told, incoming, record.deliveredAt, now())
      if (placed.kind === 'bulk') await watchRecipients(tx, placed, now())
      await planForNamed(tx, placed, named, now())
      return { proven: !isKnown, ended: change.ended || placed.kind === 'bulk' }
    },
    { accounts: await accountsFor(store, order, reference) },
  )
  options.onNotice()
  if (proven) options.onPlaced()
  if (ended) options.onEnded()
}

/** Whether the order's reference is proven, so that any other that callbacks name can only be a second one. */
const isProven = ({ reference, inferred }: Order): boolean => reference !== null && !inferred

/** Looks up the references that callbacks named for a proven order besides its own. */
const askSeconds = async (
  options: TrackerOptions,
  order: Order,
  named: readonly string[],
  purpose: Purpose,
): Promise<void> => {
  const { store, now, onPlaced } = options
  for (const reference of named) {
    const record = await lookUp(options, order, reference, purpose).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return null
    })
    const verdict = await store.transaction(
      async (tx) => {
        const verdict = record ? await judgeSecond(tx, order, record, now()) : 'open'
        if (verdict === 'foreign') await disown(tx, order, reference, now())
        if (record === null) await dismissOld(tx, order.id, now())
        return verdict
      },
      { accounts: [order.accountId] },
    )
    if (verdict === 'second') onPlaced()
  }
}

/**
 * Whether callbacks still arrive for single numbers of a bulk order that has ended as a whole. If its end counted now,
 * the list would be closed with “not known” for numbers whose callbacks are seconds away.
 */
const awaitsNumbers = (before: Order, told: Order, status: string, now: Date): boolean =>
  told.kind === 'bulk' &&
  isTerminal(status) &&
  !haveAllRecipientsEnded(told) &&
  before.recipients.some(
    ({ reported, statusAt }) =>
      reported && statusAt !== null && now.getTime() - statusAt.getTime() < numbersQuietMs,
  )

/** Leaves the end of the whole order to the next poll, whose time is stored so that a restart does not lose it. */
const waitForNumbers = async (tx: Queries, { id }: Order, now: Date): Promise<{ ended: boolean }> => {
  await tx.orders.patch(id, { nextPollAt: new Date(now.getTime() + numbersQuietMs) }, now)
  return { ended: false }
}

const applyRecipients = async (
  tx: Queries,
  order: Order,
  record: OrderStatus & { began: Date },
  now: Date,
): Promise<Recipient[]> => {
  const recipients = await applyRecipientRecord(tx, order, record, now)
  await enqueueListChange(tx, order, recipients, now)
  return recipients
}

/**
 * After recipients' statuses have changed: wakes the orders that wait for their phones, starts to watch for refunds of
 * failed recipients, and redraws the card.
 */
const watchRecipients = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await tx.orders.wakeWaiting(order.id)
  const current = await tx.orders.byId(order.id)
  if (current) await watchRefund(tx, current, now)
  await enqueueNews(tx, order, now)
}

/**
 * Reads the provider's records of the references that callbacks named, and returns the newest one that fits the order
 * or, if none does, the newest one that the look-up knows. If it knows none of them, returns the record of the order's
 * own reference.
 */
const answerFor = async (
  options: TrackerOptions,
  order: Order,
  hinted: readonly string[],
  purpose: Purpose,
): Promise<OrderStatus> => {
  const { store, now, onLookedUp } = options
  const { id, accountId, reference } = order
  const askOwn = async (own: string): Promise<OrderStatus> => {
    try {
      const record = await lookUp(options, order, own, purpose)
      onLookedUp?.(order, true)
      return record
    } catch (error) {
      if (isNotFound(error)) onLookedUp?.(order, false)
      throw error
    }
  }
  const records: OrderStatus[] = []
  let unknown: unknown = null
  for (const hint of hinted) {
    if (hint === reference) break
    try {
      records.push(await lookUp(options, order, hint, purpose))
    } catch (error) {
      if (!isNotFound(error)) throw error
      unknown = error
    }
  }
  const claimant = claimantOf(order)
  const record = records.find((each) => fitsRecord(claimant, recordOf(each))) ?? records[0]
  if (record) return record
  if (unknown) await store.transaction((tx) => dismissOld(tx, id, now()), { accounts: [accountId] })
  if (reference === null) throw unknown
  return askOwn(reference)
}

/** @throws {WalletError} */
const lookUp = async (
  { wallets }: TrackerOptions,
  { accountId }: Order,
  reference: string,
  purpose: Purpose,
): Promise<OrderStatus> => ({
  ...(await wallets.ask(accountId, purpose, (provider) => provider.orderStatus(reference))),
  reference,
})

const isNotFound = (error: unknown): boolean => error instanceof ProviderError && error.code === 'not_found'

/**
 * Marks callbacks that are more than a day old as another order's, because the look-up still does not know their
 * reference.
 */
const dismissOld = async (tx: Queries, id: string, at: Date): Promise<void> => {
  for (const { id: reportId, receivedAt } of await tx.statusReports.ofOrder(id, 'unmatched')) {
    if (at.getTime() - receivedAt.getTime() > hintedForMs) await tx.statusReports.disown([reportId], at)
  }
}

/**
 * Plans a poll for references that callbacks named and that are not judged yet. The poll is due immediately if this one
 * has not looked them all up; otherwise soon, because the look-up may find them later.
 */
const planForNamed = async (
  tx: Queries,
  order: Order,
  lookedUp: readonly string[],
  at: Date,
): Promise<void> => {
  const left = await namedReferences(tx, order)
  if (left.length === 0) return
  const isNew = left.some((reference) => !lookedUp.includes(reference))
  const by = isNew ? at : new Date(at.getTime() + pollAgainAtLatestMs)
  const current = await tx.orders.byId(order.id)
  if (!current?.nextPollAt || current.nextPollAt > by) await tx.orders.patch(order.id, { nextPollAt: by }, at)
}

/** The most references from callbacks that one poll looks up. Each costs a request. */
const maxNamed = 3

/** The references that callbacks named and that are not judged yet, newest first, except those of single recipients. */
const namedReferences = async (
  { statusReports }: Pick<Queries, 'statusReports'>,
  order: Order,
): Promise<string[]> => {
  const held = await statusReports.ofOrder(order.id, 'unmatched')
  const named = held.map(({ reference }) => reference).filter((each) => isReferenceOf(order.kind, each))
  return [...new Set(named.toReversed())].slice(0, maxNamed)
}

/**
 * Adopts a reference from callbacks if its record fits the order; otherwise dismisses it.
 * @returns the proven order; null if the reference was dismissed.
 */
const proveBy = async (
  tx: Queries,
  order: Order,
  reference: string,
  record: OrderStatus,
  at: Date,
): Promise<Order | null> => {
  if (await adoptReference(tx, order, record, { by: 'proof', chargedPesewas: null }, at)) {
    const proven = await tx.orders.byId(order.id)
    // Without a known status, the one in the record counts as new.
    return proven && { ...proven, status: null }
  }
  await dismiss(tx, order, reference, at)
  return null
}

/** Marks a reference as another order's and makes a poll due immediately, which looks up the next reference. */
const dismiss = async (tx: Queries, order: Order, reference: string, at: Date): Promise<void> => {
  await disown(tx, order, reference, at)
  await tx.orders.patch(order.id, { nextPollAt: at }, at)
}

const disown = async (tx: Queries, { id }: Order, reference: string, at: Date): Promise<void> => {
  const held = await tx.statusReports.ofOrder(id, 'unmatched')
  const its = held.filter((report) => report.reference === reference)
  await tx.statusReports.disown(
    its.map((report) => report.id),
    at,
  )
}

/**
 * Plans the next poll after a failed one. A failure says nothing about the order. If the credentials were refused,
 * `wallets` has noted it already.
 */
export const planAfterFailure = async (
  options: TrackerOptions,
  order: Order,
  error: unknown,
): Promise<void> => {
  const { store, now, log } = options
  const isExpected = isWalletError(error)
  if (isExpected) log.info({ orderId: order.id, code: error.code }, 'a status could not be read')
  else log.error({ orderId: order.id, err: error }, 'a status could not be asked or applied')
  const at = now()
  const waitMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0
  // The limit applies to the whole account, so all its polls are delayed. Trying each order in vain would delay other
  // accounts.
  if (waitMs > 0) {
    await store.orders.putOffPolls(order.accountId, new Date(at.getTime() + Math.max(waitMs, limitedAgainMs)))
    return
  }
  if (await giveUpPolling(options, order, at)) return
  const regular = order.placedAt ? await regularPoll(store, order, at) : null
  const soon = new Date(at.getTime() + (isExpected ? pollAgainMs : pollAgainAtLatestMs))
  // If the next regular poll is hours away, the order is polled earlier, because this poll has learned nothing.
  const latest = Math.min(regular?.getTime() ?? Number.POSITIVE_INFINITY, at.getTime() + pollAgainAtLatestMs)
  const nextPollAt = error instanceof NoWallet ? null : new Date(Math.max(soon.getTime(), latest))
  await store.transaction(
    async (tx) => {
      // Another process may have polled the order for the last time in the meantime.
      const current = await tx.orders.byId(order.id)
      if (current?.nextPollAt === null) return
      if (current) await redrawUnconfirmed(tx, current, at)
      await tx.orders.patch(order.id, { nextPollAt }, at)
      if (order.listed && nextPollAt === null) await closeIfDone(tx, order, at)
    },
    { accounts: [order.accountId] },
  )
  options.onNotice()
}

/**
 * Stops polling an order if its schedule is over and the provider cannot be asked. @returns false if polling continues.
 */
const giveUpPolling = async (
  { store, onNotice, onEnded }: TrackerOptions,
  { id, accountId }: Order,
  at: Date,
) => {
  const ended = await store.transaction(
    async (tx) => {
      const order = await tx.orders.byId(id)
      if (order?.placement !== 'placed' || isTerminal(order.status)) return false
      const answeredAt = order.answeredAt ?? order.sentAt ?? order.createdAt
      if (at.getTime() - answeredAt.getTime() < givenUpMs) return false
      if (haveAllRecipientsEnded(order)) {
        await tx.orders.patch(id, { nextPollAt: null }, at)
        return true
      }
      await tx.orders.patch(id, { nextPollAt: null, reason: 'stale' }, at)
      await enqueueStale(tx, order, at)
      return true
    },
    { accounts: [accountId] },
  )
  if (!ended) return false
  onNotice()
  onEnded()
  return true
}

export interface TrackerOptions extends Omit<ReconcilerOptions, 'onMore'> {
  onPollDue: () => void
  /** Called after each look-up of an order's own reference. */
  onLookedUp?: (order: Order, isFound: boolean) => void
  /** Resolves once no work with a higher priority is waiting for the database. */
  giveWay?: () => Promise<void>
}
