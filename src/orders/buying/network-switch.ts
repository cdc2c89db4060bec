import { z } from 'zod'
import { type Network, networks } from '../../provider/network.ts'
import { networksFact } from '../../store/chats/chats.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The operator's switch of each network: while it is off, no press orders anything on that network, on any instance.
 * Confirmed orders that were not sent wait until it is on again; after a long wait the person is asked again. Sent
 * orders are followed as always.
 */

const factSchema = z.partialRecord(z.enum(networks), z.number())

type Facts = { chats: Pick<Queries['chats'], 'lockFact' | 'setFact'> }

/** The networks that are off, and since when. */
export const networksDown = async ({
  chats,
}: {
  chats: Pick<Queries['chats'], 'fact'>
}): Promise<ReadonlyMap<string, Date>> => networksIn(await chats.fact(networksFact))

/** The networks that the fact says are off, and since when. */
export const networksIn = (fact: string | null): ReadonlyMap<string, Date> => {
  const down = fact ? factSchema.parse(JSON.parse(fact)) : {}
  return new Map(Object.entries(down).map(([network, sinceMs]) => [network, new Date(sinceMs)]))
}

/**
 * Orders that wait for the network may go at once when it is on again. Call it in a transaction.
 * @returns whether it changed anything.
 */
export const switchNetwork = async (
  tx: Facts & { orders: Pick<Queries['orders'], 'wakeNetwork'> },
  network: Network,
  isDown: boolean,
  at: Date,
): Promise<boolean> => {
  const down = new Map(networksIn(await tx.chats.lockFact(networksFact)))
  if (down.has(network) === isDown) return false
  if (isDown) down.set(network, at)
  else down.delete(network)
  const fact = Object.fromEntries([...down].map(([name, since]) => [name, since.getTime()]))
  await tx.chats.setFact(networksFact, JSON.stringify(fact))
  if (!isDown) await tx.orders.wakeNetwork(network)
  return true
}
