import type { Network } from '../../../provider/network.ts'
import { isOneSlip } from '../one-slip.ts'

/** What people call the networks and their brands, in lower case and without spaces. */
const words = new Map<string, Network>([
  ...named('MTN', 'mtn up2u upto2u mashup kokrokoo'),
  ...named('Telecel', 'telecel vodafone vodaphone voda vf'),
  ...named('AirtelTigo', 'at airteltigo airtigo atigo tigo airtel ishare sikakokoo'),
  ...named('BigTime', 'bigtime'),
])

function named(network: Network, brands: string): [string, Network][] {
  return brands.split(' ').map((brand) => [brand, network])
}

/** Words so long that even with one typing slip it is clear which one was meant. */
const long = [...words].filter(([word]) => word.length > 6)

/** The network that a name of one or two words means; null if it means none. */
export const readNetwork = (text: string): Network | null =>
  words.get(text.toLowerCase().replace(/[\s_-]/g, '')) ?? null

/** The network that one word means, even misspelt: `Telecell`. */
export const likeNetwork = (text: string): Network | null => {
  const word = text.toLowerCase()
  const isLong = word.length > 5 && word.length < 12
  return words.get(word) ?? (isLong ? (long.find(([right]) => isOneSlip(word, right))?.[1] ?? null) : null)
}

/** Ghanaian networks whose bundles are not sold here. */
const unsold = new Set('glo expresso kasapa surfline'.split(' '))

export const isUnsoldNetwork = (word: string): boolean => unsold.has(word.toLowerCase())
