import { readPhone } from '../../lists/read-phone.ts'
import { readNetwork } from '../../lists/reading/grammar/network-word.ts'
import { isSameSize, readSize } from '../../lists/size.ts'
import type { Pesewas } from '../../provider/money.ts'
import type { Network } from '../../provider/network.ts'

/** An order whose outcome is unknown, with the facts that decide whether a debit of the wallet may be its own. */
export interface Claimant {
  orderId: string
  /** The order is being sent right now. Until that ends, no debit that may be this order's is given to any order. */
  sending: boolean
  kind: 'single' | 'bulk'
  network: string
  volume: string
  phones: readonly string[]
  unitPricePesewas: Pesewas
  /**
   * The earliest time that the order's debit may have, by the provider's clock and with the tolerance subtracted
   * (epoch ms).
   */
  notBeforeMs: number
  /**
   * A debit between this time and `notBeforeMs` is not given to the order, but still keeps it from being declared
   * `not_placed` (epoch ms).
   */
  suspectFromMs: number
  /** The latest time that the order's debit may have; set once the search for it has ended (epoch ms). */
  notAfterMs?: number
}

/** The parts of a wallet's debit that help to find its order. */
export interface Debit {
  /** Null if the entry has no reference; then its order cannot be looked up. */
  reference: string | null
  amountPesewas: Pesewas
  readonly description: string | null
  /** By the provider's clock (epoch ms); null if the entry has no time. */
  createdAtMs: number | null
}

/** The provider's status record of a debit's order. It counts more than the description. */
export interface DebitRecord {
  network: string | null
  volume: string | null
  phone: string | null
  /** The number of recipients; null if the record does not say. */
  quantity?: number | null
  /** The numbers of a bulk order; null if the record does not name them. */
  phones?: readonly string[] | null
  placedAtMs: number | null
}

/**
 * Whether a debit may be the claimant's, judged by its wallet entry. A fact that the entry does not mention counts
 * neither for nor against the claimant, because descriptions are free text.
 */
export const mayBelong = (claimant: Claimant, debit: Debit): boolean =>
  mayBelongByRecord(claimant, debit) && (claimant.kind === 'single' || isMultiple(claimant, debit))

/**
 * Like `mayBelong`, but does not check the total of a bulk order, because the price may have changed before a late POST
 * was carried out. The status record has to give the number of recipients instead.
 */
export const mayBelongByRecord = (claimant: Claimant, debit: Debit): boolean =>
  (debit.createdAtMs === null || debit.createdAtMs >= claimant.notBeforeMs) &&
  mayBelongButTime(claimant, debit)

/** Like `mayBelongByRecord`, but ignores the time. */
export const mayBelongButTime = (claimant: Claimant, debit: Debit): boolean => {
  const { reference } = debit
  if (reference !== null && !isReferenceOf(claimant.kind, reference)) return false
  const isNamed = claimant.kind === 'single' || reference === null
  return !isNamed || describes(claimant, debit)
}

/**
 * Whether the reference has the form of a single or of a bulk order (API §2). References of single recipients in a
 * bulk order do not have the bulk form.
 */
export const isReferenceOf = (kind: Claimant['kind'], reference: string): boolean =>
  /^BUD-BULK-/i.test(reference) === (kind === 'bulk')

/**
 * Whether the amount is the price of the whole bulk order, or a smaller multiple of the unit price: the provider may
 * have accepted fewer recipients.
 */
export const isMultiple = ({ unitPricePesewas, phones }: Claimant, { amountPesewas }: Debit): boolean =>
  amountPesewas % unitPricePesewas === 0 && amountPesewas <= unitPricePesewas * phones.length

const describes = (claimant: Claimant, debit: Debit): boolean => {
  const said = saidOf(debit)
  return (
    (said.phones.length === 0 || said.phones.some((phone) => claimant.phones.includes(phone))) &&
    (said.networks.length === 0 || said.networks.some((network) => network === claimant.network)) &&
    (said.volumes.length === 0 || said.volumes.some((volume) => isSameVolume(volume, claimant.volume)))
  )
}

export const namesNumber = ({ phones }: Claimant, debit: Debit): boolean =>
  saidOf(debit).phones.some((phone) => phones.includes(phone))

/** A cache of descriptions that were already read, because each debit is compared with many claimants. */
const readings = new WeakMap<Debit, Said>()

const saidOf = (debit: Debit): Said => {
  const known = readings.get(debit)
  if (known) return known
  const said = readDescription(debit.description ?? '')
  readings.set(debit, said)
  return said
}

interface Said {
  phones: string[]
  networks: Network[]
  volumes: string[]
}

/** Finds the numbers (`+233` forms too), networks and sizes in a description, in any order and case. */
const readDescription = (description: string): Said => {
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

export const fitsRecord = (claimant: Claimant, record: DebitRecord): boolean =>
  (record.placedAtMs === null || record.placedAtMs >= claimant.notBeforeMs) &&
  fitsRecordButTime(claimant, record)

/** Like `fitsRecord`, but ignores the time. */
export const fitsRecordButTime = (claimant: Claimant, record: DebitRecord): boolean =>
  (record.network === null || record.network.toLowerCase() === claimant.network.toLowerCase()) &&
  (record.volume === null || isSameVolume(record.volume, claimant.volume)) &&
  (record.phone === null || claimant.phones.includes(record.phone)) &&
  (record.phones ?? []).every((phone) => claimant.phones.includes(phone)) &&
  (record.quantity ?? 0) <= claimant.phones.length
