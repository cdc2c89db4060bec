import { newHistory, type WalletHistory } from './wallet-history.ts'

/**
 * Reads of long wallets that were broken off, as the request limit or a failure does: they are gone on with where they
 * ended. Kept by this process alone: another one begins anew.
 */
export interface UnfinishedReads {
  /** The one to go on with, which is taken out, or a new one. @param mostAgeMs how long ago it may have begun. */
  take(name: string, at: Date, mostAgeMs: number): WalletHistory
  /** It is to be gone on with. */
  keep(name: string, history: WalletHistory): void
}

/** A read of 6,000 entries takes some megabytes. */
const mostKept = 20

export const createUnfinishedReads = (): UnfinishedReads => {
  const kept = new Map<string, WalletHistory>()

  return {
    take: (name, at, mostAgeMs) => {
      const history = kept.get(name)
      kept.delete(name)
      const ageMs = history ? at.getTime() - history.beganAt.getTime() : -1
      return history && ageMs >= 0 && ageMs <= mostAgeMs ? history : newHistory(at)
    },
    keep: (name, history) => {
      if (history.requests === 0) return
      kept.set(name, history)
      const [oldest] = kept.keys()
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    },
  }
}
