import { z } from 'zod'
import type { Maintenance } from '../../domain/may-order.ts'
import { type Network, networks } from '../../provider/network.ts'
import { maintenanceFact, networksFact } from '../../store/operators/facts.ts'
import type { Queries } from '../../store/store.ts'

export interface Switches {
  /** The operator's pause of all orders; null if orders are accepted. */
  maintenance: Maintenance | null
  /** The networks that are down, and since when. */
  down: ReadonlyMap<string, Date>
}

/** Reads all switches in one statement. */
export const switchesOf = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'readAll'>
}): Promise<Switches> => switchesIn(await facts.readAll([maintenanceFact, networksFact]))

export const switchesIn = (facts: ReadonlyMap<string, string>): Switches => ({
  maintenance: maintenanceIn(facts.get(maintenanceFact) ?? null),
  down: networksIn(facts.get(networksFact) ?? null),
})

type Facts = { facts: Pick<Queries['facts'], 'lock' | 'write'> }

/** The longest reason, in characters (UTF-16 units). */
export const maxReasonLength = 200

const isOff = ''

const maintenanceSchema = z.object({
  sinceMs: z.number(),
  untilMs: z.number().nullable(),
  reason: z.string().nullable(),
})

/** The operator's pause of all orders; null if orders are accepted. */
export const maintenanceOf = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'read'>
}): Promise<Maintenance | null> => maintenanceIn(await facts.read(maintenanceFact))

/** The pause in the stored fact; null if orders are accepted. */
export const maintenanceIn = (fact: string | null): Maintenance | null => {
  if (fact === null || fact === isOff) return null
  const { sinceMs, untilMs, reason } = maintenanceSchema.parse(JSON.parse(fact))
  return { since: new Date(sinceMs), until: untilMs === null ? null : new Date(untilMs), reason }
}

type Change = [change: Partial<Pick<Maintenance, 'until' | 'reason'>>, at: Date]

/** Turns maintenance on. If it is on already, changes the given parts and keeps `since`. Call it in a transaction. */
export const beginMaintenance = async (tx: Facts, ...[change, at]: Change): Promise<Maintenance> => {
  const before = (await lockedMaintenance(tx)) ?? { since: at, until: null, reason: null }
  const next = { ...before, ...change }
  const { since, until, reason } = next
  const fact = { sinceMs: since.getTime(), untilMs: until?.getTime() ?? null, reason }
  await tx.facts.write(maintenanceFact, JSON.stringify(fact))
  return next
}

/** Changes the given parts of the pause. Does nothing if maintenance is off. Call it in a transaction. */
export const changeMaintenance = async (tx: Facts, ...change: Change): Promise<void> => {
  if (await lockedMaintenance(tx)) await beginMaintenance(tx, ...change)
}

/** Ends maintenance. Call it in a transaction. @returns false if it was not on. */
export const endMaintenance = async (tx: Facts): Promise<boolean> => {
  const before = await lockedMaintenance(tx)
  if (before) await tx.facts.write(maintenanceFact, isOff)
  return before !== null
}

/** The fact stays locked until the transaction ends. */
const lockedMaintenance = async ({ facts }: Facts): Promise<Maintenance | null> =>
  maintenanceIn(await facts.lock(maintenanceFact))

/**
 * The networks that operators have marked as down. While a network is down, no press orders anything on it, in any
 * process. Queued orders wait until it is back; after a long wait the person is asked again. Orders that were sent are
 * followed as usual.
 */
const networksSchema = z.partialRecord(z.enum(networks), z.number())

export const networksDown = async ({
  facts,
}: {
  facts: Pick<Queries['facts'], 'read'>
}): Promise<ReadonlyMap<string, Date>> => networksIn(await facts.read(networksFact))

export const networksIn = (fact: string | null): ReadonlyMap<string, Date> => {
  const down = fact ? networksSchema.parse(JSON.parse(fact)) : {}
  return new Map(Object.entries(down).map(([network, sinceMs]) => [network, new Date(sinceMs)]))
}

/**
 * Marks the network as down or as back. When it is back, orders that wait for it are checked again immediately. Call it
 * in a transaction.
 * @returns false if it was marked so already.
 */
export const markNetwork = async (
  tx: Facts & { orders: Pick<Queries['orders'], 'wakeNetwork'> },
  network: Network,
  isDown: boolean,
  at: Date,
): Promise<boolean> => {
  const down = new Map(networksIn(await tx.facts.lock(networksFact)))
  if (down.has(network) === isDown) return false
  if (isDown) down.set(network, at)
  else down.delete(network)
  const fact = Object.fromEntries([...down].map(([name, since]) => [name, since.getTime()]))
  await tx.facts.write(networksFact, JSON.stringify(fact))
  if (!isDown) await tx.orders.wakeNetwork(network)
  return true
}
