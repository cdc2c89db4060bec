import { crashPoint } from '../../crash-point.ts'
import type { Order } from '../../domain/order.ts'
import { stepAfter } from '../../domain/placement.ts'
import type { Queries } from '../../store/store.ts'
import { tell } from '../following/telling.ts'
import { holdUpRest } from '../listing/sequence.ts'
import { commitAnswer, isLastWord, unknownOutcome, withoutLease } from './answer.ts'
import type { PlacerOptions } from './placer-options.ts'
import { makeReady, type Queued } from './readiness.ts'
import { post } from './sending.ts'

/** Sends queued orders: the only code that POSTs them. */
interface Placer {
  /**
   * The next round begins with an order that this process has just queued, and does not look for it. If it cannot be
   * started then, it is found like any other.
   * @param clear one that nothing speaks against so far: what the provider says of it is asked at once.
   */
  handOver(clear: Order): void
  /** Takes up due orders. Returns when they are started, not when they are answered. */
  round(): Promise<void>
  /**
   * Takes nothing new, and waits for sends under way. A send unanswered after `graceMs` is broken off and committed
   * as `unconfirmed`.
   */
  stop(graceMs: number): Promise<void>
}

interface Signals {
  /** Nothing new is sent. */
  stopping: AbortSignal
  /** Unanswered sends are given up. */
  breakOff: AbortSignal
}

/** How many orders of one account are under way at once. */
const maxPerAccount = 4
const maxAtOnce = 64
const maxRecoveredTogether = 100
/** An order that was handed over is taken up in this time, or looked for. */
const handedForMs = 2_000

/** Many orders are under way at once, a few of each account. */
export const createPlacer = (options: PlacerOptions): Placer => {
  const { store, mayWork, now, monotonicMs, log } = options
  const underWay = new Map<string, { accountId: string; done: Promise<void> }>()
  const handed: { clear: Order; untilMs: number }[] = []
  const stopping = new AbortController()
  const breakOff = new AbortController()

  const hasRoom = (accountId: string): boolean =>
    underWay.size < maxAtOnce && countOf(accountId) < maxPerAccount

  const countOf = (accountId: string): number =>
    [...underWay.values()].filter((other) => other.accountId === accountId).length

  /** Accounts whose queue is full are left out, so that others are found. */
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
      .finally(() => {
        underWay.delete(order.id)
        options.onNotice()
      })
    underWay.set(order.id, { accountId: order.accountId, done })
  }

  /** Recovers sends that an interrupted process left, many in a commit, all before anything is sent. */
  const recover = async (): Promise<void> => {
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
   * Recovers them together. If that fails, each by itself, so that one bad order does not hold up the others.
   * @returns whether all were recovered.
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

  const takeHanded = (): Order[] =>
    handed.splice(0).flatMap(({ clear, untilMs }) => (monotonicMs() < untilMs ? clear : []))

  const startAll = (orders: readonly Order[], isClear: boolean): void => {
    for (const order of orders) if (mayStart(order)) start(order, isClear)
  }

  return {
    handOver: (clear) => {
      if (handed.length < maxAtOnce) handed.push({ clear, untilMs: monotonicMs() + handedForMs })
    },

    round: async () => {
      await recover()
      startAll(takeHanded(), true)
      startAll(await store.orders.dueToSend(now(), maxAtOnce, fullAccounts(), [...underWay.keys()]), false)
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
  // Its debit has had half a minute to show.
  const followed = { nextPollAt: at, reconcileAt: at }
  const patch = {
    reason: 'interrupted' as const,
    ...withoutLease,
    ...(!isLast && followed),
  }
  if (!(await tx.orders.go({ id: order.id, leaseEndedBefore: at }, 'unconfirmed', patch, at))) return
  const isListHeldUp = await holdUpRest(tx, order, at)
  await tell(tx, order, at, ...(isListHeldUp ? [] : [unknownOutcome(isLast)]))
}

/** One try: the order is made ready or held back, then sent, and the outcome written. */
const attempt = async (options: PlacerOptions, queued: Queued, signals: Signals): Promise<void> => {
  const ready = await makeReady(options, queued, signals.stopping)
  if (!ready) return
  const { order, lease, provider } = ready
  crashPoint('intent_committed')
  const outcome = await post(options, provider, order, lease, signals.breakOff)
  crashPoint('answered')
  await commitAnswer(options, order, lease, stepAfter(outcome, order.attempts), signals.breakOff)
}
