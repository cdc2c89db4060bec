import { maxOffsetMs } from '../database/whole-number.ts'
import type { Offer } from '../journal/order.ts'
import type { ListedBundle } from '../lists/listed-bundle.ts'
import { megabytesOf, readSize } from '../lists/size.ts'
import type { AnswerMeta, Bundle, BundleList, Network } from '../provider/index.ts'
import type { Queries } from '../store/store.ts'
import { isHalfUsed, type Purpose } from '../wallets/budget.ts'
import type { Wallets } from '../wallets/wallets.ts'

/** A price this old may still be shown; an older one is read again. */
export const freshMs = 60_000
/** A price this old may still be sent by, while the account has used less than half of each window of its budget. */
const sendableMs = 5_000

/** How old a price may be by which the account's order is sent. */
export const oldestToSend = async (
  queries: Pick<Queries, 'requests'>,
  accountId: string,
  now: Date,
): Promise<number> => ((await isHalfUsed(queries, accountId, now)) ? freshMs : sendableMs)

/**
 * The price lists of accounts, each read at most once a minute in each process however many ask. A process reads for
 * sending only what it has claimed, and all count their requests together.
 */
export interface Prices {
  /**
   * @param maxAgeMs an older list is read again (default: a minute).
   * @throws {ProviderError} where the list cannot be read.
   */
  list(accountId: string, purpose: Purpose, maxAgeMs?: number): Promise<BundleList>
  /** When the account's list was read last: no price of it is newer. */
  readAt(accountId: string): Date | null
  forget(accountId: string): void
  /** The provider's clock less ours, ms, as the last read of the account's list told it; null: never measured. */
  clockOffsetMs(accountId: string): number | null
}

/** @param now milliseconds since 1970. */
export const createPrices = (wallets: Wallets, now: () => number): Prices => {
  const lists = new Map<string, { at: number; purpose: Purpose; list: Promise<BundleList> }>()

  const offsets = new Map<string, number>()
  const measure = (accountId: string, { serverDate, receivedAt }: AnswerMeta) => {
    if (!serverDate) return
    const offsetMs = serverDate.getTime() - receivedAt.getTime()
    offsets.set(accountId, Math.max(-maxOffsetMs, Math.min(maxOffsetMs, offsetMs)))
  }

  const read = (accountId: string, purpose: Purpose): Promise<BundleList> => {
    const list = wallets.ask(accountId, purpose, (provider) => provider.bundles())
    lists.set(accountId, { at: now(), purpose, list })
    list.then(({ meta }) => measure(accountId, meta), nothing)
    list.catch(() => {
      if (lists.get(accountId)?.list === list) lists.delete(accountId)
    })
    return list
  }

  /** With a clock that was set back, it would stay fresh until the clock has caught up. */
  const isFresh = (at: number, maxAgeMs: number): boolean => now() >= at && now() - at < maxAgeMs

  return {
    list: (accountId, purpose, maxAgeMs = freshMs) => {
      const known = lists.get(accountId)
      if (!known || !isFresh(known.at, maxAgeMs)) return read(accountId, purpose)
      // Another purpose may have been refused room that there is for this one.
      return known.purpose === purpose ? known.list : known.list.catch(() => read(accountId, purpose))
    },
    readAt: (accountId) => {
      const known = lists.get(accountId)
      return known ? new Date(known.at) : null
    },
    forget: (accountId) => {
      lists.delete(accountId)
    },
    clockOffsetMs: (accountId) => offsets.get(accountId) ?? null,
  }
}

const nothing = () => {}

type Kind = Pick<Bundle, 'network' | 'volume'>

/** Two bundles of one network and size, that only their offers tell apart. */
export const isTwin = (a: Kind, b: Kind): boolean =>
  a !== b && a.network === b.network && a.volume === b.volume

/**
 * The part of a bundle that a person is shown and confirms; its offer is named where the size alone does not tell.
 */
export const offerOf = (bundle: Bundle, bundles: Bundle[]): Offer => ({
  bundleId: bundle.id,
  network: bundle.network,
  volume: bundle.volume,
  offerSlug: bundles.some((other) => isTwin(other, bundle)) ? bundle.offerSlug : null,
  pricePesewas: bundle.pricePesewas,
})

/** Bundles of a network, cheapest first. */
export const bundlesOf = <Sold extends ListedBundle>(bundles: Sold[], network: Network | string): Sold[] =>
  bundles
    .filter((bundle) => bundle.network === network)
    .sort((a, b) => priceOf(a) - priceOf(b) || megabytesIn(a) - megabytesIn(b) || a.id - b.id)

/** Bundles without a price that the viewer sees come last, by size. */
const priceOf = ({ pricePesewas }: ListedBundle): number => pricePesewas ?? Number.MAX_SAFE_INTEGER
const megabytesIn = ({ volume, pricePesewas }: ListedBundle): number => {
  const size = pricePesewas === null ? readSize(volume) : null
  return size ? megabytesOf(size) : 0
}
