import { readNetwork } from '../lists/network-word.ts'
import { readPhone } from '../lists/phone.ts'
import { isSameSize, readSize } from '../lists/size.ts'
import type { Network } from '../provider/network.ts'

/**
 * Which debits of a wallet belong to which orders whose outcome nobody knows. Pure: all claimants and all debits
 * go in, pairs come out; what is not certain stays unpaired.
 */
export interface Claimant {
  orderId: string
  /** The order is being sent right now: nothing that it may claim is given to anybody. */
  sending: boolean
  kind: 'single' | 'bulk'
  network: string
  volume: string
  phones: readonly string[]
  unitPricePesewas: number
  /** The earliest time by the provider's clock at which its debit may stand, tolerance included (epoch ms). */
  notBeforeMs: number
}

export interface Debit {
  reference: string
  amountPesewas: number
  description: string | null
  /** By the provider's clock (epoch ms); null where it gave none. */
  createdAtMs: number | null
}

/** What the provider's own record says of a debit's order: it beats the description. */
interface DebitRecord {
  network: string | null
  volume: string | null
  phone: string | null
  /** For how many recipients; null where it does not say. */
  quantity?: number | null
  placedAtMs: number | null
}

export interface Pairing {
  pairs: { orderId: string; reference: string }[]
  /** Orders for which a debit may stand, but not certainly: they wait, and in the end a person decides. */
  doubtful: string[]
  /** Orders for which no debit stands at all. */
  without: string[]
}

/**
 * Whether a debit may be the claimant's, as far as its wallet entry tells. What the entry does not say speaks
 * neither for nor against it: descriptions are free text.
 */
export const mayBelong = (claimant: Claimant, debit: Debit): boolean =>
  mayBelongByRecord(claimant, debit) && (claimant.kind === 'single' || isMultiple(claimant, debit))

/**
 * The same, but for the sum of a bulk order's debit: the price may have changed before a late POST was carried out.
 * Then the status record has to say for how many recipients it is.
 */
export const mayBelongByRecord = (claimant: Claimant, debit: Debit): boolean => {
  if (debit.createdAtMs !== null && debit.createdAtMs < claimant.notBeforeMs) return false
  if (!isReferenceOf(claimant.kind, debit.reference)) return false
  return claimant.kind === 'bulk' || describes(claimant, debit.description ?? '')
}

/** Whether the reference has the form of that kind of order (API §2): those of a bulk order's recipients have not. */
export const isReferenceOf = (kind: Claimant['kind'], reference: string): boolean =>
  /^BUD-BULK-/i.test(reference) === (kind === 'bulk')

/** The whole of a bulk order, or a smaller multiple of the price where fewer recipients were accepted. */
const isMultiple = ({ unitPricePesewas, phones }: Claimant, { amountPesewas }: Debit): boolean =>
  amountPesewas % unitPricePesewas === 0 && amountPesewas <= unitPricePesewas * phones.length

const describes = (claimant: Claimant, description: string): boolean => {
  const said = readDescription(description)
  return (
    (said.phones.length === 0 || said.phones.some((phone) => claimant.phones.includes(phone))) &&
    (said.networks.length === 0 || said.networks.some((network) => network === claimant.network)) &&
    (said.volumes.length === 0 || said.volumes.some((volume) => isSameVolume(volume, claimant.volume)))
  )
}

/** Numbers, networks and sizes that a description names, in any order and case, with `+233` forms of numbers. */
const readDescription = (description: string) => {
  const words = description
    .slice(0, 1000)
    .split(/[\s,;:|()[\]/]+/)
    .filter(Boolean)
  const pairs = words.map((word, index) => `${word}${words[index + 1] ?? ''}`)
  const sizes = [...words, ...pairs].filter((word) => /^\d+(\.\d+)?\s*(gb|mb|gig|g|m)$/i.test(word))
  const phones = [...words, ...pairs].flatMap((word) => readPhone(word)?.phone ?? [])
  const networks = [...words, ...pairs].flatMap((word): Network[] => {
    const network = /^at$/i.test(word) ? null : readNetwork(word)
    return network ? [network] : []
  })
  return { phones, networks, volumes: sizes }
}

const isSameVolume = (a: string, b: string): boolean => {
  const [left, right] = [readSize(a), readSize(b)]
  return left && right ? isSameSize(left, right) : a.toLowerCase() === b.toLowerCase()
}

/** Whether the provider's record of a debit's order fits the claimant. */
export const fitsRecord = (claimant: Claimant, record: DebitRecord): boolean =>
  (record.network === null || record.network.toLowerCase() === claimant.network.toLowerCase()) &&
  (record.volume === null || isSameVolume(record.volume, claimant.volume)) &&
  (record.phone === null || claimant.phones.includes(record.phone)) &&
  (record.quantity ?? 0) <= claimant.phones.length &&
  (record.placedAtMs === null || record.placedAtMs >= claimant.notBeforeMs)

/**
 * Pairs claimants and debits. Within a group that belongs together, as many debits as claimants pair up, in the
 * order of their times; any other number is doubtful for all of the group.
 *
 * @param belongs whether a debit may be a claimant's; asked for each of both.
 */
export const pair = (
  claimants: readonly Claimant[],
  debits: readonly Debit[],
  belongs: (claimant: Claimant, debit: Debit) => boolean,
): Pairing => {
  const result: Pairing = { pairs: [], doubtful: [], without: [] }
  for (const group of groupsOf(claimants, debits, belongs)) {
    const ids = group.claimants.filter(({ sending }) => !sending).map(({ orderId }) => orderId)
    if (group.debits.length === 0) {
      result.without.push(...ids)
      continue
    }
    const matched = isSettled(group) ? matchInTime(group, belongs) : null
    if (matched) result.pairs.push(...matched)
    else result.doubtful.push(...ids)
  }
  return result
}

interface Group {
  claimants: Claimant[]
  debits: Debit[]
}

const isSettled = ({ claimants, debits }: Group): boolean =>
  claimants.length === debits.length && !claimants.some(({ sending }) => sending)

/** Claimants and debits that hang together, directly or through others. */
const groupsOf = (
  claimants: readonly Claimant[],
  debits: readonly Debit[],
  belongs: (claimant: Claimant, debit: Debit) => boolean,
): Group[] => {
  const left = new Set(claimants)
  const groups: Group[] = []
  for (const first of claimants) {
    if (!left.delete(first)) continue
    const group: Group = { claimants: [first], debits: [] }
    for (const claimant of group.claimants) {
      for (const debit of debits) {
        if (group.debits.includes(debit) || !belongs(claimant, debit)) continue
        group.debits.push(debit)
        for (const other of [...left]) {
          if (!belongs(other, debit)) continue
          left.delete(other)
          group.claimants.push(other)
        }
      }
    }
    groups.push(group)
  }
  return groups
}

/** One debit for each claimant, earliest first; null where somebody would be left without. */
const matchInTime = (
  { claimants, debits }: Group,
  belongs: (claimant: Claimant, debit: Debit) => boolean,
): Pairing['pairs'] | null => {
  const free = debits.toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0))
  const order = claimants.toSorted((a, b) => a.notBeforeMs - b.notBeforeMs)
  const taken = new Map<Debit, Claimant>()
  for (const claimant of order) if (!augment(claimant, free, taken, belongs, new Set())) return null
  return [...taken].map(([debit, claimant]) => ({ orderId: claimant.orderId, reference: debit.reference }))
}

/** Finds a debit for the claimant: a free one, or one whose holder can move (an augmenting path). */
const augment = (
  claimant: Claimant,
  debits: Debit[],
  taken: Map<Debit, Claimant>,
  belongs: (claimant: Claimant, debit: Debit) => boolean,
  tried: Set<Debit>,
): boolean => {
  const fitting = debits.filter((debit) => belongs(claimant, debit))
  const free = fitting.find((debit) => !taken.has(debit))
  if (free) {
    taken.set(free, claimant)
    return true
  }
  for (const debit of fitting) {
    const holder = taken.get(debit)
    if (!holder || tried.has(debit)) continue
    tried.add(debit)
    if (!augment(holder, debits, taken, belongs, tried)) continue
    taken.set(debit, claimant)
    return true
  }
  return false
}
