import type { Phone } from '../../provider/phone.ts'

export interface NearTwin {
  phone: Phone
  /** The number that was probably meant, or that is earlier in the list. */
  other: Phone
  /** The other number is saved, or was ordered for before. */
  isKnown: boolean
  /** One digit differs, or two adjacent digits are swapped. */
  slip: 'digit' | 'swap'
}

/** The first three digits tell the network. Numbers with different networks are not typing slips of each other. */
const prefixLength = 3
const phoneLength = 10

/**
 * If more numbers than this have the same prefix, some are near twins by chance. A number has 63 neighbours with one
 * other digit and at most 6 with a swap, among ten million. So at most one number in 200 is reported wrongly.
 */
const mostWith = { digit: 750, swap: 8_000 }

/**
 * Finds the numbers of a list that are one slip away from a known number, or from an earlier number in the list.
 * Numbers that are `known` or `served` count as right. Families are not slips either: three or more numbers that
 * differ only in one place, or consecutive numbers, such as SIM cards bought together. The time is linear in the
 * count of numbers.
 */
export const nearTwins = (
  phones: readonly Phone[],
  known: ReadonlySet<string>,
  served: ReadonlySet<string> = new Set(),
): NearTwin[] => {
  const isRight = (phone: string) => known.has(phone) || served.has(phone)
  const [right, doubtful] = [
    new Set(phones.filter(isRight)),
    new Set(phones.filter((each) => !isRight(each))),
  ]
  const listed = [...right, ...doubtful]
  const all = new Set<string>([...listed, ...known])
  const counts = Map.groupBy(all, prefixOf)
  const families = familiesIn(all)
  const earlier = new Set<string>()
  const found: NearTwin[] = []
  for (const phone of listed) {
    const count = counts.get(prefixOf(phone))?.length ?? 0
    const add = (slip: NearTwin['slip'], others: readonly string[]) => {
      if (count > mostWith[slip]) return
      for (const other of others)
        if (known.has(other) || earlier.has(other))
          found.push({ phone, other: other as Phone, isKnown: isRight(other), slip })
    }
    if (!isRight(phone)) {
      add('swap', swapped(phone))
      add('digit', differing(phone, families, all, known))
    }
    earlier.add(phone)
  }
  return found
}

/** All numbers that are one slip away from the phone. */
export const neighbours = (phone: string): string[] =>
  [
    ...new Set([
      ...swapped(phone),
      ...openPlaces(phone).flatMap((open) => [...'0123456789'].map((digit) => open.replace('*', digit))),
    ]),
  ].filter((other) => other !== phone)

const prefixOf = (phone: string): string => phone.slice(0, prefixLength)

/** The numbers that result from swapping two adjacent digits. */
const swapped = (phone: string): string[] => {
  const found: string[] = []
  for (let at = prefixLength; at < phoneLength - 1; at += 1) {
    const [left, right] = [phone.charAt(at), phone.charAt(at + 1)]
    if (left !== right) found.push(`${phone.slice(0, at)}${right}${left}${phone.slice(at + 2)}`)
  }
  return found
}

/** Groups numbers that differ only in one place, by the number with `*` at that place. */
const familiesIn = (phones: Iterable<string>): Map<string, string[]> => {
  const families = new Map<string, string[]>()
  for (const phone of phones) {
    for (const open of openPlaces(phone)) {
      const family = families.get(open)
      if (family) family.push(phone)
      else families.set(open, [phone])
    }
  }
  return families
}

const openPlaces = (phone: string): string[] =>
  Array.from({ length: phoneLength - prefixLength }, (_, index) => {
    const at = prefixLength + index
    return `${phone.slice(0, at)}*${phone.slice(at + 1)}`
  })

const differing = (
  phone: string,
  families: ReadonlyMap<string, readonly string[]>,
  all: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string[] =>
  openPlaces(phone).flatMap((open) => {
    const family = families.get(open) ?? []
    const other = family.length === 2 ? family.find((each) => each !== phone) : undefined
    return other === undefined || isRun(phone, other, all, known) ? [] : [other]
  })

/**
 * Whether the numbers are consecutive, and so not a typing slip: two such numbers in the list were probably bought
 * together. If the other one is known, a third consecutive number is needed.
 */
const isRun = (one: string, other: string, all: ReadonlySet<string>, known: ReadonlySet<string>): boolean => {
  const [low, high] = [Number(one), Number(other)].sort((a, b) => a - b)
  if (low === undefined || high === undefined || high - low !== 1) return false
  if (!known.has(other)) return true
  return [low - 1, high + 1].some((next) => all.has(String(next).padStart(phoneLength, '0')))
}
