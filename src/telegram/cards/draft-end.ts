import type { Purchase } from '../../domain/order/order.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import type { DraftEnd } from './words/draft.ts'

/** How an unconfirmed draft ended. */
export const draftEnd = (
  state: 'cancelled' | 'expired' | 'superseded',
  { remark, expiresAt }: Pick<Purchase, 'remark' | 'expiresAt'>,
  now: Date,
): DraftEnd => {
  if (remark === 'restored' || remark === 'crowded_out') return remark
  // The draft ended before its time was up, so the person who made it left the account.
  return state === 'expired' && isAhead(expiresAt, 'draft', now) ? 'left' : state
}
