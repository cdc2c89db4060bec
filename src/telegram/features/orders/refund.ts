import { isOwed } from '../../../orders/reconciling/refunds.ts'
import type { Services } from '../../chat/services.ts'

/**
 * Reads the wallet for refunds of the given orders, even after the first day, when the bot no longer watches for
 * refunds by itself.
 * @throws {WalletError}
 */
export const lookForRefunds = async (
  { store, reconciler }: Services,
  orderIds: readonly string[],
): Promise<void> => {
  const owed = (await store.orders.byIds([...orderIds])).filter(isOwed)
  const [first] = owed
  if (first) await reconciler.check(first.accountId, 'person', owed)
}
