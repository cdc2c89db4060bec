import type { Purchase } from '../../journal/order.ts'
import type { DraftEnd } from '../texts/draft.ts'

/** What its card says of a purchase that was not confirmed and no longer can be. */
export const draftEnd = (
  state: 'cancelled' | 'expired' | 'superseded',
  { remark, expiresAt }: Pick<Purchase, 'remark' | 'expiresAt'>,
  now: Date,
): DraftEnd => {
  if (remark === 'restored' || remark === 'crowded_out') return remark
  // Whose member left the account before its time was over.
  return state === 'expired' && now < expiresAt ? 'left' : state
}
