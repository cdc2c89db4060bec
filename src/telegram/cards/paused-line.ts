import { maintenanceOf } from '../../orders/maintenance.ts'
import { switchesOf } from '../../orders/switches.ts'
import type { AllQueries } from '../../store/store.ts'
import { pausedOnCard } from '../texts/maintenance.ts'
import { downOnCard } from '../texts/network.ts'

/** The line on a card while all orders are paused; else null. */
export const pausedLine = async (queries: Pick<AllQueries, 'chats'>, now: Date): Promise<string | null> => {
  const maintenance = await maintenanceOf(queries)
  return maintenance && pausedOnCard(maintenance, now)
}

/** The same, or the line on a card while its network takes no new orders. */
export const pausedOrDownLine = async (
  queries: Pick<AllQueries, 'chats'>,
  network: string,
  now: Date,
): Promise<{ maintenance: string | null; down: string | null }> => {
  const { maintenance, down } = await switchesOf(queries)
  if (maintenance) return { maintenance: pausedOnCard(maintenance, now), down: null }
  const since = down.get(network)
  return { maintenance: null, down: since ? downOnCard(network, since, now) : null }
}
