/** Words in an offer's slug (its name in the API) that mean nothing to a customer. */
const empty = new Set(['data', 'bundle', 'bundles', 'offer', 'package', 'plan'])

/** How slugs spell the name of each network. */
const networkWords = new Map([
  ['MTN', ['mtn']],
  ['Telecel', ['telecel', 'vodafone', 'voda']],
  ['AirtelTigo', ['airteltigo', 'at', 'airtel', 'tigo']],
  ['BigTime', ['airteltigo', 'at', 'bigtime', 'big', 'time']],
])

const longest = 20

/** The name of a bundle within its network: its size and, if the slug has one, the name of its offer: `5GB Express`. */
export const sizeName = (network: string, volume: string, slug: string | null): string =>
  `${volume} ${offerName(network, slug)}`.trim()

/** The part of an offer's slug that people need: `mtn_express_bundle` → `Express`; empty for `mtn_data_bundle`. */
export const offerName = (network: string, slug: string | null): string => {
  const own = networkWords.get(network) ?? [network.toLowerCase()]
  return (slug ?? '')
    .toWellFormed()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !empty.has(word.toLowerCase()) && !own.includes(word.toLowerCase()))
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
    .slice(0, longest)
    .trim()
}
