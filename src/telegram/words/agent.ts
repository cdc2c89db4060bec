import { foreignWord } from '../chat/screen.ts'
import { b, counted } from './markup.ts'

/** Sentences about agents that both agents and owners read. */

export const networkWords = (networks: readonly string[] | null): string => {
  if (networks === null) return 'all'
  return networks.length === 0 ? 'none, so nothing can be ordered' : networks.map(foreignWord).join(', ')
}

export const waitingWords = (waiting: number): string | null =>
  waiting === 0
    ? null
    : `${counted(waiting, 'waiting order', 'waiting orders')} will be cancelled, not charged.`

export const openWords = (open: number): string | null =>
  open === 0
    ? null
    : `${counted(open, 'order is', 'orders are')} still open. I’ll tell you here what happens to ${open === 1 ? 'it' : 'them'}.`

export const cancelledWords = (cancelled: number): string | null =>
  cancelled === 0
    ? null
    : `${counted(cancelled, 'waiting order was', 'waiting orders were')} cancelled, not charged.`

/** How texts name the wallet. @param shop the shop's name; null if it has none. */
export const walletOf = (shop: string | null): string =>
  shop === null ? 'the owner’s wallet' : `${b(foreignWord(shop))}’s wallet`

/** An agent's name, as it is set in Telegram; `An agent` if there is none. */
export const agentName = (name: string | null): string => foreignWord(name ?? '') || 'An agent'

/** The heading of a message about an agent's order. */
export const orderedBy = (name: string | null) => `👤 ${b(agentName(name))} ordered:`

export const orderedByOwner = '👤 Another owner ordered:'

export const orderedByLine = (name: string | null) => `Ordered by ${foreignWord(name ?? '') || 'an agent'}`
