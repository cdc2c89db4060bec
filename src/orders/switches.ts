import type { Queries } from '../store/store.ts'
import { type Maintenance, maintenanceFact, maintenanceIn } from './maintenance.ts'
import { networksFact, networksIn } from './network-switch.ts'

/** The operator's switches. */
export interface Switches {
  /** Null: orders are taken. */
  maintenance: Maintenance | null
  /** The networks that are off, and since when. */
  down: ReadonlyMap<string, Date>
}

/** All switches of the operator, in one statement. */
export const switchesOf = async ({
  chats,
}: {
  chats: Pick<Queries['chats'], 'facts'>
}): Promise<Switches> => {
  const facts = await chats.facts([maintenanceFact, networksFact])
  return {
    maintenance: maintenanceIn(facts.get(maintenanceFact) ?? null),
    down: networksIn(facts.get(networksFact) ?? null),
  }
}
