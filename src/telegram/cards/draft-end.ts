import type { Purchase } from '../../domain/order/order.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import type { DraftEnd } from './words/draft.ts'

/** How a draft ended that was never confirmed, as its card says it. */
export const draftEnd = (
  state: 'cancelled' | 'expired' | 'superseded',
  { remark, expiresAt }: Pick<Purchase, 'remark' | 'expiresAt'>,
  now: Date,
): DraftEnd => {
  if (remark === 'restored' || remark === 'crowded_out') return remark
  // Its member left the account before the draft's time was over.
  return state === 'expired' && isAhead(expiresAt, 'draft', now) ? 'left' : state
}
