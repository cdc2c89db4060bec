import type { Purpose } from '../accounts/budget.ts'
import { NoWallet } from '../accounts/wallets.ts'
import { type OrderStatus, ProviderError } from '../provider/index.ts'
import type { Queries, Store } from '../store/store.ts'
import { isReferenceOf } from './matching.ts'
import type { Order, Recipient } from './order.ts'
import { adopt, isStillOwn, renounce } from './proof.ts'
import { applyRecipientRecord, isEachEndTold } from './recipients.ts'
import { watchRefund } from './refunds.ts'
import { givenUpMs } from './schedule.ts'
import { isTerminal, type Report } from './status.ts'
import { applyReport, regularPoll, sayStale } from './status-change.ts'
import { closeIfDone, tell, tellOfChange } from './telling.ts'
import type { TrackerOptions } from './tracker.ts'

/** Polls for which an account has no room come again after this at the soonest: each try is a write. */
const limitedAgainMs = 5_000
/** A poll that failed is tried again after this. */
const pollAgainMs = 60_000
/** And at the latest after this, however far off the next regular one is. */
const pollAgainAtLatestMs = 15 * 60_000

/** A reference that callbacks named and that the look-up does not know is asked for this long. */
const hintedForMs = 24 * 60 * 60_000

/** Asks the provider for the order's status, or for proof of it, and applies the answer. */
export const ask = async (options: TrackerOptions, order: Order, purpose: Purpose): Promise<void> => {
  const { store, now } = options
  const hinted = order.reference === null || order.inferred ? await hintedReference(store, order) : null
  if (!hinted && !order.reference) {
    // It may have been placed since it was read, and is followed then.
    await store.transaction(async (tx) => {
      const current = await tx.orders.byId(order.id)
      if (current?.reference === null) await tx.orders.patch(order.id, { nextPollAt: null }, now())
    })
    return
  }
  const began = now()
  const { record, isHintUnknown } = await recordOf(options, order, hinted, purpose)
  const { reference } = record
  const { proven, ended } = await store.transaction(async (tx) => {
    const current = await tx.orders.byId(order.id)
    const isKnown = current?.reference === reference
    if (isKnown && !isStillOwn(current, record)) {
      await renounce(tx, current, reference, now())
      return { proven: false, ended: false }
    }
    const isNamed = current !== null && reference === hinted
    const placed = isKnown ? current : isNamed && (await proveBy(tx, current, reference, record, now()))
    if (!placed) return { proven: false, ended: false }
    const report: Report = { source: 'poll', status: record.status, at: began }
    const recipients =
      placed.kind === 'bulk'
        ? await applyRecipients(tx, placed, { ...record, began }, now())
        : placed.recipients
    const change = await applyReport(tx, { ...placed, recipients }, report, record.deliveredAt, now())
    if (placed.kind === 'bulk') await watchRecipients(tx, placed, now())
    if (isHintUnknown) await askAgain(tx, placed, now())
    return { proven: !isKnown, ended: change.ended || placed.kind === 'bulk' }
  })
  options.onNotice()
  if (proven) options.onPlaced()
  if (ended) options.onEnded()
}

/** The single recipients of a bulk order, as its record tells of them. */
const applyRecipients = async (
  tx: Queries,
  order: Order,
  record: OrderStatus & { began: Date },
  now: Date,
): Promise<Recipient[]> => {
  const recipients = await applyRecipientRecord(tx, order, record, now)
  await tellOfChange(tx, order, recipients, now)
  return recipients
}

/** Who waited for one of them may go, and those that failed are owed their money. */
const watchRecipients = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await tx.orders.wakeWaiting(order.id)
  const current = await tx.orders.byId(order.id)
  if (current) await watchRefund(tx, current, now)
  await tell(tx, order, now)
}

interface Answered {
  record: OrderStatus
  /** Callbacks have named a reference that the look-up does not know. */
  isHintUnknown: boolean
}

/** The record of what callbacks named; where the look-up does not know that (yet), of the order's own reference. */
const recordOf = async (
  { store, wallets, now }: TrackerOptions,
  { id, accountId, reference }: Order,
  hinted: string | null,
  purpose: Purpose,
): Promise<Answered> => {
  const ask = async (asked: string): Promise<OrderStatus> => ({
    ...(await wallets.ask(accountId, purpose, (provider) => provider.orderStatus(asked))),
    reference: asked,
  })
  if (hinted === null || hinted === reference) {
    return { record: await ask(hinted ?? reference ?? ''), isHintUnknown: false }
  }
  try {
    return { record: await ask(hinted), isHintUnknown: false }
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === 'not_found')) throw error
    await store.transaction((tx) => dismissOld(tx, id, now()))
    if (reference === null) throw error
    return { record: await ask(reference), isHintUnknown: true }
  }
}

/** What callbacks named long ago, and the look-up does not know, is no order. */
const dismissOld = async (tx: Queries, id: string, at: Date): Promise<void> => {
  for (const { id: eventId, receivedAt } of await tx.events.ofOrder(id, 'held')) {
    if (at.getTime() - receivedAt.getTime() > hintedForMs) await tx.events.judge([eventId], 'foreign', at)
  }
}

/** What callbacks named may become known to the look-up: it is asked for a day, however the order itself stands. */
const askAgain = async (tx: Queries, { id }: Order, at: Date): Promise<void> => {
  const order = await tx.orders.byId(id)
  if (!order?.inferred) return
  const soon = new Date(at.getTime() + pollAgainAtLatestMs)
  if (!order.nextPollAt || order.nextPollAt > soon) await tx.orders.patch(id, { nextPollAt: soon }, at)
}

/** The reference that callbacks on the order's own token name, newest first; not that of one of its recipients. */
const hintedReference = async (store: Store, order: Order): Promise<string | null> => {
  const held = await store.events.ofOrder(order.id, 'held')
  return held.findLast(({ reference }) => isReferenceOf(order.kind, reference))?.reference ?? null
}

/** A reference that callbacks named, checked by its record; one that does not fit was not this order's. */
const proveBy = async (
  tx: Queries,
  order: Order,
  reference: string,
  record: OrderStatus,
  at: Date,
): Promise<Order | null> => {
  if (await adopt(tx, order, record, { by: 'proof', chargedPesewas: null }, at)) {
    const proven = await tx.orders.byId(order.id)
    // The poll that follows is the first word on the status.
    return proven && { ...proven, status: null }
  }
  await dismiss(tx, order, reference, at)
  return null
}

/** What callbacks named is not this order's: its next hint is asked, or its own reference. */
const dismiss = async (tx: Queries, order: Order, reference: string, at: Date): Promise<void> => {
  for (const event of await tx.events.ofOrder(order.id, 'held')) {
    if (event.reference === reference) await tx.events.judge([event.id], 'foreign', at)
  }
  await tx.orders.patch(order.id, { nextPollAt: at }, at)
}

/** A poll that failed proves nothing: it is tried again, and the account's refusals are remembered by `wallets`. */
export const postpone = async (options: TrackerOptions, order: Order, error: unknown): Promise<void> => {
  const { store, now, log } = options
  const isExpected = error instanceof ProviderError || error instanceof NoWallet
  if (isExpected) log.info({ orderId: order.id, code: error.code }, 'a status could not be read')
  else log.error({ orderId: order.id, err: error }, 'a status could not be asked or applied')
  const at = now()
  const waitMs = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0
  // What is true of this order is true of all of the account's: one by one they would keep other accounts waiting.
  if (waitMs > 0) {
    await store.orders.putOffPolls(order.accountId, new Date(at.getTime() + Math.max(waitMs, limitedAgainMs)))
    return
  }
  if (await giveUpPolling(options, order, at)) return
  const regular = order.placedAt ? await regularPoll(store, order, at) : null
  const soon = new Date(at.getTime() + (isExpected ? pollAgainMs : pollAgainAtLatestMs))
  // What was not learned is not made up for by a regular poll that is hours away.
  const latest = Math.min(regular?.getTime() ?? Number.POSITIVE_INFINITY, at.getTime() + pollAgainAtLatestMs)
  const nextPollAt = error instanceof NoWallet ? null : new Date(Math.max(soon.getTime(), latest))
  await store.transaction(async (tx) => {
    // Somebody else's look may have been its last.
    if ((await tx.orders.byId(order.id))?.nextPollAt === null) return
    await tx.orders.patch(order.id, { nextPollAt }, at)
    if (order.listed && nextPollAt === null) await closeIfDone(tx, order, at)
  })
  options.onNotice()
}

/** The schedule has ended, and the provider cannot be asked: that ends it too. @returns whether it does. */
const giveUpPolling = async ({ store, onNotice, onEnded }: TrackerOptions, { id }: Order, at: Date) => {
  const ended = await store.transaction(async (tx) => {
    const order = await tx.orders.byId(id)
    if (order?.placement !== 'placed' || order.placedAt === null || isTerminal(order.status)) return false
    if (at.getTime() - order.placedAt.getTime() < givenUpMs) return false
    if (isEachEndTold(order)) {
      await tx.orders.patch(id, { nextPollAt: null }, at)
      return true
    }
    await tx.orders.patch(id, { nextPollAt: null, reason: 'stale' }, at)
    await sayStale(tx, order, at)
    return true
  })
  if (!ended) return false
  onNotice()
  onEnded()
  return true
}
