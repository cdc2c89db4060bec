import type { PricelessOrder } from '../../orders/order.ts'
import type { HistorySearch, HistoryState } from '../../store/history.ts'
import type { HistoryFilter, HistoryPeriod } from '../buttons/history.ts'
import { phoneText } from '../phone-text.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import type { SeenStanding } from '../viewer.ts'
import { agentName } from './agent.ts'
import { bundleOf } from './bundle.ts'
import { listEntry } from './list.ts'
import { b, code } from './markup.ts'
import { markOf, statusWord } from './status.ts'

/** The words of the history of orders, its filters and its search. */

export const historyLabels = {
  search: '🔎 Search',
  allOrders: '‹ All orders',
  anyNetwork: 'Any network',
} as const

const stateLabels: Record<HistoryState, string> = {
  all: 'All',
  open: 'Open',
  delivered: 'Delivered',
  failed: 'Failed',
}
const periodLabels: Record<HistoryPeriod, string> = { all: 'Any day', today: 'Today', week: 'This week' }

// Labels of buttons are plain text.
export const choiceLabel = (word: string, isChosen: boolean) => `${isChosen ? '✓ ' : ''}${oneLine(word, 20)}`
export const stateLabel = (state: HistoryState) => stateLabels[state]
export const periodLabel = (period: HistoryPeriod) => periodLabels[period]
export const customerLabel = (name: string, phone: string) => `${oneLine(name, 24)} · ${phone}`

interface HistoryScreen {
  /** Counted from 0. */
  page: number
  filter: HistoryFilter
  /** The name under which the number that is searched for is saved. */
  name: string | null
}

export const historyPage = (lines: string[], screen: HistoryScreen) =>
  lines.length === 0
    ? emptyPage(screen)
    : `${b(title(screen))}${screen.page > 0 ? ` · page ${screen.page + 1}` : ''}\n\n${lines.join('\n')}\n\nPress a number to open one.`

/** Where lines would be, what is missing is said, and how to look for it. */
const emptyPage = (screen: HistoryScreen): string => {
  if (screen.page > 0) return 'No more orders.'
  const { state, period, network, search } = screen.filter
  const isFiltered = state !== 'all' || period !== 'all' || network !== null
  if (search) return `${b(title(screen))}\n\nNothing found. ${isFiltered ? unfilter : howToSearch}`
  return isFiltered
    ? `${b(title(screen))}\n\nNo order is like that. ${unfilter}`
    : 'No orders yet. Send <code>0241234567 5GB</code> to make the first.'
}

const unfilter = `Press ${stateLabels.all} and ${periodLabels.all} to see more.`
const howToSearch =
  'To search, send /orders with a number, a reference or a customer’s name behind it: <code>/orders 0241234567</code>.'

const title = ({ filter, name }: HistoryScreen): string => {
  const { state, period, network, search } = filter
  const parts = [
    state === 'all' ? null : stateLabels[state].toLowerCase(),
    period === 'all' ? null : periodLabels[period].toLowerCase(),
    network && foreignWord(network),
  ].filter((part) => part !== null)
  const head = search ? searchTitle(search, name) : 'Your orders'
  return parts.length > 0 ? `${head}: ${parts.join(' · ')}` : head
}

const searchTitle = (search: HistorySearch, name: string | null): string => {
  if (search.by === 'reference') return `Orders with ${code(search.part)} in the reference`
  return `Orders for ${phoneText(search.phone, name)}`
}

/** @param name under which its number is saved. */
export const orderLine = (index: number, order: PricelessOrder, name: string | null, now: Date) =>
  `${index}. ${markOf(order)} ${bundleOf(order)} · ${phoneText(order.recipients[0]?.phone ?? '', name)}${order.quantity > 1 ? ` +${order.quantity - 1}` : ''} · ${statusWord(order)} · ${when(order.createdAt, now)}`

/** For owners: who of their agents ordered it. */
export const withAgent = (line: string, name: string | null) => `${line} · 👤 ${agentName(name)}`

export const listLine = (index: number, standing: SeenStanding, createdAt: Date, now: Date) =>
  listEntry(index, standing, when(createdAt, now))

export const askSearch = [
  b('Search your orders'),
  'Send a number, a reference (or its last part), or the name of a customer that you have saved. For example <code>0241234567</code>, <code>123456</code> or <code>Kofi</code>.',
].join('\n')

export const whichCustomer = (written: string) => `More than one customer is like ${code(written)}. Which?`

/** @param more there are others, whom a longer name would leave out. */
export const moreCustomers = 'There are more: send more of the name to find the others.'

export const notFound = (written: string) =>
  `I find no order and no saved customer by ${code(written, 60)}. ${howToSearch}`
