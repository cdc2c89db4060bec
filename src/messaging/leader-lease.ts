import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { waitUnlessAborted } from '../base/wait.ts'
import type { Store } from '../store/store.ts'

/**
 * The right to do what only one of the processes on a database may do, such as polling Telegram for updates. It is held
 * for a few seconds and renewed long before its end. A process that finds it expired takes it.
 */
export interface Lease {
  /** Whether this process holds the lease, judged by its own clocks without asking the database. */
  isHeld(): boolean
  /** Whether this process was the last known holder, even if the lease has expired because it could not be renewed. */
  isLast(): boolean
  /** Asks the database, and takes or renews the lease if possible. @returns true if this process holds it now. */
  check(): Promise<boolean>
  /** Renews or tries to take the lease if that is due. Call it about once a second. */
  round(): Promise<void>
  /** Gives the lease back, so that another process can take it immediately. This process never takes it again. */
  release(): Promise<void>
}

/** Thrown in place of a step that only the holder may take, because another process may hold the lease by now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** In ms. Waiting processes check it once a second, so one of them takes over within 15 s. */
export const leaseLengthMs = 12_000
/** The lease is renewed when less than this part of its length is left. */
const renewedPart = 2 / 3
/** How long to wait for the database, ms. A request without an answer must not hold up the next one. */
const maxQuestionMs = 3_000

/**
 * @param token identifies this process among all processes.
 * @param hasEnded whether the process with a token is known to have ended. Its lease is then taken immediately.
 * @param now this process's wall clock. In the database, the lease ends by the database's clock, which may differ.
 * @param monotonicMs a clock that nobody can set, ms. The lease ends as soon as either clock says so.
 * @param onTaken called each time this process takes the lease.
 */
export const createLease = (options: {
  store: Pick<Store, 'leases' | 'clock'>
  name: string
  token: string
  hasEnded: (token: string) => boolean
  now: () => Date
  monotonicMs: () => number
  onTaken?: () => void
  log: Logger
  /** Resolves after that many ms, or when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}): Lease => {
  const { store, name, token, hasEnded, now, monotonicMs, onTaken, log, sleep = waitUnlessAborted } = options
  let held: { untilMs: number; untilMonotonicMs: number } | null = null
  let wasHeld = false
  let isLast = false
  /** The other process that held the lease at the last check, and since when its row has not changed. */
  let seen: { token: string; untilMs: number; sinceMs: number } | null = null
  let released = false
  let asking: Promise<boolean> | null = null

  const leftMs = (): number =>
    held ? Math.min(held.untilMs - now().getTime(), held.untilMonotonicMs - monotonicMs()) : 0

  const isHeld = (): boolean => leftMs() > 0

  /**
   * Whether the other holder may still have the lease. A holder renews the lease long before its end. So a holder whose
   * row has not changed for the whole length of a lease has lost it, whatever end time its clock has written.
   */
  const stands = (holder: { token: string; until: Date }): boolean => {
    const untilMs = holder.until.getTime()
    if (seen?.token !== holder.token || seen.untilMs !== untilMs)
      seen = { token: holder.token, untilMs, sinceMs: monotonicMs() }
    return monotonicMs() - seen.sinceMs < leaseLengthMs
  }

  const ask = async (): Promise<typeof held> => {
    // The times are read before the database is asked, so that the lease ends here no later than in the database.
    const ends = {
      untilMs: now().getTime() + leaseLengthMs,
      untilMonotonicMs: monotonicMs() + leaseLengthMs,
    }
    const at = await store.clock()
    const holder = await store.leases.holder(name)
    const mayTake =
      holder === null ||
      holder.token === token ||
      holder.until <= at ||
      hasEnded(holder.token) ||
      !stands(holder)
    const until = new Date(at.getTime() + leaseLengthMs)
    if (holder && holder.token !== token) isLast = false
    isLast = mayTake && (await store.leases.pass(name, holder, { token, until }))
    return isLast ? ends : null
  }

  const settle = (): void => {
    const isNow = isHeld()
    if (isNow === wasHeld) return
    wasHeld = isNow
    log.info({ lease: name, held: isNow }, isNow ? 'took a lease' : 'lost a lease')
    if (isNow) onTaken?.()
  }

  // Only one check at a time. A second one would read what the first has just written and take it for another process's
  // lease.
  const check = (): Promise<boolean> => {
    asking ??= question().finally(() => {
      asking = null
    })
    return asking
  }

  const question = async (): Promise<boolean> => {
    if (released) return false
    // The lease may have expired unnoticed, and another process may have held it since. So a loss is recorded first.
    settle()
    try {
      held = await within(sleep, maxQuestionMs, ask())
    } catch (error) {
      // This process still holds the lease until its end. The database may answer the next request.
      log.warn({ lease: name, held: isHeld(), err: error }, 'a lease could not be renewed')
    }
    settle()
    return isHeld()
  }

  return {
    isHeld,
    isLast: () => isLast,
    check,
    round: async () => {
      if (leftMs() < leaseLengthMs * renewedPart) await check()
    },
    release: async () => {
      released = true
      isLast = false
      if (!held) return
      held = null
      await store.leases.release(name, token)
    },
  }
}

const within = async <T>(
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  limitMs: number,
  work: Promise<T>,
): Promise<T> => {
  const late = new AbortController()
  const limit = sleep(limitMs, late.signal).then(() => {
    throw new Error(`The database did not answer within ${limitMs} ms.`)
  })
  limit.catch(() => {})
  work.catch(() => {})
  try {
    return await Promise.race([work, limit])
  } finally {
    late.abort('answered')
  }
}

/**
 * Identifies this boot of the machine and the PID namespace, because process ids can be compared only within one of
 * these.
 */
const place = (): string => {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()}/${start}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/**
 * The token of this process. It contains the machine and the process id, so that other processes can see whether this
 * one has ended.
 * @param nonce distinguishes this process from earlier ones with the same id.
 */
export const processToken = (nonce: string): string => `${place()}/${process.pid}/${nonce}`

/**
 * Whether the process of a token is certainly gone. A token with our own process id comes from before this container
 * was restarted, because a restarted container gives out the same process ids again.
 */
export const processHasEnded = (token: string): boolean => {
  const [pid, ...before] = token.split('/').toReversed().slice(1)
  if (before.toReversed().join('/') !== place() || !/^\d+$/.test(pid ?? '')) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Whether the process has ended but its parent has not collected its exit status yet. Always false outside Linux. */
const isZombie = (pid: number): boolean => {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
