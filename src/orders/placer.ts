import type { Logger } from 'pino'
import type { Wallets } from '../accounts/wallets.ts'
import { crashPoint } from '../crash-point.ts'
import type { Queries, Store } from '../store/store.ts'
import { commitAnswer, isLastWord, released } from './answer.ts'
import { blockersOf, takeOut, waitFor } from './blockers.ts'
import type { Order } from './order.ts'
import { stepAfter } from './placement.ts'
import type { Prices } from './prices.ts'
import { isAsConfirmed, isOutOfDate, waitsForNetwork } from './readiness.ts'
import { claim, post } from './sending.ts'
import { nextSettling } from './settling.ts'
import { tell } from './telling.ts'
import { holdUpRest } from './turn.ts'

/** Sends what is queued: the only code that POSTs. */
interface Placer {
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
  if (await isOutOfDate(options, order)) return
  if (await waitsForNetwork(options, order)) return
  const blockers = await blockersOf(options.store, order)
  if (blockers.size === order.recipients.length) {
    return (await waitFor(options, order)) ? undefined : attempt(options, order, signals)
  }
  if (blockers.size > 0) {
    const unblocked = await takeOut(options, order)
    if (unblocked) await attempt(options, unblocked, signals)
    return
  }
  if (!(await unlessAborted(signals.stopping, isAsConfirmed(options, order)))) return

  // Before the intent: credentials that cannot be had must not leave an order that may have been sent.
  const provider = await options.wallets.of(order.accountId)
  const lease = await claim(options, order)
  if (!lease) return
  crashPoint('intent_committed')
  const outcome = await post(options, provider, order, lease, signals.breakOff)
  crashPoint('answered')
  await commitAnswer(options, order, lease, stepAfter(outcome, order.attempts))
}

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
