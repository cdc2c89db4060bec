import { isPrefix } from '../../orders/network-prefixes.ts'
import { isNetwork, type Network, networks } from '../../provider/network.ts'
import { isId } from '../../store/id.ts'

/** One act for each of the names, all with the same fields. */
type Each<Name extends string, Fields = unknown> = Name extends string ? { act: Name } & Fields : never

/** What is stuck: messages that were given up and callbacks go by their numbers. */
export type StuckAct =
  | Each<'stuck'>
  | Each<'notices' | 'orders' | 'callbacks' | 'accounts', { page: number }>
  | Each<'notice' | 'again' | 'drop' | 'callback' | 'dismiss' | 'dismiss_all', { id: number }>
  | Each<'order' | 'look', { orderId: string }>

export type BlockAct =
  | Each<'blocked', { page: number }>
  | Each<'ask_block'>
  | Each<'block' | 'block_sure' | 'unblock', { chatId: number }>

/** `minutes`: how long it is to last; 0: nobody knows. */
export type MaintenanceAct =
  | Each<'maintenance' | 'reason' | 'no_reason' | 'resume' | 'resume_sure'>
  | Each<'pause' | 'pause_sure' | 'until', { minutes: number }>

/** `networks` of a prefix: what it is changed back to; null: as built in. */
export type NetworkAct =
  | Each<'networks' | 'prefixes' | 'prefix_edit' | 'prefix_reset'>
  | Each<'network_down' | 'network_up', { network: Network }>
  | Each<'prefix_back', { prefix: string; networks: readonly Network[] | null }>

/** What a button of the operators' does; that it is an operator who presses is checked at every press. */
export type OperatorAct =
  | StuckAct
  | BlockAct
  | MaintenanceAct
  | NetworkAct
  | Each<'invitations'>
  | Each<'security', { page: number }>
  /** By how the invitation's hash begins. */
  | Each<'revoke', { name: string }>

export const wordsOfOperatorAct = (act: OperatorAct): (string | number)[] => {
  switch (act.act) {
    case 'stuck':
    case 'invitations':
    case 'ask_block':
    case 'maintenance':
    case 'reason':
    case 'no_reason':
    case 'resume':
    case 'resume_sure':
    case 'networks':
    case 'prefixes':
    case 'prefix_edit':
    case 'prefix_reset':
      return [act.act]
    case 'network_down':
    case 'network_up':
      return [act.act, act.network]
    case 'prefix_back':
      return ['prefix_back', `${act.prefix}-${act.networks === null ? builtIn : maskOf(act.networks)}`]
    case 'notices':
    case 'orders':
    case 'callbacks':
    case 'accounts':
    case 'blocked':
    case 'security':
      return [act.act, act.page]
    case 'notice':
    case 'again':
    case 'drop':
    case 'callback':
    case 'dismiss':
    case 'dismiss_all':
      return [act.act, act.id]
    case 'order':
    case 'look':
      return [act.act, act.orderId]
    case 'revoke':
      return [act.act, act.name]
    case 'block':
    case 'block_sure':
    case 'unblock':
      return [act.act, act.chatId]
    case 'pause':
    case 'pause_sure':
    case 'until':
      return [act.act, act.minutes]
  }
}

export const readOperatorAct = ([word = '', value = '']: string[]): OperatorAct | null => {
  switch (word) {
    case 'stuck':
    case 'invitations':
    case 'ask_block':
    case 'maintenance':
    case 'reason':
    case 'no_reason':
    case 'resume':
    case 'resume_sure':
    case 'networks':
    case 'prefixes':
    case 'prefix_edit':
    case 'prefix_reset':
      return { act: word }
    case 'network_down':
    case 'network_up':
      return isNetwork(value) ? { act: word, network: value } : null
    case 'prefix_back': {
      const [prefix = '', mask = ''] = value.split('-')
      if (!isPrefix(prefix)) return null
      if (mask === builtIn) return { act: 'prefix_back', prefix, networks: null }
      return /^\d{1,2}$/.test(mask) && Number(mask) < 2 ** networks.length
        ? { act: 'prefix_back', prefix, networks: namedBy(Number(mask)) }
        : null
    }
    case 'notices':
    case 'orders':
    case 'callbacks':
    case 'accounts':
    case 'blocked':
    case 'security':
      return /^\d{1,4}$/.test(value) ? { act: word, page: Number(value) } : null
    case 'notice':
    case 'again':
    case 'drop':
    case 'callback':
    case 'dismiss':
    case 'dismiss_all':
      return isRowId(value) ? { act: word, id: Number(value) } : null
    case 'order':
    case 'look':
      return isId(value) ? { act: word, orderId: value } : null
    case 'revoke':
      return /^[\w-]{16}$/.test(value) ? { act: 'revoke', name: value } : null
    case 'block':
    case 'block_sure':
    case 'unblock':
      return isChatId(value) ? { act: word, chatId: Number(value) } : null
    case 'pause':
    case 'pause_sure':
    case 'until':
      return /^\d{1,4}$/.test(value) ? { act: word, minutes: Number(value) } : null
    default:
      return null
  }
}

/** Networks on a button: a bit for each, in their order. */
const maskOf = (named: readonly Network[]): number =>
  networks.reduce((mask, network, bit) => mask + (named.includes(network) ? 2 ** bit : 0), 0)
const namedBy = (mask: number): Network[] =>
  networks.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1)
const builtIn = 'b'

/** Telegram's ids are whole numbers of at most 52 bits; those of groups begin with a minus. */
export const isChatId = (text: string): boolean =>
  /^-?[1-9]\d{0,15}$/.test(text) && Math.abs(Number(text)) <= 2 ** 52

/** As the database counts its rows: 31 bits. */
const isRowId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31
