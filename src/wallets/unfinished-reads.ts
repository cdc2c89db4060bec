import { newReading, type WalletReading } from './entries.ts'

/**
 * Reads of long wallets that a request limit or a failure broke off, and that go on from there. Only this process keeps
 * them: another one begins anew.
 */
export interface UnfinishedReads {
  /** Takes out the read to go on with, or makes a new one. @param maxAgeMs how long ago it may have begun. */
  take(name: string, at: Date, maxAgeMs: number): WalletReading
  /** Keeps the read to go on with it later. */
  keep(name: string, reading: WalletReading): void
  isKept(name: string): boolean
}

/** A read of 6,000 entries takes some megabytes. */
const maxKept = 20

/** Keeps the newest reads, one of each name. */
export const createUnfinishedReads = (): UnfinishedReads => {
  const kept = new Map<string, WalletReading>()

  return {
    take: (name, at, maxAgeMs) => {
      const reading = kept.get(name)
      kept.delete(name)
      const ageMs = reading ? at.getTime() - reading.beganAt.getTime() : -1
      return reading && ageMs >= 0 && ageMs <= maxAgeMs ? reading : newReading(at)
    },
    isKept: (name) => kept.has(name),
    keep: (name, reading) => {
      if (reading.history.requests === 0) return
      kept.set(name, reading)
      const [oldest] = kept.keys()
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    },
  }
}
