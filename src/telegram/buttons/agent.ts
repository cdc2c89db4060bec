import { isNetwork, type Network } from '../../provider/network.ts'
import { type AgentPrices, agentPriceKinds } from '../../shop/agent-prices.ts'
import { type Told, toldLevels } from '../../store/accounts.ts'

/**
 * What a button about agents does. An agent is named by the user id; that they are one of the account whose owner
 * presses is checked when it is used.
 */
export type AgentAct =
  | { act: 'list' }
  | { act: 'invite' }
  /** Takes back all open invitations. */
  | { act: 'revoke_all' }
  /** Takes back an open invitation, by its name. */
  | { act: 'revoke'; name: string }
  | { act: 'open'; id: number }
  | { act: 'limit'; id: number }
  /** Null: no limit. */
  | { act: 'set_limit'; id: number; pesewas: number | null }
  | { act: 'networks'; id: number }
  /** Allowed from now on, or no longer. */
  | { act: 'network'; id: number; network: Network; allowed: boolean }
  | { act: 'pause'; id: number; paused: boolean }
  | { act: 'tell'; id: number }
  | { act: 'set_tell'; id: number; told: Told }
  | { act: 'orders'; id: number; page: number }
  /** What all agents see of prices. */
  | { act: 'prices' }
  | { act: 'set_prices'; prices: AgentPrices }
  | { act: 'remove'; id: number }
  | { act: 'remove_sure'; id: number }
  | { act: 'remove_owner'; id: number }
  | { act: 'remove_owner_sure'; id: number }
  /** Somebody becomes an agent by that invitation, or does not. */
  | { act: 'join'; secret: string }
  | { act: 'stay' }

export const wordsOfAgentAct = (act: AgentAct): (string | number)[] => {
  switch (act.act) {
    case 'list':
    case 'invite':
    case 'revoke_all':
    case 'stay':
    case 'prices':
      return [act.act]
    case 'set_prices':
      return ['set_prices', act.prices]
    case 'revoke':
      return ['revoke', act.name]
    case 'set_limit':
      return ['set_limit', act.id, act.pesewas ?? 'none']
    case 'network':
      return ['network', act.id, act.network, act.allowed ? 1 : 0]
    case 'pause':
      return ['pause', act.id, act.paused ? 1 : 0]
    case 'set_tell':
      return ['set_tell', act.id, act.told]
    case 'orders':
      return ['orders', act.id, act.page]
    case 'join':
      return ['join', act.secret]
    case 'open':
    case 'limit':
    case 'networks':
    case 'tell':
    case 'remove':
    case 'remove_sure':
    case 'remove_owner':
    case 'remove_owner_sure':
      return [act.act, act.id]
  }
}

export const readAgentAct = ([word = '', first = '', ...rest]: string[]): AgentAct | null => {
  switch (word) {
    case 'list':
    case 'invite':
    case 'revoke_all':
    case 'stay':
    case 'prices':
      return { act: word }
    case 'set_prices': {
      const prices = agentPriceKinds.find((kind) => kind === first)
      return prices ? { act: 'set_prices', prices } : null
    }
    case 'revoke':
      return /^[\w-]{16}$/.test(first) ? { act: 'revoke', name: first } : null
    case 'join':
      return isInvitationSecret(first) ? { act: 'join', secret: first } : null
    default:
      return /^[1-9]\d{0,15}$/.test(first) ? readAboutAgent(word, Number(first), rest) : null
  }
}

const readAboutAgent = (word: string, id: number, [first = '', second = '']: string[]): AgentAct | null => {
  switch (word) {
    case 'open':
    case 'limit':
    case 'networks':
    case 'tell':
    case 'remove':
    case 'remove_sure':
    case 'remove_owner':
    case 'remove_owner_sure':
      return { act: word, id }
    case 'set_limit':
      if (first === 'none') return { act: 'set_limit', id, pesewas: null }
      return /^\d{1,9}$/.test(first) ? { act: 'set_limit', id, pesewas: Number(first) } : null
    case 'network':
      return isNetwork(first) && /^[01]$/.test(second)
        ? { act: 'network', id, network: first, allowed: second === '1' }
        : null
    case 'pause':
      return /^[01]$/.test(first) ? { act: 'pause', id, paused: first === '1' } : null
    case 'set_tell': {
      const told = toldLevels.find((level) => level === first)
      return told ? { act: 'set_tell', id, told } : null
    }
    case 'orders':
      return /^\d{1,5}$/.test(first) ? { act: 'orders', id, page: Number(first) } : null
    default:
      return null
  }
}

/** 192 bits, as they stand in a link. */
export const isInvitationSecret = (text: string): boolean => /^[\w-]{32}$/.test(text)
