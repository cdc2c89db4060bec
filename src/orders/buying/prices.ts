import type { Offer } from '../../domain/order/order.ts'
import type { ListedBundle } from '../../lists/meaning/listed-bundle.ts'
import { megabytesOf, readSize } from '../../lists/size.ts'
import {
  type AnswerMeta,
  type Bundle,
  type BundleList,
  type Network,
  ProviderError,
} from '../../provider/index.ts'
import type { Purpose } from '../../wallets/budget.ts'
import type { Wallets } from '../../wallets/wallets.ts'

/** The largest difference between the clocks, ms, that its database column can hold: about 24 days. */
const maxOffsetMs = 2 ** 31 - 1

/** A price list this old, ms, may still be shown. An older one is read again. */
export const pricesFreshMs = 60_000
/**
 * Before an order is sent, a price list older than this, ms, is read again. If the request budget has no room for a
 * read, an older list is used, up to `pricesFreshMs`.
 */
const sendableMs = 5_000

/** The price lists of accounts, kept in memory for a minute. Concurrent callers share one read. */
export interface Prices {
  /** A list at most a minute old. @throws {ProviderError} if the list cannot be read. */
  list(accountId: string, purpose: Purpose): Promise<BundleList>
  /**
   * The list against which an order is checked before it is sent, as new as the budget allows. @throws {ProviderError}
   * as above.
   */
  listToSend(accountId: string): Promise<BundleList>
  /** When the last read of the account's list began; null if no list is in memory. */
  readAt(accountId: string): Date | null
  forget(accountId: string): void
  /** The provider's clock minus ours, ms, measured at the last read of the account's list; null if never measured. */
  clockOffsetMs(accountId: string): number | null
}

interface Read {
  at: number
  purpose: Purpose
  list: Promise<BundleList>
}

/** @param now milliseconds since 1970. */
export const createPrices = (wallets: Wallets, now: () => number): Prices => {
  const lists = new Map<string, Read>()

  const offsets = new Map<string, number>()
  const measure = (accountId: string, { serverDate, receivedAt }: AnswerMeta) => {
    if (!serverDate) return
    const offsetMs = serverDate.getTime() - receivedAt.getTime()
    offsets.set(accountId, Math.max(-maxOffsetMs, Math.min(maxOffsetMs, offsetMs)))
  }

  const keep = (accountId: string, read: Read): Promise<BundleList> => {
    lists.set(accountId, read)
    read.list.catch(() => {
      if (lists.get(accountId) === read) lists.delete(accountId)
    })
    return read.list
  }

  const ask = (accountId: string, purpose: Purpose): Promise<BundleList> => {
    const list = wallets.ask(accountId, purpose, (provider) => provider.bundles())
    list.then(({ meta }) => measure(accountId, meta), nothing)
    return list.then((read) => ({ ...read, bundles: onSale(read.bundles) }))
  }

  const read = (accountId: string, purpose: Purpose): Promise<BundleList> =>
    keep(accountId, { at: now(), purpose, list: ask(accountId, purpose) })

  /** Reads the list again. If the request budget has no room, the list in memory is kept. */
  const readAgain = (accountId: string, known: Read): Promise<BundleList> => {
    const again: Read = {
      at: now(),
      purpose: 'order',
      list: ask(accountId, 'price').catch((error: unknown) => {
        if (!isLimited(error)) throw error
        again.at = known.at
        return known.list
      }),
    }
    return keep(accountId, again)
  }

  /**
   * Whether a list that was read at that time is still fresh. If the time is in the future, the clock was set back
   * since. Such a list does not count as fresh, because it would be used until the clock catches up.
   */
  const isFresh = (at: number, maxAgeMs: number): boolean => now() >= at && now() - at < maxAgeMs

  /**
   * Shares the read in progress. If that read fails and was made for another purpose, reads again, because only that
   * purpose's budget may have been used up.
   */
  const shared = (accountId: string, known: Read, purpose: Purpose): Promise<BundleList> =>
    known.purpose === purpose ? known.list : known.list.catch(() => read(accountId, purpose))

  return {
    list: (accountId, purpose) => {
      const known = lists.get(accountId)
      return known && isFresh(known.at, pricesFreshMs)
        ? shared(accountId, known, purpose)
        : read(accountId, purpose)
    },
    listToSend: (accountId) => {
      const known = lists.get(accountId)
      if (!known || !isFresh(known.at, pricesFreshMs)) return read(accountId, 'order')
      return isFresh(known.at, sendableMs) ? shared(accountId, known, 'order') : readAgain(accountId, known)
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

/**
 * The bundles that can be bought, each once. The provider's list may contain duplicates and bundles that are not for
 * sale now.
 */
export const onSale = (bundles: readonly Bundle[]): Bundle[] => {
  const ids = new Set<number>()
  const kinds = new Set<string>()
  return bundles.filter(({ id, network, volume, pricePesewas, offerSlug, status }) => {
    const kind = JSON.stringify([network, volume, pricePesewas, offerSlug])
    if (!isActive(status) || ids.has(id) || kinds.has(kind)) return false
    ids.add(id)
    kinds.add(kind)
    return true
  })
}

/**
 * Whether the bundle can be bought. Every bundle of the list has the status `active` (API §2). A bundle without a
 * status counts as active.
 */
const isActive = (status: string | null): boolean => status === null || /^active$/i.test(status.trim())

const isLimited = (error: unknown): boolean => error instanceof ProviderError && error.code === 'rate_limited'

const nothing = () => {}

type Kind = Pick<Bundle, 'network' | 'volume'>

/**
 * Whether these are two bundles of the same network and size, so that only the names of their offers distinguish them.
 */
export const isTwin = (a: Kind, b: Kind): boolean =>
  a !== b && a.network === b.network && a.volume === b.volume

/**
 * The parts of a bundle that a person sees and confirms. The offer is named only if another bundle has the same network
 * and size.
 */
export const offerOf = (bundle: Bundle, bundles: Bundle[]): Offer => ({
  bundleId: bundle.id,
  network: bundle.network,
  volume: bundle.volume,
  offerSlug: bundles.some((other) => isTwin(other, bundle)) ? bundle.offerSlug : null,
  pricePesewas: bundle.pricePesewas,
})

/** The network's bundles, cheapest first. */
export const bundlesOf = <Sold extends ListedBundle>(bundles: Sold[], network: Network | string): Sold[] =>
  bundles
    .filter((bundle) => bundle.network === network)
    .sort((a, b) => priceOf(a) - priceOf(b) || megabytesIn(a) - megabytesIn(b) || a.id - b.id)

/** Puts bundles with a hidden price last. */
const priceOf = ({ pricePesewas }: ListedBundle): number => pricePesewas ?? Number.MAX_SAFE_INTEGER
const megabytesIn = ({ volume, pricePesewas }: ListedBundle): number => {
  const size = pricePesewas === null ? readSize(volume) : null
  return size ? megabytesOf(size) : 0
}
