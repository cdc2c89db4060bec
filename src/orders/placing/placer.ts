import { crashPoint } from '../../base/crash-point.ts'
import { waitUnlessAborted } from '../../base/wait.ts'
import { cardOf } from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import { slowAnswerMs, stepAfter } from '../../domain/order/placement.ts'
import type { Queries } from '../../store/store.ts'
import { enqueueNews } from '../following/order-news.ts'
import { holdUpRest } from '../listing/sequence.ts'
import type { PlacerOptions } from './placer-options.ts'
import { makeReady, type Queued } from './readiness.ts'
import { commitAnswer, isLastWord, unknownOutcome, withoutLease } from './send-outcome.ts'
import { post } from './sending.ts'

/** Sends queued orders. No other code sends a POST with an order. */
interface Placer {
  /**
   * Starts an order that this process has just queued, without a search.
   * @param clear an order that nothing is known to prevent from being sent. Its price is read from the provider before
   * the order is checked.
   * @returns false if it cannot start now. A later search finds it like any other order.
   */
  startClear(clear: Order): boolean
  /** Starts due orders. Returns when they are started, not when they are answered. */
  round(): Promise<void>
  /**
   * Starts nothing new, and waits for sends in progress. A send without an answer after `graceMs` is aborted and stored
   * as `unconfirmed`.
   */
  stop(graceMs: number): Promise<void>
}

interface Signals {
  /** Aborts when nothing new may be sent. */
  stopping: AbortSignal
  /** Aborts when the sends that have no answer are given up. */
  breakOff: AbortSignal
}

/** How many orders of one account may be in progress at the same time. */
const maxPerAccount = 4
const maxAtOnce = 64
const maxRecoveredTogether = 100
/** How often the placer searches for sends that were interrupted, whose lease (30 s) has ended. */
const recoverEveryMs = 1_000

export const createPlacer = (options: PlacerOptions): Placer => {
  const { store, mayWork, now, monotonicMs, log } = options
  const underWay = new Map<string, { accountId: string; done: Promise<void> }>()
  const stopping = new AbortController()
  const breakOff = new AbortController()
  let recoveredMs = Number.NEGATIVE_INFINITY

  const hasRoom = (accountId: string): boolean =>
    underWay.size < maxAtOnce && countOf(accountId) < maxPerAccount

  const countOf = (accountId: string): number =>
    [...underWay.values()].filter((other) => other.accountId === accountId).length

  /** Accounts that have as many sends in progress as allowed. The search skips them, so that it finds others. */
  const fullAccounts = (): string[] => {
    const accounts = new Set([...underWay.values()].map(({ accountId }) => accountId))
    return [...accounts].filter((accountId) => !hasRoom(accountId))
  }

  const start = (order: Order, isClear: boolean): void => {
    const signals = { stopping: stopping.signal, breakOff: breakOff.signal }
    const done = attempt(options, { order, isClear }, signals)
      .catch((error: unknown) =>
        log.error({ orderId: order.id, err: error }, 'an order could not be attempted'),
      )
      .finally(() => underWay.delete(order.id))
    underWay.set(order.id, { accountId: order.accountId, done })
  }

  /** Marks the sends of an interrupted process as `unconfirmed`, many in one commit, before anything new is sent. */
  const recover = async (): Promise<void> => {
    if (monotonicMs() - recoveredMs < recoverEveryMs) return
    recoveredMs = monotonicMs()
    for (;;) {
      const left = await store.orders.leaseEnded(now(), maxRecoveredTogether)
      const found = left.filter(({ id }) => !underWay.has(id))
      const isRecovered = found.length > 0 && (await recoverEach(found))
      if (!isRecovered || left.length < maxRecoveredTogether) return
    }
  }

  const recoverAll = async (orders: Order[]): Promise<void> => {
    const at = now()
    await store.transaction(
      async (tx) => {
        for (const order of orders) await interrupt(tx, order, at)
      },
      { accounts: orders.map(({ accountId }) => accountId) },
    )
    log.warn(
      { orderIds: orders.map(({ id }) => id) },
      'the outcome of orders is unknown after an interruption',
    )
    options.onNotice()
  }

  /**
   * Recovers the orders in one transaction. If that fails, recovers each in a transaction of its own, so that one bad
   * order does not hold up the others.
   * @returns false if the common transaction failed.
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

  const mayStart = ({ id, accountId }: Order): boolean =>
    mayWork() && !stopping.signal.aborted && !underWay.has(id) && hasRoom(accountId)

  return {
    startClear: (clear) => {
      const isStarted = mayStart(clear)
      if (isStarted) start(clear, true)
      return isStarted
    },

    round: async () => {
      await recover()
      const due = await store.orders.dueToSend(now(), maxAtOnce, fullAccounts(), [...underWay.keys()])
      for (const order of due) if (mayStart(order)) start(order, false)
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
  const isLast = await isLastWord(tx, order)
  // The send's lease of 30 s has ended, so a debit has had that long to appear. The wallet is therefore read
  // immediately.
  const followed = { nextPollAt: at, reconcileAt: at }
  const patch = {
    reason: 'interrupted' as const,
    ...withoutLease,
    ...(!isLast && followed),
  }
  if (!(await tx.orders.go({ id: order.id, leaseEndedBefore: at }, 'unconfirmed', patch, at))) return
  const isListHeldUp = await holdUpRest(tx, order, at)
  await enqueueNews(tx, order, at, ...(isListHeldUp ? [] : [unknownOutcome(isLast)]))
}

/** One attempt at an order: makes it ready or postpones it, sends it, and commits the outcome. */
const attempt = async (options: PlacerOptions, queued: Queued, signals: Signals): Promise<void> => {
  const ready = await makeReady(options, queued, signals.stopping)
  if (!ready) return
  const { order, lease, provider } = ready
  crashPoint('intent_committed')
  const answered = new AbortController()
  void redrawIfSlow(options, order, answered.signal)
  const outcome = await post(options, provider, order, lease, signals.breakOff).finally(() =>
    answered.abort(),
  )
  crashPoint('answered')
  await commitAnswer(options, order, lease, stepAfter(outcome, order.attempts), signals.breakOff)
}

/**
 * If no answer comes for a while, redraws the card, which then says that the provider is slow. A list's card shows its
 * progress anyway.
 */
const redrawIfSlow = async (
  { store, sleep = waitUnlessAborted, now, onNotice, log }: PlacerOptions,
  order: Order,
  answered: AbortSignal,
): Promise<void> => {
  if (order.listed) return
  await sleep(slowAnswerMs, answered).catch(() => {})
  if (answered.aborted) return
  try {
    await store.notices.enqueueDirectly(order.chatId, cardOf(order.purchaseId), now())
    onNotice()
  } catch (error) {
    log.warn({ orderId: order.id, err: error }, 'a card could not say that the provider is slow')
  }
}
