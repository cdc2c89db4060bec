import { maintenanceOf, type Switches } from '../../orders/permission/switches.ts'
import type { Queries } from '../../store/store.ts'
import { downOnCard, pausedOnCard } from './words/paused-or-down.ts'

/** The line on a card while all orders are paused; otherwise null. */
export const pausedLine = async (queries: Pick<Queries, 'facts'>, now: Date): Promise<string | null> => {
  const maintenance = await maintenanceOf(queries)
  return maintenance && pausedOnCard(maintenance, now)
}

/** The line on a card while all orders are paused, or while its network is down; otherwise null. */
export const pausedOrDownLine = (
  { maintenance, down }: Switches,
  network: string,
  now: Date,
): { maintenance: string | null; down: string | null } => {
  if (maintenance) return { maintenance: pausedOnCard(maintenance, now), down: null }
  const since = down.get(network)
  return { maintenance: null, down: since ? downOnCard(network, since, now) : null }
}
