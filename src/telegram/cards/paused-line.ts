import { maintenanceOf } from '../../orders/maintenance.ts'
import { networksDown } from '../../orders/network-switch.ts'
import type { AllQueries } from '../../store/store.ts'
import { pausedOnCard } from '../texts/maintenance.ts'
import { downOnCard } from '../texts/network.ts'

/**
 * The line on a card that cannot be confirmed now; null: it can.
 * @param network on which it orders; null where it orders on several.
 */
export const pausedLine = async (
  queries: Pick<AllQueries, 'chats'>,
  network: string | null,
  now: Date,
): Promise<string | null> => {
  const maintenance = await maintenanceOf(queries)
  if (maintenance) return pausedOnCard(maintenance, now)
  return network !== null && (await networksDown(queries)).has(network) ? downOnCard(network, now) : null
}
