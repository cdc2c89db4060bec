import { isOwed } from '../../orders/refunds.ts'
import type { Services } from '../services.ts'

/**
 * Reads the wallet for the money of orders that failed, also after the day in which it is watched for it.
 * @throws {ProviderError | NoWallet}
 */
export const lookForRefunds = async (
  { store, settler }: Services,
  orderIds: readonly string[],
): Promise<void> => {
  const owed = (await store.orders.byIds([...orderIds])).filter(isOwed)
  const [first] = owed
  if (first) await settler.check(first.accountId, 'person', owed)
}
