import type { Network } from '../provider/network.ts'
import { productsIn } from './meaning/products.ts'
import { tokensOf } from './reading/grammar/token.ts'
import { meaningOf } from './reading/grammar/vocabulary.ts'
import { normalized } from './reading/normalize.ts'
import type { Size } from './size.ts'

/** Several orders of one size, for a number that is not given yet: `2x10gb`, `2 x 10gb mtn`, `10gb x2`. */
export interface SeveralOrders {
  /** At least 2. */
  count: number
  size: Size
  network: Network | null
}

/** In characters. A longer text is not a request for several orders. */
const longest = 80
/** More orders than this are sent as a list. */
const maxCount = 99

/**
 * Reads a request for several orders.
 * @returns null if the text says anything else, or if the size has no unit: `2x10` can be read in two ways
 */
export const readSeveralOrders = (text: string): SeveralOrders | null => {
  if (text.length > longest || text.trim().includes('\n')) return null
  const words = tokensOf(normalized(text).toLowerCase()).map((token) => token.text)
  const joined = words
    .filter((word) => meaningOf(word)?.as !== 'filler')
    .join(' ')
    .replace(/(\d) \. (\d)/g, '$1.$2')
    .replace(/(?<= |^)[.,!?()-](?= |$)/g, '')
    .replace(/ +/g, ' ')
    .trim()
  const counted = counts.map((each) => each.exec(joined)).find((match) => match !== null)
  if (!counted) return null
  const others = joined.replace(counted[0], ' ')
  const { rest, network, size, hasUnit } = productsIn(others.split(' ').filter(Boolean))
  const count = counted[1] === undefined ? numbersOf[counted[0].trim()] : Number(counted[1])
  const isMeant = rest.length === 0 && size !== null && hasUnit && isOne(others)
  return isMeant && count && count >= 2 && count <= maxCount ? { count, size, network } : null
}

const unit = '(?:gb|gbs|g|gigs?|mb|mbs|megs?|m)'
const times = '(?:x|\u00d7|\u2715|\u2716|\\*|times|pcs?|pieces?|units)'

/** The ways to write how many orders, most likely first. A number with a unit after it is the size. */
const counts = [
  new RegExp(`(?:^| )(\\d{1,2}) ${times}(?= |$)`),
  new RegExp(`(?:^| )${times} (\\d{1,2})(?! (?:\\.|${unit}))(?: ${times})?(?= |$)`),
  /(?:^| )(?:twice|double|thrice|triple)(?= |$)/,
]

const numbersOf: Readonly<Record<string, number>> = { twice: 2, double: 2, thrice: 3, triple: 3 }

/** Whether exactly one number is left, which must be the size. */
const isOne = (text: string): boolean => text.match(/\d+(?:\.\d+)?/g)?.length === 1
