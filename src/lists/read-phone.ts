import { isPhone, type Phone } from '../provider/phone.ts'

export interface WrittenPhone {
  phone: Phone
  /** The number was written without its leading zero and without the country code. */
  zeroRestored: boolean
}

/**
 * The networks at which the first three or four digits of a number hint. They are only a hint, because people keep
 * their number when they change networks.
 */
export type PrefixMap = Readonly<Record<string, readonly string[]>>

/** The mobile prefixes of Ghana's networks. */
export const defaultPrefixes: PrefixMap = {
  ...prefixesOf(['024', '025', '053', '054', '055', '059'], ['MTN']),
  ...prefixesOf(['020', '050'], ['Telecel']),
  ...prefixesOf(['026', '027', '056', '057'], ['AirtelTigo', 'BigTime']),
}

function prefixesOf(prefixes: string[], networks: string[]): PrefixMap {
  return Object.fromEntries(prefixes.map((prefix) => [prefix, networks]))
}

/** The networks that a number probably belongs to; empty if its prefix is not in the map. */
export const networksOf = (phone: Phone, map: PrefixMap = defaultPrefixes): readonly string[] =>
  map[phone.slice(0, 4)] ?? map[phone.slice(0, 3)] ?? []

/** Characters that people and programs put between and around digits. */
const separators = /[\s.\-‐-―()[\]\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/u

/**
 * Reads a Ghanaian mobile number: `0XXXXXXXXX`, with `+233`, `233`, `00233` or `(0)`, or without its leading zero.
 * Spaces, dots, dashes and brackets may be inside.
 * @returns null for anything else; nothing is guessed
 */
export const readPhone = (text: string): WrittenPhone | null => {
  if (text.length > 64 || oddDigit.test(text)) return null
  const groups = text.normalize('NFKC').split(separators).filter(Boolean)
  if (mayHoldSize(groups)) return null
  const compact = groups.join('')
  const national = /^(?:\+?233|00233)0?(\d{9})$/.exec(compact)?.[1]
  if (national) return withZero(national, false)
  if (isPhone(compact)) return isMobile(compact) ? { phone: compact, zeroRestored: false } : null
  return /^\d{9}$/.test(compact) ? withZero(compact, true) : null
}

/** `²`, `①`, `½`: normalising would turn them into digits that nobody meant to write. */
const oddDigit = /\p{No}/u

/**
 * Whether the groups may be a number that lost a digit, next to a size. In `024123456 5` and `5 41234567`, the short
 * group may be the size.
 */
const mayHoldSize = (groups: string[]): boolean => {
  const [first = '', last = '', beforeLast = ''] = [groups[0], groups.at(-1), groups.at(-2)]
  return /^[1-9]$/.test(first) || /^\d$/.test(last) || (/^\d\d$/.test(last) && beforeLast.length > 4)
}

const withZero = (nineDigits: string, zeroRestored: boolean): WrittenPhone | null => {
  const phone = `0${nineDigits}`
  return isPhone(phone) && isMobile(phone) ? { phone, zeroRestored } : null
}

/**
 * Whether the number is mobile: it begins with 02 or 05 (03 are landlines). That includes 023 and 028, whose networks
 * are not sold here.
 */
const isMobile = (phone: string): boolean => /^0[25]/.test(phone)
