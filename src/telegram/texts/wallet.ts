import type { ExplainedEntry, Explanation } from '../../orders/explanation.ts'
import type { PricelessOrder } from '../../orders/order.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { Held } from '../../store/wallets.ts'
import type { EntryFilter } from '../buttons/entries.ts'
import { phoneText } from '../phone-text.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import { duration, when } from '../time.ts'
import { bundleName, bundleOf } from './bundle.ts'
import { b, code, counted, lines } from './markup.ts'

/** The words of the wallet: its balance, the alert, its entries. */

export const walletLabels = {
  alert: '🔔 Alert',
  export: '📄 Export',
  lookFurther: 'Look further ▶',
  lookFurtherBack: '◀ Look further',
} as const

export const filterLabels: Record<EntryFilter, string> = {
  all: 'All',
  debits: 'Debits',
  credits: 'Credits',
  unexplained: '⚠️ Unexplained',
}
export const chosen = (label: string) => `✓ ${label}`

/** So many orders of the usual bundle. */
export interface GoodFor {
  count: number
  network: string
  volume: string
}
const goodForWords = ({ count, network, volume }: GoodFor): string =>
  count === 0
    ? `Not enough for one ${bundleName(network, volume)}, what is ordered here most.`
    : `Good for ${b(`${count} × ${bundleName(network, volume)}`)}, what is ordered here most.`

export const balance = (options: {
  balance: Pesewas
  accountType: string | null
  at: Date
  held: Held
  /** Failed orders whose money is to come back. */
  refunds: { orders: number; pesewas: Pesewas }
  goodFor: GoodFor | null
  level: Pesewas | null
  now: Date
}) => {
  const { held, refunds, goodFor, level } = options
  const left = (options.balance - held.waiting.pesewas) as Pesewas
  return lines(
    `💰 Balance: ${b(formatGhs(options.balance))}`,
    `${options.accountType ? `Account type: ${foreignWord(options.accountType)} · ` : ''}read ${when(options.at, options.now)}`,
    '',
    held.waiting.orders > 0
      ? `⏳ ${counted(held.waiting.orders, 'order waits', 'orders wait')} to be sent: ${formatGhs(held.waiting.pesewas)} will still go off. Left then: ${b(formatGhs(left))}${left < 0 ? ', so not all of them can be sent' : ''}.`
      : null,
    held.uncertain.orders > 0
      ? `❓ ${counted(held.uncertain.orders, 'order has', 'orders have')} no answer yet: ${formatGhs(held.uncertain.pesewas)} may have gone off already, or may still.`
      : null,
    refunds.orders > 0
      ? `↩️ ${counted(refunds.orders, 'order', 'orders')} failed: ${formatGhs(refunds.pesewas)} should come back.`
      : null,
    goodFor ? goodForWords(goodFor) : null,
    level === null
      ? '🔕 No alert is set: press Alert to be told when the balance gets low.'
      : `🔔 You are told when it goes below ${formatGhs(level)}.`,
  )
}

export const ownersOnly = 'That is for the owner of the account.'

// ── The alert ──────────────────────────────────────────────────────────────────────────────────────────────────

export const lowBalance = (options: { balance: Pesewas; level: Pesewas; goodFor: GoodFor | null }) =>
  lines(
    `⚠️ ${b(`The balance is low: ${formatGhs(options.balance)}`)}`,
    `It has gone below ${formatGhs(options.level)}, where you asked to be told.`,
    options.goodFor ? goodForWords(options.goodFor) : null,
    '',
    'Top up the wallet at the provider before the next orders are refused. This is told once; after a top-up it is watched anew.',
  )

// ── Entries ────────────────────────────────────────────────────────────────────────────────────────────────────

const headings: Record<EntryFilter, string> = {
  all: 'Wallet entries',
  debits: 'Wallet entries: debits',
  credits: 'Wallet entries: credits',
  unexplained: 'Debits that no order explains',
}

const nothingFound: Record<EntryFilter, string> = {
  all: 'No entries yet. An order’s charge shows here, and each top-up.',
  debits: 'No debits.',
  credits: 'No credits.',
  unexplained: '✅ None: every debit belongs to an order here.',
}

const unexplainedNote =
  'They were ordered elsewhere with your key, or by this bot before it was restored from a backup. Send a reference to see what became of it. You know none of it? Make a new key in the provider’s dashboard, then /connect.'

interface EntriesScreen {
  filter: EntryFilter
  lines: string[]
  isFirst: boolean
  /** The entries are to be looked through further: so many were read, back to then; with what stopped it. */
  cutShort: { waitMs: number | null } | null
  unreadable: number
  hasUnexplained: boolean
}

export const entries = (screen: EntriesScreen) =>
  lines(
    b(headings[screen.filter]),
    screen.lines.length > 0 ? `\n${screen.lines.join('\n\n')}\n` : nothingHere(screen),
    screen.hasUnexplained ? unexplainedNote : null,
    screen.unreadable > 0
      ? `${counted(screen.unreadable, 'entry', 'entries')} could not be read and ${screen.unreadable === 1 ? 'is' : 'are'} missing here.`
      : null,
    screen.cutShort ? cutShortWords(screen) : null,
  )

const nothingHere = ({ filter, cutShort, isFirst }: EntriesScreen): string | null => {
  if (cutShort) return null
  return isFirst ? nothingFound[filter] : 'No more.'
}

const cutShortWords = ({ cutShort, lines: found }: EntriesScreen): string => {
  const soFar = found.length > 0 ? 'No more so far' : 'Nothing so far'
  return cutShort?.waitMs == null
    ? `${soFar}. There are more entries: press Look further.`
    : `${soFar}. The provider’s request limit is reached: press Look further in ${duration(cutShort.waitMs)}.`
}

/** Short enough that a screen of eight with its notes stays one message. @param name of the saved customer. */
export const entryLine = (
  { entry, by }: ExplainedEntry,
  options: { index: number | null; name: string | null; now: Date },
) => {
  const at = entry.createdAt ? ` · ${when(entry.createdAt, options.now)}` : ''
  const after = entry.balanceAfterPesewas === null ? '' : ` · balance ${formatGhs(entry.balanceAfterPesewas)}`
  return lines(
    `${options.index === null ? '' : `${options.index}. `}${markOf(entry.type, by)} ${b(formatGhs(entry.amountPesewas))}${at}${after}`,
    by.kind === 'order' ? orderWords(by.order, options.name) : null,
    by.kind !== 'order' && entry.description ? escapeHtml(oneLine(entry.description, 140)) : null,
    by.kind === 'nothing' ? 'no order here explains it' : null,
    by.kind === 'maybe' ? maybeWords(by.orders, options.now) : null,
    entry.reference ? code(entry.reference) : null,
  )
}

const markOf = (type: string, by: Explanation): string => {
  if (by.kind === 'nothing') return '⚠️'
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
  return `may be your order of ${times.join(' or ')}${orders.length > 3 ? ' …' : ''}, which had no answer`
}

export const entriesName = 'the wallet entries'
export const balanceName = 'the balance'
