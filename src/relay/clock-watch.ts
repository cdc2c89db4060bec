import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Store } from '../store/store.ts'

/**
 * Notices that the clock was set back, and moves planned times back by as much. Otherwise nothing would be sent, read
 * or told until the clock has caught up.
 */
export interface ClockWatch {
  /** To be called each second. Resolves when every time is moved back. */
  round(): Promise<void>
}

/** Two clocks that are compared a second apart differ by less, unless somebody set one. */
const toleranceMs = 2_000
const keptEveryMs = 60_000
const factName = 'clock'

/** How far the clock stood from the machine's monotonic clock, which counts from the machine's start. */
interface ClockReading {
  offsetMs: number
  at: number
  /** Which start of which machine. */
  boot: string
}

/**
 * @param now the clock by which everything is written.
 * @param monotonicMs the machine's monotonic clock, which goes on over a restart of the process.
 * @param boot which start of the machine it counts from; empty if that cannot be told.
 * @param mayAct whether this process is the one that keeps the database right.
 */
export const createClockWatch = (options: {
  store: Pick<Store, 'chats' | 'clockSetBack'>
  now: () => Date
  monotonicMs: () => number
  boot: string
  mayAct: () => boolean
  onSetBack: (byMs: number) => void
  log: Logger
}): ClockWatch => {
  const { store, now, monotonicMs, boot, mayAct, onSetBack, log } = options
  /** Null: this process does not know how the database was left. */
  let known: number | null = null
  let keptAtMs = Number.NEGATIVE_INFINITY

  const keep = async (offsetMs: number): Promise<void> => {
    const standing: ClockReading = { offsetMs, at: now().getTime(), boot }
    await store.chats.setFact(factName, JSON.stringify(standing))
    keptAtMs = monotonicMs()
  }

  /**
   * By how much the clock was set back since the last process wrote, ms. It is exact within one start of the machine;
   * otherwise it is the least that times in the future allow.
   */
  const sinceLast = async (offsetMs: number): Promise<number> => {
    const fact = await store.chats.fact(factName)
    const last = fact === null ? null : (JSON.parse(fact) as ClockReading)
    if (last && last.boot === boot && boot !== '') return last.offsetMs - offsetMs
    const newest = await store.clockSetBack.newest()
    return Math.max(last?.at ?? 0, newest?.getTime() ?? 0) - now().getTime()
  }

  return {
    round: async () => {
      if (!mayAct()) {
        known = null
        return
      }
      const offsetMs = now().getTime() - monotonicMs()
      const byMs = known === null ? await sinceLast(offsetMs) : known - offsetMs
      if (byMs > toleranceMs) {
        await store.clockSetBack.bringBack(byMs, now())
        log.warn(
          { seconds: Math.round(byMs / 1000) },
          'the clock was set back: what it had planned is brought back',
        )
        onSetBack(byMs)
      } else if (known !== null && byMs < -toleranceMs) {
        log.info(
          { seconds: Math.round(-byMs / 1000) },
          'the clock went ahead: it was set, or the machine slept',
        )
      }
      const isSet = known === null || Math.abs(byMs) > toleranceMs
      if (isSet || monotonicMs() - keptAtMs > keptEveryMs) await keep(offsetMs)
      known = offsetMs
    },
  }
}

/** The start of this machine. Two processes with the same one share a monotonic clock. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Ms of a clock that nobody sets, the same in all processes of this machine. */
export const machineMonotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)
