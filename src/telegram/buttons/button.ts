import type { When } from '../../accounts/departure.ts'
import { isPhone, type Phone } from '../../provider/phone.ts'
import { isPeriod, type Period } from '../../shop/period.ts'
import { isId } from '../../store/id.ts'
import { type AgentAct, readAgentAct, wordsOfAgentAct } from './agent.ts'
import { type CustomerAct, readCustomerAct, wordsOfCustomerAct } from './customer.ts'
import { type EnquiryAct, readEnquiryAct, wordsOfEnquiryAct } from './enquiry.ts'
import { type EntriesWish, readEntriesWish, wordsOfEntries } from './entries.ts'
import { type ExportAct, readExportAct, wordsOfExportAct } from './export.ts'
import { type HelpTopic, isHelpTopic } from './help.ts'
import { type HistoryFilter, readFilter, wordsOfFilter } from './history.ts'
import { type ListAct, readAct, wordsOfAct } from './list.ts'
import { type OperatorAct, readOperatorAct, wordsOfOperatorAct } from './operator.ts'
import { readSellingAct, type SellingAct, wordsOfSellingAct } from './selling.ts'
import { readSettingsAct, type SettingsAct, wordsOfSettingsAct } from './settings.ts'

/**
 * What a button does, and with what. Keyboards keep no state: a press works after a restart, in any order and
 * on any old message. Callback data may be forged, so what it names is checked against its owner when it is used.
 */
export type Button =
  | { do: 'home' }
  | { do: 'leave' }
  | { do: 'connect' }
  /** The account is named, so that an old question is not answered about another one. */
  | { do: 'disconnect'; accountId: string; when: When | 'never' }
  /** The time (epoch ms) until which the credentials wait names them. */
  | { do: 'switch'; sure: boolean; untilMs: number }
  | { do: 'networks' }
  /** All of them, also where the person has settled for one. */
  | { do: 'all_networks' }
  | { do: 'bulk_networks' }
  | { do: 'bundles'; network: string; page: number }
  /** A bundle was chosen; with a phone where the number is known already. */
  | { do: 'bundle'; bundleId: number; phone: Phone | null }
  /** The number stays on this bundle's network although it looks like another's. */
  | { do: 'keep'; bundleId: number; phone: Phone }
  /** The number is known, the network is to be chosen. */
  | { do: 'networks_for'; phone: Phone }
  | { do: 'bundles_for'; network: string; phone: Phone; page: number }
  /** `after`: the card says that the same went to that number, by that order (`briefId`). */
  | { do: 'confirm'; purchaseId: string; after: string | null }
  | { do: 'cancel'; purchaseId: string }
  | { do: 'send_anyway'; orderId: string }
  /** The person's word on an order that the wallet's entries leave open. */
  | { do: 'judge'; orderId: string; charged: boolean }
  | { do: 'refresh'; orderId: string }
  | { do: 'open'; orderId: string }
  /** A new purchase like that order; the nonce is spent by the first press. */
  | { do: 'again'; orderId: string; nonce: number }
  | { do: 'share'; orderId: string }
  | { do: 'report'; orderId: string }
  | { do: 'follow'; orderId: string }
  | { do: 'unfollow'; orderId: string }
  | { do: 'look'; orderId: string }
  /** An order that the chat follows, in a message of its own. */
  | { do: 'open_shared'; orderId: string }
  | { do: 'enquiry'; act: EnquiryAct }
  /** Saved numbers. */
  | { do: 'customers'; act: CustomerAct }
  | { do: 'agents'; act: AgentAct }
  /** Without a filter: all of them. */
  | { do: 'orders'; page: number; filter?: HistoryFilter }
  | { do: 'search_orders' }
  /** The guided list: network, bundle, then the numbers. */
  | { do: 'bulk' }
  | { do: 'bulk_bundles'; network: string; page: number }
  | { do: 'bulk_bundle'; bundleId: number }
  | { do: 'list'; purchaseId: string; act: ListAct }
  | { do: 'settings'; act: SettingsAct }
  | { do: 'balance' }
  /** The wallet's entries. */
  | { do: 'transactions'; wish: EntriesWish }
  /** A file of orders or of the wallet's entries. */
  | { do: 'export'; act: ExportAct }
  | { do: 'prices'; network: string | null }
  | { do: 'selling'; act: SellingAct }
  | { do: 'stats'; period: Period }
  /** Without a topic: what there is. */
  | { do: 'help'; topic?: HelpTopic }
  | { do: 'admin' }
  | { do: 'invite' }
  | { do: 'operator'; act: OperatorAct }

/** Telegram's limit. */
const mostBytes = 64

type Words = (string | number)[]

export const encodeButton = (button: Button): string => {
  const data = wordsOf(button).join(':')
  if (Buffer.byteLength(data) > mostBytes) throw new RangeError(`Callback data is too long for ${button.do}`)
  return data
}

const wordsOf = (button: Button): Words => {
  switch (button.do) {
    case 'home':
    case 'bulk':
    case 'leave':
    case 'connect':
    case 'networks':
    case 'all_networks':
    case 'bulk_networks':
    case 'balance':
    case 'search_orders':
    case 'admin':
    case 'invite':
      return [button.do]
    case 'help':
      return button.topic ? ['help', button.topic] : ['help']
    case 'disconnect':
      return ['disconnect', button.when, button.accountId]
    case 'switch':
      return ['switch', button.sure ? 1 : 0, button.untilMs]
    case 'bundles':
      return ['bundles', button.network, button.page]
    case 'bulk_bundles':
      return ['bulk_bundles', button.network, button.page]
    case 'bulk_bundle':
      return ['bulk_bundle', button.bundleId]
    case 'list':
      return ['list', button.purchaseId, ...wordsOfAct(button.act)]
    case 'bundle':
      return button.phone ? ['bundle', button.bundleId, button.phone] : ['bundle', button.bundleId]
    case 'keep':
      return ['keep', button.bundleId, button.phone]
    case 'networks_for':
      return ['networks_for', button.phone]
    case 'bundles_for':
      return ['bundles_for', button.network, button.phone, button.page]
    case 'confirm':
      return ['confirm', button.purchaseId, ...(button.after === null ? [] : [button.after])]
    case 'cancel':
      return ['cancel', button.purchaseId]
    case 'send_anyway':
    case 'refresh':
    case 'open':
    case 'share':
    case 'report':
    case 'follow':
    case 'unfollow':
    case 'look':
    case 'open_shared':
      return [button.do, button.orderId]
    case 'enquiry':
      return ['enquiry', ...wordsOfEnquiryAct(button.act)]
    case 'customers':
      return ['customers', ...wordsOfCustomerAct(button.act)]
    case 'agents':
      return ['agents', ...wordsOfAgentAct(button.act)]
    case 'again':
      return ['again', button.orderId, button.nonce]
    case 'operator':
      return ['operator', ...wordsOfOperatorAct(button.act)]
    case 'settings':
      return ['settings', ...wordsOfSettingsAct(button.act)]
    case 'stats':
      return ['stats', button.period]
    case 'judge':
      return ['judge', button.orderId, button.charged ? 1 : 0]
    case 'orders':
      return ['orders', button.page, ...wordsOfFilter(button.filter)]
    case 'transactions':
      return ['transactions', ...wordsOfEntries(button.wish)]
    case 'export':
      return ['export', ...wordsOfExportAct(button.act)]
    case 'prices':
      return button.network ? ['prices', button.network] : ['prices']
    case 'selling':
      return ['selling', ...wordsOfSellingAct(button.act)]
  }
}

/** Reads callback data; null for anything that this version's keyboards cannot have sent. */
export const decodeButton = (data: string): Button | null => {
  const button = Buffer.byteLength(data) <= mostBytes ? readButton(data) : null
  return button && encodeButton(button) === data ? button : null
}

const readButton = (data: string): Button | null => {
  const [action = '', first = '', ...rest] = data.split(':', 6)
  const [second = '', third = ''] = rest
  switch (action) {
    case 'home':
    case 'bulk':
    case 'leave':
    case 'connect':
    case 'networks':
    case 'all_networks':
    case 'bulk_networks':
    case 'balance':
    case 'search_orders':
    case 'admin':
    case 'invite':
      return { do: action }
    case 'help':
      if (first === '') return { do: 'help' }
      return isHelpTopic(first) ? { do: 'help', topic: first } : null
    case 'disconnect':
      return isWhen(first) && isId(second) ? { do: 'disconnect', accountId: second, when: first } : null
    case 'switch':
      return /^[01]$/.test(first) && /^\d{1,15}$/.test(second)
        ? { do: 'switch', sure: first === '1', untilMs: Number(second) }
        : null
    case 'bundles':
      return withPage(second, (page) => ({ do: 'bundles', network: first, page }))
    case 'bulk_bundles':
      return withPage(second, (page) => ({ do: 'bulk_bundles', network: first, page }))
    case 'bulk_bundle':
      return withBundle(first, (bundleId) => ({ do: 'bulk_bundle', bundleId }))
    case 'list': {
      const act = readAct(rest)
      return isId(first) && act ? { do: 'list', purchaseId: first, act } : null
    }
    case 'bundle':
      return withBundle(first, (bundleId) => {
        if (second === '') return { do: 'bundle', bundleId, phone: null }
        return isPhone(second) ? { do: 'bundle', bundleId, phone: second } : null
      })
    case 'keep':
      return withBundle(first, (bundleId) =>
        isPhone(second) ? { do: 'keep', bundleId, phone: second } : null,
      )
    case 'networks_for':
      return isPhone(first) ? { do: 'networks_for', phone: first } : null
    case 'bundles_for':
      return withPage(third, (page) =>
        isPhone(second) ? { do: 'bundles_for', network: first, phone: second, page } : null,
      )
    case 'confirm':
      if (!isId(first) || !/^([\w-]{8})?$/.test(second)) return null
      return { do: 'confirm', purchaseId: first, after: second || null }
    case 'cancel':
      return isId(first) ? { do: 'cancel', purchaseId: first } : null
    case 'send_anyway':
    case 'refresh':
    case 'open':
    case 'share':
    case 'report':
    case 'follow':
    case 'unfollow':
    case 'look':
    case 'open_shared':
      return isId(first) ? { do: action, orderId: first } : null
    case 'enquiry': {
      const act = readEnquiryAct([first, second])
      return act && { do: 'enquiry', act }
    }
    case 'customers': {
      const act = readCustomerAct([first, ...rest])
      return act && { do: 'customers', act }
    }
    case 'stats':
      return isPeriod(first) ? { do: 'stats', period: first } : null
    case 'agents': {
      const act = readAgentAct([first, ...rest])
      return act && { do: 'agents', act }
    }
    case 'operator': {
      const act = readOperatorAct([first, second])
      return act && { do: 'operator', act }
    }
    case 'settings': {
      const act = readSettingsAct(data.slice('settings:'.length))
      return act && { do: 'settings', act }
    }
    case 'judge':
      return isId(first) && /^[01]$/.test(second)
        ? { do: 'judge', orderId: first, charged: second === '1' }
        : null
    case 'again':
      return withPage(second, (nonce) => (isId(first) ? { do: 'again', orderId: first, nonce } : null))
    case 'orders': {
      const filter = readFilter(rest)
      if (filter === null) return null
      return withPage(first, (page) => ({ do: 'orders', page, ...(filter && { filter }) }))
    }
    case 'transactions': {
      const wish = readEntriesWish([first, ...rest])
      return wish && { do: 'transactions', wish }
    }
    case 'export': {
      const act = readExportAct([first, ...rest])
      return act && { do: 'export', act }
    }
    case 'prices':
      return { do: 'prices', network: first || null }
    case 'selling': {
      const act = readSellingAct([first, ...rest])
      return act && { do: 'selling', act }
    }
    default:
      return null
  }
}

const isWhen = (word: string): word is When | 'never' => ['confirmed', 'done', 'now', 'never'].includes(word)

const withPage = (text: string, make: (page: number) => Button | null): Button | null =>
  /^\d{1,6}$/.test(text) ? make(Number(text)) : null

const withBundle = (text: string, make: (bundleId: number) => Button | null): Button | null =>
  /^\d{1,16}$/.test(text) ? make(Number(text)) : null
