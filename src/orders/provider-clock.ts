import type { Purpose } from '../accounts/budget.ts'
import type { Wallets } from '../accounts/wallets.ts'
import { ProviderError } from '../provider/index.ts'
import type { Store } from '../store/store.ts'
import type { Debit } from './matching.ts'

/**
 * How far the provider's clock is from ours, as its own records tell: the `Date` of an answer may be that of a proxy.
 * All in ms, the provider's less ours.
 */
export interface ProviderClock {
  /** As it was last measured for the account; a balance is read where that was long ago. */
  measure(accountId: string, purpose: Purpose): Promise<number[]>
  /** Learns from debits of orders of which both times are known. @returns all that is known then. */
  learn(accountId: string, debits: readonly Debit[]): Promise<number[]>
}

const measuredForMs = 60 * 60_000
/** As many of the newest debits tell enough. */
const mostDebits = 20

interface Measured {
  atMs: number
  byBalance: number | null
  byOrders: number | null
}

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
      // Without a balance the entries may tell: it is tried again with the next read.
      if (error instanceof ProviderError) return null
      throw error
    }
  }

  const isFresh = ({ atMs, byBalance }: Measured): boolean =>
    byBalance !== null && now().getTime() >= atMs && now().getTime() - atMs < measuredForMs

  return {
    measure: async (accountId, purpose) => {
      const known = measured.get(accountId)
      if (known && isFresh(known)) return offsetsOf(known)
      const byBalance = await read(accountId, purpose)
      const next = { atMs: now().getTime(), byBalance, byOrders: known?.byOrders ?? null }
      measured.set(accountId, next)
      return offsetsOf(next)
    },

    learn: async (accountId, debits) => {
      const known = measured.get(accountId) ?? { atMs: 0, byBalance: null, byOrders: null }
      const newest = debits.slice(0, mostDebits)
      const sentAt = await store.orders.sentTimes(newest.flatMap(({ reference }) => reference ?? []))
      // A debit follows its send by up to the deadline of a POST: the least of them is nearest.
      const offsets = newest.flatMap(({ reference, createdAtMs }) => {
        const sentMs = sentAt.get(reference ?? '')?.getTime()
        return sentMs === undefined || createdAtMs === null ? [] : createdAtMs - sentMs
      })
      const byOrders = offsets.length > 0 ? Math.min(...offsets) : known.byOrders
      measured.set(accountId, { ...known, byOrders })
      return offsetsOf({ ...known, byOrders })
    },
  }
}

const offsetsOf = ({ byBalance, byOrders }: Measured): number[] =>
  [byBalance, byOrders].filter((offset) => offset !== null)
