import { weigh } from '../../src/domain/debits/evidence.ts'
import { fitsRecordButTime, isReferenceOf } from '../../src/domain/debits/matching.ts'
import { pair } from '../../src/domain/debits/pairing.ts'
import { sendDecision } from '../../src/domain/may-send.ts'
import {
  leaseReserveMs,
  provable,
  sendLeaseMs,
  sourcesOf,
  stepAfter,
} from '../../src/domain/order/placement.ts'
import { isPending } from '../../src/domain/order/recipient-ends.ts'
import { mergeStatus } from '../../src/domain/order/status.ts'
import {
  debitsShowWithinMs,
  latestSend,
  nextWatch,
  reconcilingEndsMs,
} from '../../src/domain/times/reconciling-schedule.ts'
import { claimantOf } from '../../src/orders/reconciling/claimants.ts'

/** The bot's own rules, which decide every move. A mutation replaces one of them. */
export const rules = {
  claimantOf,
  debitsShowWithinMs,
  fitsRecordButTime,
  isPending,
  isReferenceOf,
  latestSend,
  leaseReserveMs,
  mergeStatus,
  nextWatch,
  pair,
  provable,
  sendDecision,
  reconcilingEndsMs,
  sendLeaseMs,
  sourcesOf,
  stepAfter,
  weigh,
  /** The condition of `purchases.leaveDraft`. */
  isDraft: (state: 'draft' | 'confirmed'): boolean => state === 'draft',
  /** The condition of `orders.go` on the lease. */
  holdsLease: (stored: number | null, token: number): boolean => stored === token,
}

export type Rules = typeof rules
