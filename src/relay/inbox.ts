import { hash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { crashPoint } from '../crash-point.ts'
import type { Callback } from '../provider/index.ts'
import type { NewEvent } from '../store/events.ts'

/** Takes callbacks in: an accepted one is durable. */
export interface Inbox {
  /**
   * Resolves when the event is committed; rejects when it could not be.
   * @param signal its sender waits no more: what waits to be committed need not be any more.
   */
  accept(event: NewEvent, signal?: AbortSignal): Promise<void>
  /** Resolves when callbacks do not come in crowds, or have done so for a while: whoever can wait gives way. */
  quiet(): Promise<void>
}

interface Waiting {
  event: NewEvent
  signal: AbortSignal | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

/** The most events of one commit. */
const mostPerCommit = 500

/** As long as each turn brings more, they are waited for, up to this. */
const mostGatherMs = 10

/** So many within that time are a crowd, which lasts as long after it. */
const crowd = 32
const crowdMs = 50
/** The longest that one who gives way waits. */
const mostPatienceMs = 250
const lookAgainMs = 10

/**
 * Concurrent callbacks share a commit: what arrives while the last commit runs goes into the next one, so the
 * disk syncs once for all of them.
 *
 * @param write commits events; those that are there already are left out.
 * @param onStored told after each commit.
 */
export const createInbox = (write: (events: NewEvent[]) => Promise<unknown>, onStored: () => void): Inbox => {
  let waiting: Waiting[] = []
  let running = false
  let lately = { since: 0, count: 0 }
  let crowdedUntil = 0

  const count = (callbacks: number): void => {
    const at = performance.now()
    if (at - lately.since > crowdMs) lately = { since: at, count: 0 }
    lately.count += callbacks
    if (lately.count >= crowd) crowdedUntil = at + crowdMs
  }

  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      await gather()
      waiting = waiting.filter(({ signal }) => !signal?.aborted)
      const batch = waiting.slice(0, mostPerCommit)
      waiting = waiting.slice(mostPerCommit)
      if (batch.length > 0) await commit(batch)
    }
    running = false
  }

  /**
   * The embedded database answers within the turn that read one socket: without this pause each callback would be
   * committed before the next, which has arrived too, is read, and no two would share a commit. A crowd of new
   * connections may come in over many turns: without waiting for more, each could have a commit of its own.
   */
  const gather = async (): Promise<void> => {
    const endsAt = performance.now() + mostGatherMs
    let before: number
    do {
      before = waiting.length
      await nextTurn()
    } while (waiting.length > before && performance.now() < endsAt)
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
    accept: (event, signal) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, signal, resolve, reject })
        if (!running) void drain()
      }),
    quiet: async () => {
      const endsAt = performance.now() + mostPatienceMs
      while (performance.now() < Math.min(crowdedUntil, endsAt)) await wait(lookAgainMs)
    },
  }
}

/** So much of a callback is kept: documented ones have some 300 bytes, and an order may have many. */
const mostKeptBytes = 4_096

/**
 * The event that a callback on an order's own token reports. The digest is over all of the raw body, however little is
 * kept of it: repeats collide.
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
  body: raw.subarray(0, mostKeptBytes).toString('utf8'),
})
