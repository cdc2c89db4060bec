import { maintenanceOf } from '../orders/maintenance.ts'
import type { AllQueries } from '../store/store.ts'
import { pausedOnCard } from './texts/maintenance.ts'

/** What a card says that cannot be confirmed now; null: it can. */
export const pausedLine = async (queries: Pick<AllQueries, 'chats'>, now: Date): Promise<string | null> => {
  const maintenance = await maintenanceOf(queries)
  return maintenance && pausedOnCard(maintenance, now)
}
