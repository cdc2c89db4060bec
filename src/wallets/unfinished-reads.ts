import { newReading, type WalletReading } from './wallet-reading.ts'

/**
 * Reads of long wallets that a request limit or a failure interrupted, to be continued later. They are kept in memory,
 * so another process starts from the beginning.
 */
export interface UnfinishedReads {
  /**
   * Removes the kept read of that name and returns it, to be continued. Returns a new read if there is none.
   * @param maxAgeMs the longest time since the read began
   */
  take(name: string, at: Date, maxAgeMs: number): WalletReading
  keep(name: string, reading: WalletReading): void
  isKept(name: string): boolean
}

/** A read of 6,000 entries takes some megabytes. */
const maxKept = 20

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
