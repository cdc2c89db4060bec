import type { Purpose } from '../accounts/budget.ts'
import { NoWallet } from '../accounts/wallets.ts'
import { type OrderStatus, type Phone, ProviderError } from '../provider/index.ts'
import { announcementSubject, listNotice } from '../relay/notice.ts'
import type { StatusEvent, Verdict } from '../store/events.ts'
import type { Queries, Store } from '../store/store.ts'
import { deliverySecondsOf } from './delivery-time.ts'
import { isReferenceOf } from './matching.ts'
import type { Order } from './order.ts'
import { provable } from './placement.ts'
import { adopt } from './proof.ts'
import { applyRecipientCallback, applyRecipientRecord, failedAt, owedRefund } from './recipients.ts'
import { reportList } from './reporting.ts'
import { callbacksSeenLatelyMs, confirmAgainMs, givenUpMs, nextPoll } from './schedule.ts'
import type { SettlerOptions } from './settler.ts'
import { nextRefundCheck } from './settling.ts'
import { isTerminal, type KnownStatus, mergeReport, type Report, rankOf } from './status.ts'
import { announceStatus, closeIfDone, tell } from './telling.ts'

/**
 * Follows placed orders: applies what callbacks report, asks the provider where they are silent or want
 * confirmation, and writes what changed together with the notices it causes.
 */
export interface Tracker {
  /** Looks at callbacks that nobody has looked at yet. */
  applyCallbacks(): Promise<void>
  /** Asks for the status of orders that are due. */
  poll(): Promise<void>
  /** Asks for one order now, for a person who waits. @throws {ProviderError | NoWallet} */
  refresh(order: Order): Promise<void>
}

export interface TrackerOptions extends SettlerOptions {
  /** Told when a status is to be asked soon. */
  onPollDue: () => void
  /** Resolves when nobody waits for the database more urgently than what is only to be looked at. */
  giveWay?: () => Promise<void>
}

/** Callbacks that share a commit: others wait for its end, so it has to be short. */
const mostTogether = 16

const mostPolls = 8
/** Callbacks about recipients of a bulk order come in swarms: one look at the provider's record serves many. */
const recipientsConfirmedAfterMs = 10_000
/** Polls for which an account has no room come again after this at the soonest: each try is a write. */
const limitedAgainMs = 5_000
/** A poll that failed is tried again after this. */
const pollAgainMs = 60_000
/** And at the latest after this, however far off the next regular one is. */
const pollAgainAtLatestMs = 15 * 60_000

export const createTracker = (options: TrackerOptions): Tracker => {
  const { store, now, log } = options
  const polling = new Set<string>()

  const applyTogether = async (events: StatusEvent[]): Promise<void> => {
    const { changed, ended } = await store.transaction((tx) => applyEvents(tx, events, now()))
    if (changed) options.onNotice()
    if (changed) options.onPollDue()
    if (ended) options.onEnded()
  }

  /** In one commit; where that fails each in its own, so that a callback that cannot be applied holds up no other. */
  const applyAll = async (events: StatusEvent[]): Promise<void> => {
    try {
      await applyTogether(events)
    } catch (error) {
      if (events.length > 1) {
        for (const event of events) await applyAll([event])
        return
      }
      const [event] = events
      log.error(
        { orderId: event?.orderId, eventId: event?.id, err: error },
        'a callback could not be applied',
      )
    }
  }

  const pollOne = async (order: Order): Promise<void> => {
    if (polling.has(order.accountId)) return
    polling.add(order.accountId)
    try {
      await ask(options, order, 'polling').catch((error: unknown) => postpone(options, order, error))
    } catch (error) {
      log.error({ orderId: order.id, err: error }, 'a poll could not be put off')
    } finally {
      polling.delete(order.accountId)
    }
  }

  return {
    applyCallbacks: async () => {
      let after = 0
      for (;;) {
        await options.giveWay?.()
        const events = await store.events.unapplied(after, mostTogether)
        const last = events.at(-1)
        if (!last) return
        await applyAll(events)
        if (events.length < mostTogether) return
        after = last.id
      }
    },

    poll: async () => {
      const due = await store.orders.dueToPoll(now(), 200)
      const firstOfEach = due.filter(
        (order, index) => due.findIndex((o) => o.accountId === order.accountId) === index,
      )
      for (let start = 0; start < firstOfEach.length; start += mostPolls) {
        await Promise.all(firstOfEach.slice(start, start + mostPolls).map(pollOne))
      }
      if (due.length > firstOfEach.length) options.onPollDue()
    },

    refresh: (order) => ask(options, order, 'person'),
  }
}

/** What callbacks that share a commit need not each do anew: those about a bulk order come in swarms. */
interface Swarm {
  /** Their orders, read together: each until something may have been written of it. */
  read: Map<string, Order>
  /** Accounts for which it is written already that callbacks arrive. */
  seen: Set<string>
  /** Bulk orders as the callbacks about their recipients have left them. */
  orders: Map<string, Order>
}

interface Effect {
  /** There is something to be told or asked by others. */
  changed: boolean
  /** An order came to its end by one of them. */
  ended: boolean
}

const applyEvents = async (tx: Queries, events: StatusEvent[], now: Date): Promise<Effect> => {
  const all = await tx.orders.byIds([...new Set(events.map(({ orderId }) => orderId))])
  const read = new Map(all.map((order) => [order.id, order]))
  const swarm: Swarm = { read, seen: new Set(), orders: new Map() }
  const judged: { id: number; verdict: Verdict; ended: boolean }[] = []
  for (const event of events) judged.push({ id: event.id, ...(await applyEvent(tx, event, swarm, now)) })
  for (const order of swarm.orders.values()) await tell(tx, order, now)
  for (const [verdict, all] of Map.groupBy(judged, (each) => each.verdict)) {
    await tx.events.judge(
      all.map(({ id }) => id),
      verdict,
      now,
    )
  }
  const ended = judged.some((each) => each.ended)
  const changed = ended || judged.some(({ verdict }) => verdict === 'applied' || verdict === 'held')
  return { changed, ended }
}

const applyEvent = async (
  tx: Queries,
  event: StatusEvent,
  { read, seen, orders }: Swarm,
  now: Date,
): Promise<{ verdict: Verdict; ended: boolean }> => {
  const known = orders.get(event.orderId)
  if (known) {
    const phone = recipientOf(event, known)
    if (phone && !known.inferred) return applyToRecipient(tx, known, event, { phone, orders }, now)
  }
  const order = read.get(event.orderId) ?? (await tx.orders.byId(event.orderId))
  read.delete(event.orderId)
  if (!order) {
    // Of an order that was erased, or that a restored copy does not know: nobody's number is kept for it.
    await tx.events.strip(event.id)
    return { verdict: 'foreign', ended: false }
  }
  if (!seen.has(order.accountId)) await tx.accounts.sawCallback(order.accountId, event.receivedAt)
  seen.add(order.accountId)
  if (order.placement === 'sending') return { verdict: 'held', ended: false }
  if (provable.includes(order.placement)) {
    // A sign of an order that nobody was sure of: the record of the reference it names decides.
    await tx.orders.patch(order.id, { nextPollAt: now, callbackAt: event.receivedAt }, now)
    return { verdict: 'held', ended: false }
  }
  if (order.placement === 'placed' && order.inferred && isReferenceOf(order.kind, event.reference)) {
    // Its own reference is proven by it; another may be what is truly this order's: the record of that decides.
    if (event.reference !== order.reference) {
      await tx.orders.patch(order.id, { nextPollAt: now }, now)
      return { verdict: 'held', ended: false }
    }
    await tx.orders.patch(order.id, { inferred: false }, now)
  }
  const recipient = order.kind === 'bulk' ? recipientOf(event, order) : null
  if (order.placement === 'placed' && recipient) {
    return applyToRecipient(tx, order, event, { phone: recipient, orders }, now)
  }
  if (order.placement !== 'placed' || !isAbout(event, order)) return { verdict: 'foreign', ended: false }
  orders.delete(order.id)
  const report: Report = { source: 'callback', status: event.status, at: event.receivedAt }
  return applyReport(tx, order, report, event.happenedAt, now)
}

const recipientOf = (event: StatusEvent, order: Order): Phone | null =>
  order.recipients.find(({ phone }) => phone === event.phone)?.phone ?? null

/** On a bulk order's token a recipient's event is that recipient's, whatever its reference, unless it is another order's. */
const applyToRecipient = async (
  tx: Queries,
  order: Order,
  event: StatusEvent,
  { phone, orders }: { phone: Phone } & Pick<Swarm, 'orders'>,
  now: Date,
): Promise<{ verdict: Verdict; ended: boolean }> => {
  const isOwn = event.reference === order.reference
  if (!isOwn && (await tx.orders.byReference(event.reference))) return { verdict: 'foreign', ended: false }
  const report: Report = { source: 'callback', status: event.status, at: event.receivedAt }
  const change = await applyRecipientCallback(tx, order, phone, report, now)
  if (change.kind === 'same') return { verdict: 'stale', ended: false }
  const nextPollAt = change.confirm ? soonConfirmed(order, now) : order.nextPollAt
  if (nextPollAt?.getTime() !== order.nextPollAt?.getTime())
    await tx.orders.patch(order.id, { nextPollAt }, now)
  const isTold = { status: change.status, statusAt: now, reported: change.confirm }
  const recipients = order.recipients.map((each) => (each.phone === phone ? { ...each, ...isTold } : each))
  orders.set(order.id, { ...order, nextPollAt, recipients })
  const ended = isTerminal(change.status)
  if (ended) await tx.orders.wakeWaiting(order.id)
  return { verdict: 'applied', ended }
}

const soonConfirmed = ({ nextPollAt }: Order, now: Date): Date => {
  const soon = new Date(now.getTime() + recipientsConfirmedAfterMs)
  return nextPollAt && nextPollAt < soon ? nextPollAt : soon
}

const isAbout = (event: StatusEvent, order: Order): boolean =>
  event.reference === order.reference &&
  (event.phone === null || order.recipients.some(({ phone }) => phone === event.phone))

const knownOf = (order: Order): KnownStatus => ({
  status: order.status,
  reported: order.statusReported,
  since: order.statusAt,
  newestCallbackAt: order.callbackAt,
})

/** Merges a report into a placed order and writes all that follows from it. */
const applyReport = async (
  tx: Queries,
  order: Order,
  report: Report,
  deliveredAt: Date | null,
  now: Date,
): Promise<{ verdict: Verdict; ended: boolean }> => {
  const merge = mergeReport(knownOf(order), report)
  if (merge.kind !== 'same' && report.source === 'poll') await note(tx, order, report, deliveredAt, now)
  const callbackAt = report.source === 'callback' ? { callbackAt: report.at } : {}
  switch (merge.kind) {
    case 'same': {
      const nextPollAt = merge.again ? confirmAt(order, report, now) : await regularPoll(tx, order, now)
      const polls = order.polls + (report.source === 'poll' ? 1 : 0)
      const ended = nextPollAt === null && !isTerminal(order.status)
      const patch = { ...(isNews(report, order) && callbackAt), nextPollAt, polls }
      if (ended || !isAsIn(order, patch)) {
        await tx.orders.patch(order.id, { ...patch, ...(ended && { reason: 'stale' }) }, now)
      }
      if (ended) await sayStale(tx, order, now)
      else if (order.listed && nextPollAt === null) await closeIfDone(tx, order, now)
      return { verdict: 'stale', ended }
    }
    case 'confirmed': {
      await tx.orders.patch(
        order.id,
        { statusReported: false, nextPollAt: null, polls: 0, ...refundWatch(order.status, now) },
        now,
      )
      await tx.notices.release(announcementSubject(order.id))
      await redraw(tx, order, now)
      return { verdict: 'applied', ended: isTerminal(order.status) }
    }
    case 'changed': {
      const { status, reported, contradicts } = merge
      const terminal = isTerminal(status)
      const announce = contradicts || !terminal || order.announcedStatus !== status
      const nextPollAt = reported ? now : terminal ? null : await regularPoll(tx, { ...order, status }, now)
      const ended = nextPollAt === null && !terminal
      await tx.orders.patch(
        order.id,
        {
          ...callbackAt,
          status,
          statusReported: reported,
          statusAt: now,
          reason: ended ? 'stale' : null,
          polls: 0,
          nextPollAt,
          ...(!reported && refundWatch(status, now)),
          ...(status === 'delivered' && {
            deliveredAt: deliveredAt ?? now,
            deliverySeconds: deliverySecondsOf(order, deliveredAt, now),
          }),
          ...(announce && (terminal || contradicts) && { announcedStatus: status }),
        },
        now,
      )
      if (order.kind === 'single') await tx.orders.patchRecipients(order.id, null, status, now)
      if (terminal) await tx.orders.wakeWaiting(order.id)
      // A list has one closing message, not one for each of its orders; what comes after that is said aloud.
      const aloud = !order.listed || contradicts || (await isClosed(tx, order))
      await redraw(tx, order, now)
      if (announce) await announceStatus(tx, order, { status, reported, contradicts }, aloud, now)
      if (ended) await sayStale(tx, order, now)
      return { verdict: 'applied', ended: terminal || ended }
    }
  }
}

/** What the provider's own record told is part of the order's history too; callbacks are there as they came. */
const note = (
  tx: Queries,
  { id, reference }: Order,
  { status }: Report,
  happenedAt: Date | null,
  now: Date,
): Promise<void> =>
  tx.events.note({
    orderId: id,
    source: 'poll',
    reference: reference ?? '',
    status,
    happenedAt,
    receivedAt: now,
  })

/** Said once: who presses Refresh later sees the card. */
const sayStale = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await redraw(tx, order, now)
  if (order.reason === 'stale') return
  await tx.orders.wakeWaiting(order.id)
  await tell(tx, order, now, { about: 'stale' })
}

/** Most callbacks that repeat what is known change nothing. */
const isAsIn = (order: Order, patch: Partial<Pick<Order, 'callbackAt' | 'nextPollAt' | 'polls'>>): boolean =>
  patch.callbackAt === undefined &&
  patch.polls === order.polls &&
  patch.nextPollAt?.getTime() === order.nextPollAt?.getTime()

/** A callback that repeats what is known, or lags behind it, does not outdate a poll that is under way. */
const isNews = (report: Report, order: Order): boolean =>
  report.status !== order.status && rankOf(report.status) >= rankOf(order.status ?? '')

/**
 * When a status that is only reported is asked for next: at once after the first callback, then less and less
 * often. Further callbacks do not hurry it: each would cost a request.
 */
const confirmAt = (order: Order, report: Report, now: Date): Date => {
  if (report.source !== 'callback') return new Date(now.getTime() + confirmAgainMs(order.polls))
  return (order.statusReported && order.nextPollAt) || now
}

/** A failed or cancelled order is owed its money; a refunded one has it. */
const refundWatch = (status: string | null, now: Date): { refundAt?: Date | null } => {
  if (status === 'failed' || status === 'cancelled') return { refundAt: nextRefundCheck(now, now) }
  return status === null ? {} : { refundAt: null }
}

const regularPoll = async (tx: Queries, order: Order, now: Date): Promise<Date | null> => {
  if (isTerminal(order.status) && !order.statusReported) return null
  const account = await tx.accounts.byId(order.accountId)
  const seen = account?.callbackSeenAt ?? null
  const lately = seen !== null && now.getTime() - seen.getTime() < callbacksSeenLatelyMs
  return nextPoll(order.placedAt ?? order.createdAt, now, lately)
}

const redraw = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await tell(tx, order, now)
  for (const { chatId } of await tx.chats.followers(order.id)) {
    await tx.notices.owe(
      chatId,
      { kind: 'follow_card', subject: `follow:${order.id}`, orderId: order.id },
      now,
    )
  }
}

const isClosed = async (tx: Queries, { purchaseId }: Order): Promise<boolean> =>
  (await tx.purchases.byId(purchaseId))?.closedAt != null

/** Asks the provider for the order's status, or for proof of it, and applies the answer. */
const ask = async (options: TrackerOptions, order: Order, purpose: Purpose): Promise<void> => {
  const { store, now } = options
  const hinted = order.reference === null || order.inferred ? await hintedReference(store, order) : null
  const reference = hinted ?? order.reference
  if (!reference) {
    // It may have been placed since it was read, and is followed then.
    await store.transaction(async (tx) => {
      const current = await tx.orders.byId(order.id)
      if (current?.reference === null) await tx.orders.patch(order.id, { nextPollAt: null }, now())
    })
    return
  }
  const began = now()
  const record = await recordOrNothing(options, order, reference, purpose)
  if (!record) return
  const { proven, ended } = await store.transaction(async (tx) => {
    const current = await tx.orders.byId(order.id)
    const isKnown = current?.reference === reference
    const placed = isKnown ? current : current && (await proveBy(tx, current, reference, record, now()))
    if (!placed) return { proven: false, ended: false }
    const report: Report = { source: 'poll', status: record.status, at: began }
    if (placed.kind === 'bulk') await applyRecipients(tx, placed, { ...record, began }, now())
    const change = await applyReport(tx, placed, report, record.deliveredAt, now())
    if (placed.kind === 'bulk') await watchRecipients(tx, placed, now())
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
): Promise<void> => {
  const changed = await applyRecipientRecord(tx, order, record, now)
  if (changed.length > 0) await tellOfChange(tx, order, now)
}

/** Who waited for one of them may go, and those that failed are owed their money. */
const watchRecipients = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  await tx.orders.wakeWaiting(order.id)
  const current = await tx.orders.byId(order.id)
  if (current && current.refundAt === null && owedRefund(current) > (current.refundedPesewas ?? 0)) {
    const refundAt = nextRefundCheck(failedAt(current), now)
    await tx.orders.patch(order.id, { refundAt }, now)
  }
  await tell(tx, order, now)
}

/** Its list was done, and what was said then of recipients is not true any more. */
const tellOfChange = async (tx: Queries, order: Order, now: Date): Promise<void> => {
  if (!order.listed || !(await isClosed(tx, order))) return
  await tx.notices.owe(order.chatId, listNotice(order.purchaseId, 'changed'), now)
  await reportList(tx, order, 'changed', 'problems', now)
}

/** @returns null where a callback named a reference that the provider does not know, for an order that has one. */
const recordOrNothing = async (
  { store, wallets, now }: TrackerOptions,
  order: Order,
  reference: string,
  purpose: Purpose,
): Promise<OrderStatus | null> => {
  try {
    return await wallets.ask(order.accountId, purpose, (provider) => provider.orderStatus(reference))
  } catch (error) {
    const isUnknown = error instanceof ProviderError && error.code === 'not_found'
    if (!isUnknown || order.reference === null || order.reference === reference) throw error
    await store.transaction((tx) => dismiss(tx, order, reference, now()))
    return null
  }
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
const postpone = async (options: TrackerOptions, order: Order, error: unknown): Promise<void> => {
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
    await tx.orders.patch(id, { nextPollAt: null, reason: 'stale' }, at)
    await sayStale(tx, order, at)
    return true
  })
  if (!ended) return false
  onNotice()
  onEnded()
  return true
}
