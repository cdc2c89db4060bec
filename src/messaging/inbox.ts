import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crashPoint } from '../base/crash-point.ts'
import { wait } from '../base/wait.ts'
import type { Callback } from '../provider/index.ts'
import type { NewStatusReport } from '../store/orders/status-reports.ts'

/** Stores callbacks in the database before they are acknowledged. */
export interface Inbox {
  /**
   * Resolves when the report is committed; rejects if the commit fails.
   * @param sender if `aborted` is true, the sender no longer waits for an answer, and a report that is not being
   * written yet is dropped.
   */
  accept(report: NewStatusReport, sender?: Sender): Promise<void>
  /**
   * Work that can wait calls this first, so that many simultaneous callbacks are stored before it. Resolves when they
   * are stored, or after 250 ms.
   */
  quiet(): Promise<void>
}

/**
 * The part of an `AbortSignal` that is needed here. A real signal would be the largest object allocated for a callback.
 */
interface Sender {
  readonly aborted: boolean
}

interface Waiting {
  report: NewStatusReport
  sender: Sender | undefined
  resolve: () => void
  reject: (error: unknown) => void
}

/** The event loop and its clock, replaceable in tests. */
interface EventLoop {
  /** Resolves after the next turn of the event loop. */
  nextTurn: () => Promise<unknown>
  monotonicMs: () => number
}

const maxPerCommit = 500

/**
 * Before a commit, callbacks are collected while each turn of the event loop brings more, but no longer than this, ms.
 */
const maxGatherMs = 10

/**
 * This many callbacks within `crowdMs` count as a crowd, which other work gives way to. It lasts until
 * `crowdMs` after the last commit at which there were so many.
 */
const crowd = 32
const crowdMs = 50
/** The longest time that other work gives way, ms. */
const maxPatienceMs = 250
const lookAgainMs = 10

/**
 * Writes concurrent callbacks together: all that arrive during one commit are written by the next one, so the disk is
 * synced once for many.
 *
 * @param write commits reports and ignores those that are already stored.
 * @param onStored called after each commit.
 * @param loop the event loop that reads the callbacks.
 */
export const createInbox = (
  write: (reports: NewStatusReport[]) => Promise<unknown>,
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
   * Waits for callbacks that have arrived but are not read yet. SQLite commits in the same turn of the event loop in
   * which a socket was read, so without this pause each callback would need its own commit. New connections may be
   * accepted over many turns, so the wait continues as long as more callbacks arrive.
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
      await write(batch.map(({ report }) => report))
      crashPoint('callbacks_committed')
      count(batch.length)
      for (const { resolve } of batch) resolve()
      onStored()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return {
    accept: (report, sender) =>
      new Promise((resolve, reject) => {
        waiting.push({ report, sender, resolve, reject })
        if (!running) void drain()
      }),
    quiet: async () => {
      const endsAt = loop.monotonicMs() + maxPatienceMs
      while (loop.monotonicMs() < Math.min(crowdedUntil, endsAt)) await wait(lookAgainMs)
    },
  }
}

/** How many bytes of a callback are kept. Documented callbacks have about 300, and an order may have many callbacks. */
const maxKeptBytes = 4_096

/**
 * The report in a callback that arrived at an order's own address. The digest covers the whole raw body, even if only a
 * part is kept, so that a repeated callback has the same digest and is ignored.
 */
export const statusReportOf = (
  orderId: string,
  raw: Buffer,
  callback: Callback,
  receivedAt: Date,
): NewStatusReport => ({
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
