import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import { networksDown } from '../../../orders/permission/switches.ts'
import { networksFor } from '../../cards/agent-permissions.ts'
import { usualWithinMs } from '../../cards/usual.ts'
import type { Services } from '../../chat/services.ts'
import type { OfferedNetworks } from './bundle-screens.ts'

/** The networks that a person may order on, and those that are down. */
export const networksOffered = async (
  { store }: Pick<Services, 'store'>,
  person: Person,
): Promise<Required<Omit<OfferedNetworks, 'likely'>>> => {
  const [allowed, down] = await Promise.all([networksFor(store, person), networksDown(store)])
  return { allowed, down }
}

/** How many of a network's bundles are marked as usual. */
const maxUsual = 3

/** What the screen of a network's bundles shows of the person and the network. */
export const usualOn = async (
  { store, now }: Pick<Services, 'store' | 'now'>,
  person: Person,
  network: string,
): Promise<{ usual: number[]; isDown: boolean }> => {
  const whose = { ...whoseOrders(person), network }
  const [usual, down] = await Promise.all([
    store.walletOrders.usualOn(whose, new Date(now().getTime() - usualWithinMs), maxUsual),
    networksDown(store),
  ])
  return { usual, isDown: down.has(network) }
}
