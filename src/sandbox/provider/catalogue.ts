import type { ProviderAccountState } from './control.ts'

/** The networks whose bundles the provider sells (API §1). */
export const networks = ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'] as const

type Network = (typeof networks)[number]

export type AccountType = ProviderAccountState['accountType']

export interface Bundle {
  id: number
  network: Network
  volume: string
  offerSlug: string
  /** In pesewas. */
  prices: Record<AccountType, number>
}

type Row = readonly [
  id: number,
  volume: string,
  user: number,
  agent: number,
  dealer: number,
  merchant: number,
]

const offer = (network: Network, offerSlug: string, rows: readonly Row[]): Bundle[] =>
  rows.map(([id, volume, user, agent, dealer, merchant]) => ({
    id,
    network,
    volume,
    offerSlug,
    prices: { user, agent, dealer, merchant },
  }))

/**
 * The sandbox's bundles, with invented prices. They cover difficult cases: MTN sells 5GB as two different offers,
 * the networks sell the same sizes, and some prices are not exact as binary fractions (0.10, 4.35).
 */
export const catalogue: readonly Bundle[] = [
  ...offer('MTN', 'mtn_data_bundle', [
    [1, '1GB', 490, 480, 465, 450],
    [2, '2GB', 980, 960, 930, 900],
    [3, '3GB', 1450, 1420, 1380, 1340],
    [4, '5GB', 2400, 2350, 2280, 2215],
    [5, '10GB', 4500, 4390, 4275, 4160],
    [6, '20GB', 8450, 8240, 8015, 7790],
    [7, '50GB', 20100, 19650, 19150, 18600],
  ]),
  ...offer('MTN', 'mtn_express_bundle', [
    [8, '5GB', 2600, 2545, 2470, 2405],
    [9, '100MB', 60, 55, 50, 45],
  ]),
  ...offer('Telecel', 'telecel_data_bundle', [
    [21, '500MB', 290, 280, 270, 260],
    [22, '1GB', 475, 460, 445, 435],
    [23, '2GB', 935, 915, 890, 865],
    [24, '5GB', 2290, 2240, 2175, 2110],
    [25, '10GB', 4190, 4095, 3980, 3870],
    [26, '15GB', 6150, 6010, 5845, 5680],
  ]),
  ...offer('AirtelTigo', 'at_ishare_bundle', [
    [41, '500MB', 230, 225, 215, 210],
    [42, '1GB', 435, 420, 405, 395],
    [43, '2GB', 860, 835, 810, 785],
    [44, '5GB', 2095, 2045, 1985, 1925],
    [45, '10GB', 3990, 3895, 3785, 3680],
    [46, '10MB', 10, 10, 10, 10],
    [47, '20MB', 20, 20, 20, 20],
  ]),
  ...offer('BigTime', 'at_bigtime_bundle', [
    [61, '1GB', 395, 385, 375, 365],
    [62, '2GB', 775, 755, 735, 715],
    [63, '5GB', 1890, 1845, 1790, 1740],
    [64, '10GB', 3590, 3505, 3405, 3310],
    [65, '30GB', 7700, 7515, 7300, 7095],
    [66, '50GB', 10500, 10250, 9960, 9675],
    [67, '100GB', 18950, 18500, 17975, 17450],
  ]),
]
