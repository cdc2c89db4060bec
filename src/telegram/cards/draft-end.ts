import { isAhead } from '../../journal/ahead.ts'
import type { Purchase } from '../../journal/order.ts'
import type { DraftEnd } from '../texts/draft.ts'

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
