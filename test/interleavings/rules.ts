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

/** The bot's own rules, which decide every move. A mutation replaces one. */
export const rules = {
  ...{ claimantOf, debitsShowWithinMs, fitsRecordButTime, isPending, isReferenceOf, latestSend },
  ...{ leaseReserveMs, mergeStatus, nextWatch, pair, provable, sendDecision, reconcilingEndsMs, sendLeaseMs },
  ...{ sourcesOf, stepAfter, weigh },
  /** The guard of `purchases.leaveDraft`. */
  isDraft: (state: 'draft' | 'confirmed'): boolean => state === 'draft',
  /** The guard of `orders.go` by a lease. */
  holdsLease: (stored: number | null, token: number): boolean => stored === token,
}

export type Rules = typeof rules
