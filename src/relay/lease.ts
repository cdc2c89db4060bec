import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'

/**
 * What only one of the processes on a database does, such as asking Telegram for updates. It is held for some seconds at
 * a time and renewed long before; whoever finds it run out takes it.
 */
export interface Lease {
  /** As far as is known without asking. */
  isHeld(): boolean
  /** Whether it was held here last, as far as is known: also when it ran out since nobody could renew it. */
  isLast(): boolean
  /** How long nobody had held it when this process took it first, ms: 0 where it was given back, or handed on. */
  absenceMs(): number
  /** Asks the database now, and takes or renews it where that is possible. @returns whether it is held. */
  check(): Promise<boolean>
  /** To be called every second or so: checks when it is time to. */
  round(): Promise<void>
  /** Gives it back, so that another process need not wait for its end; it is not taken again. */
  release(): Promise<void>
}

/** With the round of a second in which others look, whoever takes over does so within 15 s. */
export const leaseLengthMs = 12_000
/** Renewed with less than this left. */
const renewWithMs = 8_000
/** A question that gets no answer must not keep the next one from being asked. */
const longestQuestionMs = 3_000

/**
 * @param token who this process is, unlike every other.
 * @param hasEnded whether the process of a token is known to be gone: then nobody waits for its end.
 * @param now its own clock; how long it is held goes by the database's, which those of all processes may differ from.
 * @param monotonicMs a clock that nobody sets: of the two it is held by whichever says that it is over.
 * @param onTaken told each time that it was taken.
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
  let absenceMs: number | null = null
  /** What the database said of another holder, and since when it has said so without a change. */
  let seen: { token: string; untilMs: number; sinceMs: number } | null = null
  let released = false
  let asking: Promise<boolean> | null = null

  const leftMs = (): number =>
    held ? Math.min(held.untilMs - now().getTime(), held.untilMonotonicMs - monotonicMs()) : 0

  const isHeld = (): boolean => leftMs() > 0

  /** A holder renews long before: by whatever clock it was written, one that has not for so long holds it no more. */
  const stands = (holder: { token: string; until: Date }): boolean => {
    const untilMs = holder.until.getTime()
    if (seen?.token !== holder.token || seen.untilMs !== untilMs)
      seen = { token: holder.token, untilMs, sinceMs: monotonicMs() }
    return monotonicMs() - seen.sinceMs < leaseLengthMs
  }

  const ask = async (): Promise<typeof held> => {
    // From before the question: by our own clocks it ends no later than in the database.
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
    if (isLast) absenceMs ??= holder ? Math.max(0, at.getTime() - holder.until.getTime()) : 0
    return isLast ? ends : null
  }

  const settle = (): void => {
    const isNow = isHeld()
    if (isNow === wasHeld) return
    wasHeld = isNow
    log.info({ lease: name, held: isNow }, isNow ? 'took a lease' : 'lost a lease')
    if (isNow) onTaken?.()
  }

  // Of two questions at once the later one finds what the first has written, and takes it for another's.
  const check = (): Promise<boolean> => {
    asking ??= question().finally(() => {
      asking = null
    })
    return asking
  }

  const question = async (): Promise<boolean> => {
    if (released) return false
    // One that ran out unnoticed and is taken again was perhaps another's in between.
    settle()
    try {
      held = await within(sleep, longestQuestionMs, ask())
    } catch (error) {
      // It is held to its end: the database may answer others.
      log.warn({ lease: name, held: isHeld(), err: error }, 'a lease could not be renewed')
    }
    settle()
    return isHeld()
  }

  return {
    isHeld,
    isLast: () => isLast,
    absenceMs: () => absenceMs ?? 0,
    check,
    round: async () => {
      if (leftMs() < renewWithMs) await check()
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
    late.abort()
  }
}

/** The machine, since its start, and its table of processes: two process ids are comparable only within one. */
const place = (): string => {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()}/${start}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

export const processToken = (nonce: string): string => `${place()}/${process.pid}/${nonce}`

/**
 * Whether the process of such a token is certainly gone. One with our own id is an earlier life of ours: containers
 * number their processes anew.
 */
export const processHasEnded = (token: string): boolean => {
  const [pid, ...before] = token.split('/').toReversed().slice(1)
  if (before.toReversed().join('/') !== place() || !/^\d+$/.test(pid ?? '')) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

/** Whether there is a process of that id on this machine. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** It has ended, and its parent has not looked yet: its id is still taken. Told on Linux only. */
const isZombie = (pid: number): boolean => {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
