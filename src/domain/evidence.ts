import {
  type Claimant,
  type Debit,
  type DebitRecord,
  fitsRecordButTime,
  isAlike,
  isMultiple,
  mayBelong,
  namesNumber,
} from './matching.ts'

/**
 * The evidence that an entry of the wallet gives about an order whose outcome is unknown.
 *
 * | the entry | evidence | the order |
 * |---|---|---|
 * | fits, and a callback on the order's own token named its reference | `proven` | is placed |
 * | fits in time, kind, bundle and number, and so does its status record | `adoptable` | is placed if nothing else fits (`pairing.ts`) |
 * | fits, but has no reference, or one that the look-up does not find | `suspicious` | waits, then goes to `review` |
 * | fits but for its time, which is up to an hour too early | `suspicious` | waits, then goes to `review` |
 * | is of another time, kind, bundle or number, or a callback named it for another order | `none` | is `not_placed` after ten minutes if there is no other entry |
 *
 * An entry that nobody recognises is not “no entry”. A look-up that finds nothing is no denial. Nearness in
 * time alone proves nothing.
 */
export type Evidence =
  | { kind: 'proven' }
  /** `names`: the record or the description names the order's numbers. */
  | { kind: 'adoptable'; names: boolean }
  /** `isRival`: the entry may be this order's as well as an adoptable one may, so nothing is adopted beside it. */
  | { kind: 'suspicious'; isRival: boolean }
  | { kind: 'none' }

/** The provider's facts about a debit beside its entry. */
export interface DebitFacts {
  /** The debit's status record; `unknown` if there is no reference, or the look-up does not find it. */
  record: DebitRecord | 'unknown'
  /** The order on whose own token a callback named the debit. */
  namedFor: string | null
}

/** A debit so long before the order's earliest time still prevents its denial. */
export const suspectedBeforeMs = 60 * 60_000

const none: Evidence = { kind: 'none' }

/** The evidence of one debit about one order of unknown outcome, by the table above. */
export const weigh = (claimant: Claimant, debit: Debit, { record, namedFor }: DebitFacts): Evidence => {
  if (namedFor !== null && namedFor !== claimant.orderId) return none
  if (!isAlike(claimant, debit)) return none
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

/** Judges by the entry alone: its number, or else its sum, has to be the order's. */
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
