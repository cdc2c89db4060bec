import { defaultPrefixes } from '../../src/lists/read-phone.ts'
import type { PriceSnapshot } from '../../src/lists/reading-result.ts'
import type { Bundle } from '../../src/provider/bundle.ts'
import { pesewas } from '../../src/provider/money.ts'

const bundle = (id: number, network: string, volume: string, pricePesewas: number): Bundle => ({
  id,
  network,
  volume,
  pricePesewas: pesewas(pricePesewas),
  offerSlug: `offer_${id}`,
  status: 'active',
})

/** MTN sells 6GB twice, only BigTime sells 15GB, and AirtelTigo and BigTime sell the same sizes. */
export const bundles: readonly Bundle[] = [
  bundle(1, 'MTN', '1GB', 490),
  bundle(2, 'MTN', '2GB', 980),
  bundle(3, 'MTN', '3GB', 1450),
  bundle(4, 'MTN', '4GB', 1900),
  bundle(5, 'MTN', '5GB', 2350),
  bundle(6, 'MTN', '6GB', 2800),
  bundle(7, 'MTN', '6GB', 2900),
  bundle(8, 'MTN', '10GB', 4500),
  bundle(9, 'MTN', '100MB', 60),
  bundle(21, 'Telecel', '500MB', 290),
  bundle(22, 'Telecel', '2GB', 930),
  bundle(23, 'Telecel', '5GB', 2240),
  bundle(24, 'Telecel', '10GB', 4090),
  bundle(25, 'Telecel', '7.5GB', 3300),
  bundle(41, 'AirtelTigo', '1GB', 430),
  bundle(42, 'AirtelTigo', '2GB', 840),
  bundle(43, 'AirtelTigo', '3GB', 1250),
  bundle(44, 'AirtelTigo', '5GB', 2040),
  bundle(61, 'BigTime', '5GB', 1850),
  bundle(62, 'BigTime', '15GB', 5200),
  bundle(63, 'BigTime', '100GB', 18500),
]

export const priceSnapshot: PriceSnapshot = { bundles, prefixes: defaultPrefixes, fixedBundleId: null }

/** The price snapshot if a bundle was chosen before the list. */
export const chosen = (fixedBundleId: number): PriceSnapshot => ({ ...priceSnapshot, fixedBundleId })
