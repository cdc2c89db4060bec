import type { AddedRoutes, BotRoutes } from './bot-routes.ts'
import type { MetricsRoute } from './metrics.ts'

/** The collaborators of the HTTP server, and the sources of its answers: the main bot's, and the added bots. */
export interface HttpOptions extends BotRoutes {
  added: Pick<AddedRoutes, 'byId' | 'bySecret'>
  /** The parts that are not ready yet; empty if all are. */
  notReady: () => Promise<string[]>
  /** Why nothing new is taken in, for the body of `/readyz`. Callbacks still are. */
  diskTrouble: () => string | null
  /** Why the database takes no changes, for the body of `/readyz`; null while it does. */
  databaseTrouble: () => string | null
  /** Null: the figures are not on this port. */
  metrics: MetricsRoute | null
}
