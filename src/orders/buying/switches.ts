import { maintenanceFact, networksFact } from '../../store/chats/chats.ts'
import type { Queries } from '../../store/store.ts'
import { type Maintenance, maintenanceIn } from './maintenance.ts'
import { networksIn } from './network-switch.ts'

/** The operator's switches: maintenance, and each network. */
export interface Switches {
  /** Null: orders are taken. */
  maintenance: Maintenance | null
  /** The networks that are off, and since when. */
  down: ReadonlyMap<string, Date>
}

/** Reads all switches in one statement. */
export const switchesOf = async ({ chats }: { chats: Pick<Queries['chats'], 'facts'> }): Promise<Switches> =>
  switchesIn(await chats.facts([maintenanceFact, networksFact]))

/** Parses the stored facts. */
export const switchesIn = (facts: ReadonlyMap<string, string>): Switches => ({
  maintenance: maintenanceIn(facts.get(maintenanceFact) ?? null),
  down: networksIn(facts.get(networksFact) ?? null),
})
