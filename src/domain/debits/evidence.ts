import {
  type Claimant,
  type Debit,
  type DebitRecord,
  fitsRecordButTime,
  isMultiple,
  mayBelong,
  mayBelongButTime,
  namesNumber,
} from './matching.ts'

/**
 * What a wallet entry proves about an order whose outcome is unknown.
 *
 * | the entry | evidence | the order |
 * |---|---|---|
 * | fits, and a callback with the order's own token named its reference | `proven` | is placed |
 * | fits in time, kind, bundle and number, and so does its status record | `adoptable` | is placed if nothing else fits (`pairing.ts`) |
 * | fits, but has no reference, or one for which the provider has no status record | `suspicious` | waits, then goes to `review` |
 * | fits except for its time, which is up to an hour too early | `suspicious` | waits, then goes to `review` |
 * | has another time, kind, bundle or number, or a callback named it for another order | `none` | is `not_placed` after ten minutes if there is no other entry |
 *
 * An entry that cannot be recognised is not the same as no entry. A look-up that finds nothing does not prove that the
 * order was not placed. A matching time alone proves nothing.
 */
export type Evidence =
  | { kind: 'proven' }
  /** `names`: the status record or the description names the order's numbers. */
  | { kind: 'adoptable'; names: boolean }
  /**
   * `isRival`: this entry is as likely to be the order's as an adoptable one, so the order may not adopt the other one.
   */
  | { kind: 'suspicious'; isRival: boolean }
  | { kind: 'none' }

/** What the provider says about a debit besides its wallet entry. */
export interface DebitFacts {
  /** The debit's status record; `unknown` if the debit has no reference, or the look-up finds nothing. */
  record: DebitRecord | 'unknown'
  /** If a callback named this debit, the id of the order whose token the callback used; otherwise null. */
  namedFor: string | null
}

/**
 * A debit may be too early to be the order's own. If it is too early by at most this time (ms), it still keeps the
 * order from being declared `not_placed`.
 */
export const suspectedBeforeMs = 60 * 60_000

const none: Evidence = { kind: 'none' }

/** Judges one debit for one order, by the table of `Evidence`. */
export const weigh = (claimant: Claimant, debit: Debit, { record, namedFor }: DebitFacts): Evidence => {
  if (namedFor !== null && namedFor !== claimant.orderId) return none
  if (!mayBelongButTime(claimant, debit)) return none
  const evidence =
    record === 'unknown' ? weighUnknown(claimant, debit) : weighRecorded(claimant, debit, record)
  const isNamed = namedFor === claimant.orderId && record !== 'unknown' && evidence.kind !== 'none'
  return isNamed ? { kind: 'proven' } : evidence
}

const weighRecorded = (claimant: Claimant, debit: Debit, record: DebitRecord): Evidence => {
  if (!fitsRecordButTime(claimant, record)) return none
  const isSumKnown = claimant.kind === 'single' || record.quantity != null || isMultiple(claimant, debit)
  if (!isSumKnown) return none
  const earliest = earliestOf(debit.createdAtMs, record.placedAtMs)
  if (earliest < claimant.suspectFromMs) return none
  if (earliest < claimant.notBeforeMs) return { kind: 'suspicious', isRival: false }
  const names = record.phone !== null || (record.phones ?? []).length > 0 || namesNumber(claimant, debit)
  return { kind: 'adoptable', names }
}

const earliestOf = (...times: (number | null)[]): number =>
  Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY))

/**
 * Judges a debit without a status record by its wallet entry alone. The entry must name one of the order's numbers,
 * or else have an amount that fits the order.
 */
const weighUnknown = (claimant: Claimant, debit: Debit): Evidence => {
  const names = namesNumber(claimant, debit)
  if (!names && !isSum(claimant, debit)) return none
  if (debit.createdAtMs !== null && debit.createdAtMs < claimant.suspectFromMs) return none
  const isRival = (names || debit.reference !== null) && mayBelong(claimant, debit)
  return { kind: 'suspicious', isRival }
}

const isSum = (claimant: Claimant, debit: Debit): boolean =>
  claimant.kind === 'bulk'
    ? debit.amountPesewas > 0 && isMultiple(claimant, debit)
    : debit.amountPesewas === claimant.unitPricePesewas
