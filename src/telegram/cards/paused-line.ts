import { maintenanceOf } from '../../orders/maintenance.ts'
import { networksDown } from '../../orders/network-switch.ts'
import type { AllQueries } from '../../store/store.ts'
import { pausedOnCard } from '../texts/maintenance.ts'
import { downOnCard } from '../texts/network.ts'

/** The line on a card while all orders are paused; else null. */
export const pausedLine = async (queries: Pick<AllQueries, 'chats'>, now: Date): Promise<string | null> => {
  const maintenance = await maintenanceOf(queries)
  return maintenance && pausedOnCard(maintenance, now)
}

/** The line on a card while its network takes no new orders; else null. */
export const downLine = async (
  queries: Pick<AllQueries, 'chats'>,
  network: string,
  now: Date,
): Promise<string | null> => {
  const since = (await networksDown(queries)).get(network)
  return since ? downOnCard(network, since, now) : null
}
