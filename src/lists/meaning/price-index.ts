import type { Phone } from '../../provider/phone.ts'
import { networksOf } from '../read-phone.ts'
import type { PriceSnapshot } from '../reading-result.ts'
import { isSameSize, megabytesOf, readSize, type Size, writtenSize } from '../size.ts'
import type { ListedBundle } from './listed-bundle.ts'

/** The account's price list, made searchable. */
export interface PriceIndex {
  fixed: ListedBundle | null
  networks: readonly string[]
  likely(phone: Phone): readonly string[]
  /** Whether there was an order for the number on that network before. */
  hasServed(phone: Phone, network: string): boolean
  /** The bundles of exactly this size; sizes are not rounded. */
  ofSize(network: string, size: Size): readonly ListedBundle[]
  /** The three nearest sizes, each at its lowest price, smallest first. */
  nearest(networks: readonly string[], size: Size): ListedBundle[]
  /** All sizes that a network sells, as `writtenSize` writes them. */
  sizesOf(network: string): readonly string[]
}

/** The most leading digits that can hint at a network. */
const maxPrefix = 4

/** Builds the index. It reads each volume once, and caches results by size and by prefix. */
export const priceIndexOf = ({
  bundles,
  prefixes,
  fixedBundleId,
  served = {},
  ported = {},
}: PriceSnapshot): PriceIndex => {
  const sized = bundles.flatMap((bundle) => {
    const size = readSize(bundle.volume)
    return size ? [{ bundle, size }] : []
  })
  const found = new Map<string, Map<number, ListedBundle[]>>()
  const kept = new Map(Object.entries(ported))
  const hinted = new Map<string, readonly string[]>()
  return {
    fixed: bundles.find(({ id }) => id === fixedBundleId) ?? null,
    networks: [...new Set(bundles.map(({ network }) => network))],
    likely: (phone) => {
      const own = kept.get(phone)
      if (own !== undefined) return [own]
      const prefix = phone.slice(0, maxPrefix)
      const known = hinted.get(prefix)
      if (known) return known
      const networks = networksOf(phone, prefixes)
      hinted.set(prefix, networks)
      return networks
    },
    hasServed: (phone, network) => Object.hasOwn(served, phone) && served[phone]?.includes(network) === true,
    ofSize: (network, size) => {
      const sizes = found.get(network) ?? new Map<number, ListedBundle[]>()
      if (sizes.size === 0) found.set(network, sizes)
      const key = size.unit === 'GB' ? size.amount : -size.amount
      const known = sizes.get(key)
      if (known) return known
      const same = sized.filter(
        ({ bundle, size: own }) => bundle.network === network && isSameSize(own, size),
      )
      const result = same.map(({ bundle }) => bundle)
      sizes.set(key, result)
      return result
    },
    nearest: (networks, size) => nearestOf(sized, networks, size),
    sizesOf: (network) => [
      ...new Set(
        sized.filter(({ bundle }) => bundle.network === network).map(({ size }) => writtenSize(size)),
      ),
    ],
  }
}

const isCheaper = (known: ListedBundle | undefined, other: ListedBundle): boolean =>
  known !== undefined && (known.pricePesewas ?? 0) <= (other.pricePesewas ?? Number.POSITIVE_INFINITY)

const nearestOf = (
  sized: readonly { bundle: ListedBundle; size: Size }[],
  networks: readonly string[],
  size: Size,
): ListedBundle[] => {
  const away = ({ size: own }: { size: Size }) => Math.abs(Math.log(megabytesOf(own) / megabytesOf(size)))
  const one = new Map<string, { bundle: ListedBundle; size: Size }>()
  for (const each of sized) {
    const key = `${each.bundle.network} ${megabytesOf(each.size)}`
    if (networks.includes(each.bundle.network) && !isCheaper(one.get(key)?.bundle, each.bundle))
      one.set(key, each)
  }
  return [...one.values()]
    .sort((a, b) => away(a) - away(b))
    .slice(0, 3)
    .sort((a, b) => megabytesOf(a.size) - megabytesOf(b.size))
    .map(({ bundle }) => bundle)
}
