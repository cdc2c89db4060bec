import type { Charges } from '../../../domain/debits/charge.ts'
import type { PricelessOrder } from '../../../domain/order/order.ts'
import type { Spent } from '../../../shop/tally.ts'
import type { HistorySearch, HistoryState } from '../../../store/orders/history.ts'
import { type HistoryFilter, type HistoryPeriod, isNarrowed } from '../../buttons/history-filter.ts'
import type { SeenStanding } from '../../cards/viewer.ts'
import { listEntry } from '../../cards/words/list.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { agentName } from '../../words/agent.ts'
import { bundleOf } from '../../words/bundle.ts'
import { paidText, spentWords } from '../../words/charge.ts'
import { exampleOrder } from '../../words/hints.ts'
import { chosenLabel } from '../../words/labels.ts'
import { b, code, joined } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'

export const historyLabels = {
  filter: '🔎 Filter',
  allOrders: '‹ All orders',
} as const

// The words of a filter, for labels and titles. Plain text.
const filterWords: Record<HistoryState | HistoryPeriod, string> = {
  all: 'All',
  open: 'Open',
  delivered: 'Delivered',
  failed: 'Failed',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'This week',
}

// The label of a filter button. Plain text.
export const choiceLabel = (word: HistoryState | HistoryPeriod, isChosen: boolean) =>
  chosenLabel(filterWords[word], isChosen)
export const contactLabel = (name: string, phone: string) => `${oneLine(name, 24)} · ${phone}`

interface HistoryScreen {
  /** Counted from 0. */
  page: number
  filter: HistoryFilter
  /** The saved name of the number that the person searched for. */
  name: string | null
}

/** @param days the lines of each day, its heading first. */
export const historyPage = (days: string[][], screen: HistoryScreen) =>
  days.length === 0
    ? emptyPage(screen)
    : [
        `${b(title(screen))}${screen.page > 0 ? ` · page ${screen.page + 1}` : ''}`,
        ...days.map((lines) => lines.join('\n')),
      ].join('\n\n')

const emptyPage = (screen: HistoryScreen): string => {
  if (screen.page > 0) return 'No more orders.'
  return isNarrowed(screen.filter)
    ? `${b(title(screen))}\n\nNo orders found.`
    : `No orders yet. Send <code>${exampleOrder}</code> to order.`
}

/** The title of the history, unless it shows the results of a search. */
export const historyTitle = 'Your orders'

const title = ({ filter, name }: HistoryScreen): string => {
  const { state, period, network, search } = filter
  const parts = [
    state === 'all' ? null : filterWords[state].toLowerCase(),
    period === 'all' ? null : filterWords[period].toLowerCase(),
    network,
  ].filter((part) => part !== null)
  const head = search ? searchTitle(search, name) : historyTitle
  return parts.length > 0 ? `${head}: ${parts.join(' · ')}` : head
}

const searchTitle = (search: HistorySearch, name: string | null): string => {
  if (search.by === 'reference') return `Orders with ${code(search.part)} in the reference`
  return `Orders for ${phoneText(search.phone, name)}`
}

/** What a line shows besides the order itself. */
interface LineFacts {
  /** The saved name of the order's number. */
  name: string | null
  /** Null if the viewer sees no prices. */
  charges: Charges | null
  /** The time when it was ordered. */
  time: string
}

export const orderLine = (index: number, order: PricelessOrder, { name, charges, time }: LineFacts) =>
  joined(
    ' · ',
    `${index}. ${orderMark(order)} ${bundleOf(order)}`,
    `${phoneText(order.recipients[0]?.phone ?? '', name)}${order.quantity > 1 ? ` +${order.quantity - 1}` : ''}`,
    charges && paidText(charges),
    statusWord(order),
    time,
  )

/** The heading of a day. @param spent what is known of the cost of its orders; null: not shown. */
export const dayHead = (day: string, spent: Spent | null) =>
  joined(' · ', b(foreignWord(day)), ...(spent ? spentWords('total', spent) : []))
export const todayWord = 'Today'
export const yesterdayWord = 'Yesterday'

/** Adds the name of the agent who placed the order to a line that owners read. */
export const withAgent = (line: string, name: string | null) => `${line} · 👤 ${agentName(name)}`

export const listLine = (index: number, standing: SeenStanding, time: string) =>
  listEntry(index, standing, time)

export const askFilter = [
  b('Which orders?'),
  'Press a button, or send a number, a name, the end of a reference, or words like <code>MTN yesterday</code>.',
].join('\n')

export const whichContact = (written: string) => `More than one customer matches ${code(written)}. Which one?`

/** Shown if more contacts match than have a button. */
export const moreContacts = 'There are more. Send /orders with more of the name.'

export const notFound = (written: string) =>
  `Nothing found for ${code(written, 60)}. Search by number, reference or name.`
