import { newReading, type WalletReading } from './wallet-reading.ts'

/**
 * Reads of long wallets that a request limit or a failure interrupted, to be continued later. They are kept in
 * memory: another process starts from the beginning.
 */
export interface UnfinishedReads {
  /**
   * Removes the kept read of that name and returns it, to be continued; a new read if there is none.
   * @param maxAgeMs the longest time since the read started
   */
  take(name: string, at: Date, maxAgeMs: number): WalletReading
  /** Keeps the read, to be continued later. */
  keep(name: string, reading: WalletReading): void
  isKept(name: string): boolean
}

/** A read of 6,000 entries takes some megabytes. */
const maxKept = 20

/** Keeps the newest reads, one for each name. */
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
