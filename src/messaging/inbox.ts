import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crashPoint } from '../crash-point.ts'
import type { Callback } from '../provider/index.ts'
import type { NewEvent } from '../store/orders/events.ts'
import { wait } from '../wait.ts'

/** Takes callbacks in: an accepted one is durable. */
export interface Inbox {
  /**
   * Resolves when the event is committed; rejects if it could not be.
   * @param sender no longer waits once it is `aborted`: an event that is still waiting is then dropped.
   */
  accept(event: NewEvent, sender?: Sender): Promise<void>
  /**
   * Resolves when no crowd of callbacks is coming in, or the crowd has lasted for a while: until then, work that
   * can wait gives way.
   */
  quiet(): Promise<void>
}

/** A part of an `AbortSignal`, which would be the largest object of a callback. */
interface Sender {
  readonly aborted: boolean
}

interface Waiting {
  event: NewEvent
  sender: Sender | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

/** The turns of the event loop, and its clock. */
interface EventLoop {
  /** Resolves after the next turn. */
  nextTurn: () => Promise<unknown>
  monotonicMs: () => number
}

/** The most events of one commit. */
const maxPerCommit = 500

/** Callbacks are gathered as long as each turn of the event loop brings more, up to this time. */
const maxGatherMs = 10

/** So many within `crowdMs` are a crowd, and a crowd lasts as long after the last one. */
const crowd = 32
const crowdMs = 50
/** The longest time that other work gives way. */
const maxPatienceMs = 250
const lookAgainMs = 10

/**
 * Concurrent callbacks share a commit: those that arrive while one commit runs go into the next one, so the disk syncs
 * once for all of them.
 *
 * @param write commits events and leaves out those that are there already.
 * @param onStored called after each commit.
 * @param loop the event loop that callbacks come in by.
 */
export const createInbox = (
  write: (events: NewEvent[]) => Promise<unknown>,
  onStored: () => void,
  loop: EventLoop = { nextTurn, monotonicMs: () => performance.now() },
): Inbox => {
  let waiting: Waiting[] = []
  let running = false
  let lately = { since: 0, count: 0 }
  let crowdedUntil = 0

  const count = (callbacks: number): void => {
    const at = loop.monotonicMs()
    if (at - lately.since > crowdMs) lately = { since: at, count: 0 }
    lately.count += callbacks
    if (lately.count >= crowd) crowdedUntil = at + crowdMs
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      await gather()
      waiting = waiting.filter(({ sender }) => !sender?.aborted)
      const batch = waiting.slice(0, maxPerCommit)
      waiting = waiting.slice(maxPerCommit)
      if (batch.length > 0) await commit(batch)
    }
    running = false
  }

  /**
   * Waits for callbacks that have arrived but are not read yet. The embedded database answers within the turn that read
   * one socket, so without this pause each callback would have a commit of its own. A crowd of new connections may come
   * in over many turns, so it waits as long as more arrive.
   */
  const gather = async (): Promise<void> => {
    const endsAt = loop.monotonicMs() + maxGatherMs
    let before: number
    do {
      before = waiting.length
      await loop.nextTurn()
    } while (waiting.length > before && loop.monotonicMs() < endsAt)
  }

  const commit = async (batch: Waiting[]): Promise<void> => {
    try {
      await write(batch.map(({ event }) => event))
      crashPoint('callbacks_committed')
      count(batch.length)
      for (const { resolve } of batch) resolve()
      onStored()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    accept: (event, sender) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, sender, resolve, reject })
        if (!running) void drain()
      }),
    quiet: async () => {
      const endsAt = loop.monotonicMs() + maxPatienceMs
      while (loop.monotonicMs() < Math.min(crowdedUntil, endsAt)) await wait(lookAgainMs)
    },
  }
}

/** So many bytes of a callback are kept: documented ones have some 300, and an order may have many. */
const maxKeptBytes = 4_096

/**
 * The event that a callback on an order's own token reports. The digest covers the whole raw body, however little of it
 * is kept, so that repeats collide.
 */
export const eventOf = (orderId: string, raw: Buffer, callback: Callback, receivedAt: Date): NewEvent => ({
  orderId,
  source: 'callback',
  digest: hash('sha256', Buffer.concat([Buffer.from(`${orderId}\0`), raw]), 'base64url'),
  reference: callback.reference,
  status: callback.status,
  phone: callback.phone,
  happenedAt: callback.deliveredAt ?? callback.timestamp,
  receivedAt,
  body: raw.subarray(0, maxKeptBytes).toString('utf8'),
})
