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
 * What an entry of the wallet says of an order whose outcome nobody knows.
 *
 * | the entry | evidence | the order |
 * |---|---|---|
 * | fits, and a callback on the order's own token named its reference | `proven` | is placed |
 * | fits in time, kind, bundle and number, and so does its status record | `adoptable` | is placed where nothing else may be meant (`pairing.ts`) |
 * | fits, but has no reference, or one that the look-up does not know | `suspicious` | waits, then goes to `review` |
 * | fits but for its time, which is up to an hour too early | `suspicious` | waits, then goes to `review` |
 * | is of another time, kind, bundle or number, or a callback named it for another order | `none` | is `not_placed` after ten minutes without any other |
 *
 * An entry that nobody recognises is not “no entry”; a look-up that knows nothing is no denial; what is near in time
 * is not the same.
 */
export type Evidence =
  | { kind: 'proven' }
  /** `names`: the order's numbers are named by the record or the description. */
  | { kind: 'adoptable'; names: boolean }
  /** `isRival`: it may be this order's as well as an adoptable one, so that nothing is adopted beside it. */
  | { kind: 'suspicious'; isRival: boolean }
  | { kind: 'none' }

/** What the provider says of a debit beside its entry. */
export interface DebitFacts {
  /** Its status record; `unknown` where there is no reference, or the look-up does not know it. */
  record: DebitRecord | 'unknown'
  /** The order on whose own token a callback named it. */
  namedFor: string | null
}

/** How long before the earliest time of its own a debit still keeps an order from being denied. */
export const suspectedBeforeMs = 60 * 60_000

const none: Evidence = { kind: 'none' }

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

/** By the entry alone: its number, or else its sum, has to be the order's. */
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
