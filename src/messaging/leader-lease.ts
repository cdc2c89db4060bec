import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'
import { wait } from '../wait.ts'

/**
 * The right to what only one of the processes on a database does, such as polling Telegram for updates. It is held for
 * some seconds at a time and renewed long before; a process that finds it run out takes it.
 */
export interface Lease {
  /** Whether this process holds it, as far as is known without asking. */
  isHeld(): boolean
  /** Whether this process held it last, as far as is known, even if it ran out because nobody could renew it. */
  isLast(): boolean
  /** Asks the database now, and takes or renews the lease if possible. @returns whether it is held. */
  check(): Promise<boolean>
  /** To be called every second or so: checks when it is time to renew. */
  round(): Promise<void>
  /** Gives the lease back, so that another process need not wait for its end. This process does not take it again. */
  release(): Promise<void>
}

/** Thrown in place of a step that another process may do by now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Others look once a second, so another process takes over within 15 s. */
export const leaseLengthMs = 12_000
/** The lease is renewed if less than this part of it is left. */
const renewedPart = 2 / 3
/** A question that gets no answer must not hold up the next one. */
const maxQuestionMs = 3_000

/**
 * @param token names this process, unlike every other.
 * @param hasEnded whether the process of a token is known to be gone: then nobody waits for its lease to end.
 * @param now this process's clock. The length of the lease goes by the database's clock, which may differ.
 * @param monotonicMs a clock that nobody sets. The lease is over as soon as either clock says so.
 * @param onTaken called each time that the lease is taken.
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
  /** Resolves after so many milliseconds, or when nobody waits for it any more. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}): Lease => {
  const { store, name, token, hasEnded, now, monotonicMs, onTaken, log, sleep = untilAborted } = options
  let held: { untilMs: number; untilMonotonicMs: number } | null = null
  let wasHeld = false
  let isLast = false
  /** The other holder that the database last named, and since when it has named that one without a change. */
  let seen: { token: string; untilMs: number; sinceMs: number } | null = null
  let released = false
  let asking: Promise<boolean> | null = null

  const leftMs = (): number =>
    held ? Math.min(held.untilMs - now().getTime(), held.untilMonotonicMs - monotonicMs()) : 0

  const isHeld = (): boolean => leftMs() > 0

  /**
   * Whether another holder may still have the lease. A holder renews long before the end, so one that has not renewed
   * for a whole length has lost it, by whatever clock it was written.
   */
  const stands = (holder: { token: string; until: Date }): boolean => {
    const untilMs = holder.until.getTime()
    if (seen?.token !== holder.token || seen.untilMs !== untilMs)
      seen = { token: holder.token, untilMs, sinceMs: monotonicMs() }
    return monotonicMs() - seen.sinceMs < leaseLengthMs
  }

  const ask = async (): Promise<typeof held> => {
    // Counted from before the question, so that by our own clocks it ends no later than in the database.
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

  // One question at a time: a second would find what the first has written, and take it for another's.
  const check = (): Promise<boolean> => {
    asking ??= question().finally(() => {
      asking = null
    })
    return asking
  }

  const question = async (): Promise<boolean> => {
    if (released) return false
    // If the lease ran out unnoticed, another process may have held it before it is taken again.
    settle()
    try {
      held = await within(sleep, maxQuestionMs, ask())
    } catch (error) {
      // The lease is held to its end: the database may answer others.
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

const untilAborted = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal })

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

/** This machine since its start, and its process table. Two process ids are comparable only within one of these. */
const place = (): string => {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()}/${start}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/**
 * Names this process, with its machine and process id, so that others can see whether it has ended.
 * @param nonce tells this process from earlier ones with the same id.
 */
export const processToken = (nonce: string): string => `${place()}/${process.pid}/${nonce}`

/**
 * Whether the process of a token is certainly gone. A token with our own process id is from an earlier life of this
 * container: containers number their processes anew.
 */
export const processHasEnded = (token: string): boolean => {
  const [pid, ...before] = token.split('/').toReversed().slice(1)
  if (before.toReversed().join('/') !== place() || !/^\d+$/.test(pid ?? '')) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

/** Whether a process with that id runs on this machine. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/**
 * Whether the process has ended but still occupies its id, because its parent has not looked yet. Told on Linux only.
 */
const isZombie = (pid: number): boolean => {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
