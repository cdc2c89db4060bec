import { ownChargeOf, type PricelessOrder } from '../../../domain/order/order.ts'
import { type ExplainedEntry, type Explanation, orderIn } from '../../../orders/reconciling/explanation.ts'
import { formatGhs, minus, type Pesewas } from '../../../provider/money.ts'
import type { OpenCharges } from '../../../store/accounts/wallet-orders.ts'
import type { EntryFilter } from '../../buttons/entries-wish.ts'
import { type GoodFor, goodForWords } from '../../cards/words/low-balance.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import { duration, when } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b, code, counted, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'

export const filterLabels: Record<EntryFilter, string> = {
  all: 'All',
  debits: 'Money out',
  credits: 'Money in',
  unexplained: '⚠️ Unexplained',
}

/** The label of the button that says which entries are shown. Plain text. */
export const filterLabel = (filter: EntryFilter) => `Show: ${filterLabels[filter]}`

export const askFilter = 'Which transactions?'

export const balance = (options: {
  balance: Pesewas
  accountType: string | null
  at: Date
  held: OpenCharges
  /** For how many orders a refund has not come yet, and how much money that is. */
  refunds: { orders: number; pesewas: Pesewas }
  goodFor: GoodFor | null
  level: Pesewas | null
  now: Date
}) => {
  const { held, refunds, goodFor, level } = options
  const left = minus(options.balance, held.waiting.pesewas)
  return lines(
    `💰 Balance: ${b(formatGhs(options.balance))}`,
    `As of ${when(options.at, options.now)}${options.accountType ? ` · Account type: ${foreignWord(options.accountType)}` : ''}`,
    '',
    held.waiting.orders > 0
      ? `⏳ ${counted(held.waiting.orders, 'order is', 'orders are')} waiting to be sent: ${formatGhs(held.waiting.pesewas)} is still to be charged, ${left < 0 ? `${b(formatGhs(minus(held.waiting.pesewas, options.balance)))} more than you have` : `leaving ${b(formatGhs(left))}`}.`
      : null,
    held.uncertain.orders > 0
      ? `❓ I’m not sure yet about ${counted(held.uncertain.orders, 'order', 'orders')}: ${formatGhs(held.uncertain.pesewas)} may have been charged.`
      : null,
    refunds.orders > 0
      ? `↩️ ${formatGhs(refunds.pesewas)} should be refunded for ${counted(refunds.orders, 'order', 'orders')}.`
      : null,
    goodFor ? goodForWords(goodFor) : null,
    level === null
      ? '🔕 No alert is set. Press <b>Alert</b> to be told when your balance gets low.'
      : `🔔 I’ll tell you when your balance goes below ${formatGhs(level)}.`,
  )
}

// ── Wallet entries ──────────────────────────────────────────────────────────────────────────────────────────────────
const headings: Record<EntryFilter, string> = {
  all: 'Transactions',
  debits: 'Transactions: money out',
  credits: 'Transactions: money in',
  unexplained: 'Unexplained charges',
}

const nothingFound: Record<EntryFilter, string> = {
  all: 'No transactions yet. Your top-ups, charges and refunds will show here.',
  debits: 'No charges.',
  credits: 'No top-ups or refunds.',
  unexplained: '✅ None: every charge belongs to an order here.',
}

const unexplainedNote =
  'Charges with ⚠️ are for orders made elsewhere with your key. To check one, send its reference. Not yours? Make a new key in the provider’s dashboard, then /connect.'

const extraNote = 'Extra charges are the provider’s mistake. Open the order and press <b>Report</b>.'

interface EntriesScreen {
  filter: EntryFilter
  lines: string[]
  isFirst: boolean
  /** Set if the search stopped early. `waitMs`: how long the provider asks to wait; null if it does not ask. */
  cutShort: { waitMs: number | null } | null
  unreadable: number
  hasUnexplained: boolean
  /** Whether some entries are an order's second charge. */
  hasExtra: boolean
}

export const entries = (screen: EntriesScreen) =>
  lines(
    b(headings[screen.filter]),
    screen.lines.length > 0 ? `\n${screen.lines.join('\n\n')}\n` : nothingHere(screen),
    screen.hasUnexplained ? unexplainedNote : null,
    screen.hasExtra ? extraNote : null,
    screen.unreadable > 0
      ? `${counted(screen.unreadable, 'transaction', 'transactions')} couldn’t be read.`
      : null,
    screen.cutShort ? cutShortWords(screen) : null,
  )

const nothingHere = ({ filter, cutShort, isFirst }: EntriesScreen): string | null => {
  if (cutShort) return null
  return isFirst ? nothingFound[filter] : 'No more transactions.'
}

const cutShortWords = ({ cutShort, lines: found }: EntriesScreen): string => {
  const soFar = found.length > 0 ? 'This is all I’ve found so far' : 'Nothing found so far'
  return cutShort?.waitMs == null
    ? `${soFar}. There are more transactions to search. Press <b>Search further</b>.`
    : `${soFar}. I’ve reached the provider’s request limit. Press <b>Search further</b> in ${duration(cutShort.waitMs)}.`
}

/**
 * A line short enough that a screen of eight with its notes fits into one message. @param name the saved name of the
 * number.
 */
export const entryLine = (
  { entry, by }: ExplainedEntry,
  options: { index: number | null; name: string | null; now: Date },
) => {
  const order = orderIn(by)
  const at = entry.createdAt ? ` · ${when(entry.createdAt, options.now)}` : ''
  const after = entry.balanceAfterPesewas === null ? '' : ` · balance ${formatGhs(entry.balanceAfterPesewas)}`
  return lines(
    `${options.index === null ? '' : `${options.index}. `}${markOf(entry.type, by)} ${b(formatGhs(entry.amountPesewas))}${at}${after}`,
    order ? orderWords(order, options.name) : null,
    by.kind === 'extra' ? `Extra charge: this order costs ${formatGhs(ownChargeOf(by.order))}.` : null,
    !order && entry.description ? escapeHtml(oneLine(entry.description, 140)) : null,
    by.kind === 'nothing' ? 'Doesn’t match any order here.' : null,
    by.kind === 'maybe' ? maybeWords(by.orders, options.now) : null,
    entry.reference ? code(entry.reference) : null,
  )
}

const markOf = (type: string, by: Explanation): string => {
  if (by.kind === 'nothing' || by.kind === 'extra') return '⚠️'
  if (by.kind === 'maybe') return '❓'
  return type === 'credit' ? '➕' : '➖'
}

const orderWords = (order: PricelessOrder, name: string | null): string => {
  const [first] = order.recipients
  const whom = phoneText(first?.phone ?? '', name)
  const more = order.recipients.length > 1 ? ` and ${order.recipients.length - 1} more` : ''
  return `${bundleOf(order)} for ${whom}${more}`
}

const maybeWords = (orders: readonly PricelessOrder[], now: Date): string => {
  const times = orders.slice(0, 3).map(({ sentAt, createdAt }) => when(sentAt ?? createdAt, now))
  return `May be for your order from ${times.join(' or ')}${orders.length > 3 ? ' …' : ''}, but I’m not sure.`
}

export const balanceName = 'the balance'
