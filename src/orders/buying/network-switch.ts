import { z } from 'zod'
import { type Network, networks } from '../../provider/network.ts'
import { networksFact } from '../../store/chats/chats.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The operator's switch of each network. While a network is off, no press orders anything on it, on any instance.
 * Queued orders wait until it is back on; after a long wait the person is asked again. Sent orders are followed as
 * always.
 */

const factSchema = z.partialRecord(z.enum(networks), z.number())

type Facts = { chats: Pick<Queries['chats'], 'lockFact' | 'setFact'> }

/** The networks that are off, and since when. */
export const networksDown = async ({
  chats,
}: {
  chats: Pick<Queries['chats'], 'fact'>
}): Promise<ReadonlyMap<string, Date>> => networksIn(await chats.fact(networksFact))

/** Parses the stored fact: the networks that are off, and since when. */
export const networksIn = (fact: string | null): ReadonlyMap<string, Date> => {
  const down = fact ? factSchema.parse(JSON.parse(fact)) : {}
  return new Map(Object.entries(down).map(([network, sinceMs]) => [network, new Date(sinceMs)]))
}

/**
 * Switches the network off or on. When it is back on, orders that wait for it are checked again at once. Call it in a
 * transaction.
 * @returns whether the switch changed.
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
