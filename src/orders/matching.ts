import { readNetwork } from '../lists/network-word.ts'
import { readPhone } from '../lists/phone.ts'
import { isSameSize, readSize } from '../lists/size.ts'
import type { Network } from '../provider/network.ts'

/** What tells whether a debit of the wallet may belong to an order whose outcome nobody knows. Pure. */
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
  /** A debit between this time and `notBeforeMs` is not given to it, and yet keeps it from being denied (epoch ms). */
  suspectFromMs: number
  /** The latest time at which its debit may stand, where it is looked for no more (epoch ms). */
  notAfterMs?: number
}

export interface Debit {
  /** Null where the entry has none: then nobody can look up whose it is. */
  reference: string | null
  amountPesewas: number
  description: string | null
  /** By the provider's clock (epoch ms); null where it gave none. */
  createdAtMs: number | null
}

/** What the provider's own record says of a debit's order: it beats the description. */
export interface DebitRecord {
  network: string | null
  volume: string | null
  phone: string | null
  /** For how many recipients; null where it does not say. */
  quantity?: number | null
  /** The numbers of a bulk order; null where it does not name them. */
  phones?: readonly string[] | null
  placedAtMs: number | null
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
export const mayBelongByRecord = (claimant: Claimant, debit: Debit): boolean =>
  (debit.createdAtMs === null || debit.createdAtMs >= claimant.notBeforeMs) && isAlike(claimant, debit)

/** The same, whatever its time. */
export const isAlike = (claimant: Claimant, { reference, description }: Debit): boolean => {
  if (reference !== null && !isReferenceOf(claimant.kind, reference)) return false
  const isNamed = claimant.kind === 'single' || reference === null
  return !isNamed || describes(claimant, description ?? '')
}

/** Whether the reference has the form of that kind of order (API §2): those of a bulk order's recipients have not. */
export const isReferenceOf = (kind: Claimant['kind'], reference: string): boolean =>
  /^BUD-BULK-/i.test(reference) === (kind === 'bulk')

/** The whole of a bulk order, or a smaller multiple of the price where fewer recipients were accepted. */
export const isMultiple = ({ unitPricePesewas, phones }: Claimant, { amountPesewas }: Debit): boolean =>
  amountPesewas % unitPricePesewas === 0 && amountPesewas <= unitPricePesewas * phones.length

const describes = (claimant: Claimant, description: string): boolean => {
  const said = readDescription(description)
  return (
    (said.phones.length === 0 || said.phones.some((phone) => claimant.phones.includes(phone))) &&
    (said.networks.length === 0 || said.networks.some((network) => network === claimant.network)) &&
    (said.volumes.length === 0 || said.volumes.some((volume) => isSameVolume(volume, claimant.volume)))
  )
}

/** Whether the description names one of the claimant's numbers. */
export const namesNumber = ({ phones }: Claimant, { description }: Debit): boolean =>
  readDescription(description ?? '').phones.some((phone) => phones.includes(phone))

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
  (record.placedAtMs === null || record.placedAtMs >= claimant.notBeforeMs) &&
  fitsRecordButTime(claimant, record)

export const fitsRecordButTime = (claimant: Claimant, record: DebitRecord): boolean =>
  (record.network === null || record.network.toLowerCase() === claimant.network.toLowerCase()) &&
  (record.volume === null || isSameVolume(record.volume, claimant.volume)) &&
  (record.phone === null || claimant.phones.includes(record.phone)) &&
  (record.phones ?? []).every((phone) => claimant.phones.includes(phone)) &&
  (record.quantity ?? 0) <= claimant.phones.length
