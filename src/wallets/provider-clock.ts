import type { Debit } from '../domain/debits/matching.ts'
import { ProviderError } from '../provider/index.ts'
import type { Store } from '../store/store.ts'
import type { Purpose } from './budget.ts'
import type { Wallets } from './wallets.ts'

/**
 * Measures how far the provider's clock is ahead of ours, in ms. It uses times in the provider's own records, because a
 * proxy may set the `Date` header of an answer.
 */
export interface ProviderClock {
  /** The account's last measurements. If they are old, the balance is read first to measure again. */
  measure(accountId: string, purpose: Purpose): Promise<number[]>
  /**
   * Measures by the times of debits, if it is known when their orders were sent.
   * @returns all measurements that are known after that
   */
  learn(accountId: string, debits: readonly Debit[]): Promise<number[]>
}

const measuredForMs = 60 * 60_000
const maxDebits = 20

interface Measured {
  atMs: number
  byBalance: number | null
  byOrders: number | null
}

/** Keeps the measurements in this process's memory. A measurement by a balance is used for an hour. */
export const createProviderClock = (options: {
  store: Store
  wallets: Wallets
  now: () => Date
}): ProviderClock => {
  const { store, wallets, now } = options
  const measured = new Map<string, Measured>()

  const read = async (accountId: string, purpose: Purpose): Promise<number | null> => {
    try {
      const { timestamp, meta } = await wallets.ask(accountId, purpose, (provider) => provider.balance())
      return timestamp ? timestamp.getTime() - meta.receivedAt.getTime() : null
    } catch (error) {
      // Without a balance, the entries may still show the difference between the clocks. The next read tries again.
      if (error instanceof ProviderError) return null
      throw error
    }
  }

  /**
   * The last measurement. Null if there is none, or if it is in the future because our clock was wrong when it was
   * made.
   */
  const knownOf = (accountId: string): Measured | null => {
    const known = measured.get(accountId)
    return known && known.atMs <= now().getTime() ? known : null
  }

  const isFresh = ({ atMs, byBalance }: Measured): boolean =>
    byBalance !== null && now().getTime() - atMs < measuredForMs

  return {
    measure: async (accountId, purpose) => {
      const known = knownOf(accountId)
      if (known && isFresh(known)) return offsetsOf(known)
      const byBalance = await read(accountId, purpose)
      const next = { atMs: now().getTime(), byBalance, byOrders: known?.byOrders ?? null }
      measured.set(accountId, next)
      return offsetsOf(next)
    },

    learn: async (accountId, debits) => {
      const known = knownOf(accountId) ?? { atMs: 0, byBalance: null, byOrders: null }
      const newest = debits.slice(0, maxDebits)
      const sentAt = await store.orders.sentTimes(newest.flatMap(({ reference }) => reference ?? []))
      // A debit follows its send by up to the timeout of a POST, so the smallest difference is the most exact. A send
      // time in the future was stamped by a wrong clock.
      const offsets = newest.flatMap(({ reference, createdAtMs }) => {
        const sentMs = sentAt.get(reference ?? '')?.getTime()
        return sentMs === undefined || sentMs > now().getTime() || createdAtMs === null
          ? []
          : createdAtMs - sentMs
      })
      const byOrders = offsets.length > 0 ? Math.min(...offsets) : known.byOrders
      measured.set(accountId, { ...known, byOrders })
      return offsetsOf({ ...known, byOrders })
    },
  }
}

const offsetsOf = ({ byBalance, byOrders }: Measured): number[] =>
  [byBalance, byOrders].filter((offset) => offset !== null)
