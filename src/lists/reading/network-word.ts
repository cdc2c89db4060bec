import type { Network } from '../../provider/network.ts'
import { isOneSlip } from './one-slip.ts'

/** People's words for the networks and their brands (lists rule 4), in lower case without spaces. */
const words = new Map<string, Network>([
  ...named('MTN', 'mtn up2u upto2u mashup kokrokoo'),
  ...named('Telecel', 'telecel vodafone vodaphone voda vf'),
  ...named('AirtelTigo', 'at airteltigo airtigo atigo tigo airtel ishare sikakokoo'),
  ...named('BigTime', 'bigtime'),
])

function named(network: Network, brands: string): [string, Network][] {
  return brands.split(' ').map((brand) => [brand, network])
}

/** Words so long that a slip in them leaves no doubt. */
const long = [...words].filter(([word]) => word.length > 6)

/** The network that one word or two name, else null. */
export const readNetwork = (text: string): Network | null =>
  words.get(text.toLowerCase().replace(/[\s_-]/g, '')) ?? null

/** The network that one word names, a misspelt one too: `Telecell`. */
export const likeNetwork = (text: string): Network | null => {
  const word = text.toLowerCase()
  const isLong = word.length > 5 && word.length < 12
  return words.get(word) ?? (isLong ? (long.find(([right]) => isOneSlip(word, right))?.[1] ?? null) : null)
}

/** Networks of the country whose bundles are not sold here. */
const unsold = new Set('glo expresso kasapa surfline'.split(' '))

export const isUnsoldNetwork = (word: string): boolean => unsold.has(word.toLowerCase())
