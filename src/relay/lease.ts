import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'

/**
 * What only one of the processes on a database does, such as asking Telegram for updates. It is held for 15 s at a
 * time by the wall clock and renewed long before; whoever finds it run out takes it.
 */
export interface Lease {
  /** As far as is known without asking. */
  isHeld(): boolean
  /** Asks the database now, and takes or renews it where that is possible. @returns whether it is held. */
  check(): Promise<boolean>
  /** To be called every second or so: checks when it is time to. */
  round(): Promise<void>
  /** Gives it back, so that another process need not wait for its end; it is not taken again. */
  release(): Promise<void>
}

export const leaseLengthMs = 15_000
/** Renewed with less than this left. */
const renewWithMs = 10_000

/**
 * @param token who this process is, unlike every other.
 * @param hasEnded whether the process of a token is known to be gone: then nobody waits for its end.
 */
export const createLease = (options: {
  store: Pick<Store, 'leases'>
  name: string
  token: string
  hasEnded: (token: string) => boolean
  now: () => Date
  log: Logger
}): Lease => {
  const { store, name, token, hasEnded, now, log } = options
  let untilMs: number | null = null
  let unreadable = false
  let released = false

  const isHeld = (): boolean => untilMs !== null && (now().getTime() < untilMs || unreadable)

  const ask = async (): Promise<Date | null> => {
    const at = now()
    const holder = await store.leases.holder(name)
    const mayTake = holder === null || holder.token === token || holder.until <= at || hasEnded(holder.token)
    const until = new Date(at.getTime() + leaseLengthMs)
    return mayTake && (await store.leases.pass(name, holder, { token, until })) ? until : null
  }

  const check = async (): Promise<boolean> => {
    if (released) return false
    const before = untilMs !== null
    try {
      untilMs = (await ask())?.getTime() ?? null
      unreadable = false
    } catch (error) {
      // Nobody can take it in a database that cannot be written.
      unreadable = true
      log.warn({ lease: name, held: before, err: error }, 'a lease could not be renewed')
      return isHeld()
    }
    const held = untilMs !== null
    if (held !== before) log.info({ lease: name, held }, held ? 'took a lease' : 'lost a lease')
    return held
  }

  return {
    isHeld,
    check,
    round: async () => {
      if (untilMs === null || unreadable || untilMs - now().getTime() < renewWithMs) await check()
    },
    release: async () => {
      released = true
      if (untilMs === null) return
      untilMs = null
      await store.leases.release(name, token)
    },
  }
}

/** The machine and its table of processes: two process ids are comparable only within one. */
const place = (): string => {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`
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
