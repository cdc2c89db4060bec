import type { Network } from '../../../provider/network.ts'
import type { Size } from '../../size.ts'
import { likeNetwork } from './network-word.ts'

/** What a column contains. `other` is read like free text; `ignored` is not read. */
export type Role = 'phone' | 'size' | 'network' | 'amount' | 'index' | 'quantity' | 'ignored' | 'other'

/** What a word means in a list. A word without a meaning counts as a name. */
export type Meaning =
  | { as: 'unit'; unit: Size['unit'] }
  | { as: 'network'; network: Network }
  /** `GHS` is written before its amount, `cedis` after it. */
  | { as: 'currency'; before: boolean }
  /** The word makes a size count for each of several phones: `5gb each`, `all 5gb`. */
  | { as: 'share' }
  | { as: 'total' }
  /** The word suggests that the line is not an order. `strong`: even a line without a phone becomes doubtful. */
  | { as: 'doubt'; strong: boolean }
  /** The word multiplies an order: `5gb x 3`, `3 times`. */
  | { as: 'times' }
  /** A number before it counts people. */
  | { as: 'people' }
  /** A number before it says how long a bundle lasts. */
  | { as: 'duration' }
  /** The header of a column, or a label before a value. */
  | { as: 'label'; role: Role }
  | { as: 'filler' }

const meanings = new Map<string, Meaning>()

const mean = (meaning: Meaning, words: string): void => {
  for (const word of words.split(' ')) meanings.set(word, meaning)
}

mean({ as: 'unit', unit: 'GB' }, 'gb g gig gigs gigabyte gigabytes gbs gib giga gigas gbytes')
mean({ as: 'unit', unit: 'MB' }, 'mb m meg megs megabyte megabytes mbs mib mega megas mbytes')
mean({ as: 'currency', before: true }, 'ghs gh ghc gh¢ ghana')
mean({ as: 'currency', before: false }, 'cedi cedis cds')
mean({ as: 'share' }, 'all each both every everyone everybody apiece same')
mean({ as: 'total' }, 'total totals totalling sum subtotal grandtotal altogether balance summary')
mean(
  { as: 'doubt', strong: true },
  'cancel cancelled canceled ignore remove delete wrong mistake instead change',
)
mean({ as: 'doubt', strong: true }, 'replace correction refund dont stop')
mean(
  { as: 'doubt', strong: false },
  'not never skip except or either maybe call momo whatsapp done sent already',
)
mean(
  { as: 'doubt', strong: false },
  'delivered received failed pending tomorrow yesterday later hold wait half',
)
mean({ as: 'times' }, 'x times twice thrice double triple pcs pc pieces piece units')
mean({ as: 'duration' }, 'day days week weeks month months hour hours hrs')
mean({ as: 'people' }, 'people persons person customers orders recipients lines entries')
mean(
  { as: 'label', role: 'phone' },
  'number numbers num nums phone phones mobile contact contacts tel telephone',
)
mean(
  { as: 'label', role: 'phone' },
  'msisdn msisdns recipient beneficiary beneficiaries cell phonenumber line',
)
mean({ as: 'label', role: 'size' }, 'size sizes volume volumes bundle bundles data package packages pkg plan')
mean({ as: 'label', role: 'size' }, 'offer capacity')
mean({ as: 'label', role: 'network' }, 'network networks operator provider telco net')
mean({ as: 'label', role: 'amount' }, 'price prices amount amounts amt cost costs')
mean({ as: 'label', role: 'quantity' }, 'qty quantity')
mean({ as: 'label', role: 'index' }, 'no nos sn s n sr index id serial item')
mean({ as: 'label', role: 'ignored' }, 'name names customer client agent date time')
mean(
  { as: 'filler' },
  'please pls plz kindly send to for of the a an me my i we us you u need want wants and & with',
)
mean(
  { as: 'filler' },
  'order list new today now thanks thank tnx thx good morning afternoon evening hello hi boss',
)
mean(
  { as: 'filler' },
  'this these that following below here is are on am pm paid only ok okay them it be get buy',
)
mean(
  { as: 'filler' },
  'share give credit load per as follows jan feb mar apr may jun jul aug sep oct nov dec',
)

/**
 * What the word means; null if it has no meaning.
 * @param word only letters, in any case
 */
export const meaningOf = (word: string): Meaning | null =>
  word.length > maxWordLength ? null : (meanings.get(word.toLowerCase()) ?? networkMeant(word))

const networkMeant = (word: string): Meaning | null => {
  const network = likeNetwork(word)
  return network && { as: 'network', network }
}

const maxWordLength = 16
