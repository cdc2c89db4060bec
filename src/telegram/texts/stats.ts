import type { StatsPicture } from '../../pictures/stats.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { AgentPrices } from '../../shop/agent-prices.ts'
import type { Period } from '../../shop/period.ts'
import type { NetworkTally, Tallies, Tally } from '../../shop/tally.ts'
import type { Span } from '../../store/tallies.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { clock, day, duration } from '../time.ts'
import { b, joined } from './markup.ts'

/** The words of statistics: part of the catalogue. */

const periodNames: Record<Period, string> = {
  today: 'Today',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

const periodLabels: Record<Period, string> = { today: 'Today', week: '7 days', month: '30 days' }

/** Of a button; the period that is shown is marked. */
export const periodLabel = (period: Period, shown: Period): string =>
  period === shown ? `✓ ${periodLabels[period]}` : periodLabels[period]

/** Whose they are, and of when. */
export interface StatsView {
  role: 'owner' | 'agent'
  /** Which prices they see: the tally is in these. */
  prices: AgentPrices
  /** The shop's name. */
  shop: string | null
  period: Period
  spans: readonly [Span, ...Span[]]
}

export const noStats = ({ role, period, spans }: StatsView): string =>
  [
    `📊 ${b(periodNames[period])} · ${datesOf(spans)}`,
    '',
    `${role === 'owner' ? 'No orders' : 'No orders of yours'} in this time.`,
    'Send a number and a size, such as <code>0241234567 5GB</code>, and it shows here.',
  ].join('\n')

/** All that the picture shows, in words. */
export const stats = ({ role, prices, period, spans }: StatsView, { total }: Tallies): string =>
  [
    `📊 ${b(periodNames[period])} · ${datesOf(spans)}`,
    '',
    ordersLine(total),
    ...spendLines({ role, prices }, total),
    ...(role === 'owner' ? saleLines(total) : []),
    '',
    ...networkLines(total.networks),
  ].join('\n')

/** How many numbers something was ordered for, and how that ended: each of them is an order to who reads it. */
export const ordersLine = (total: Tally): string =>
  `Orders: ${b(String(total.ordered))} · ${countWords(total)}`

/** Nothing for an agent who sees no price of any of it. */
export const spendLines = (
  { role, prices }: Pick<StatsView, 'role' | 'prices'>,
  { spentPesewas, refundedPesewas, unseen }: Tally,
): string[] => {
  if (prices === 'none' || (unseen > 0 && spentPesewas + refundedPesewas === 0)) return []
  const refunded = refundedPesewas > 0 ? ` (after ${formatGhs(refundedPesewas)} refunded)` : ''
  const left = unseen > 0 ? ` · ${unseen} without a price not counted` : ''
  return [`${role === 'owner' ? 'Spent' : 'Cost'}: ${b(formatGhs(spentPesewas))}${refunded}${left}`]
}

export const saleLines = ({ delivered, unpriced, salesPesewas, profitPesewas }: Tally): string[] => {
  if (delivered === 0) return []
  if (unpriced === delivered) {
    return [
      'None of these had a selling price. Set yours with /prices: what you order from then on shows what you earn.',
    ]
  }
  const line = `Sold for: ${formatGhs(salesPesewas)} · ${profitWord(profitPesewas)} ${b(formatGhs(amount(profitPesewas)))}`
  return unpriced === 0 ? [line] : [line, `${unpriced} delivered without a selling price: not in these two.`]
}

const profitWord = (profit: Pesewas): string => (profit < 0 ? 'loss' : 'profit')
const amount = (profit: Pesewas): Pesewas => Math.abs(profit) as Pesewas

const countWords = ({ delivered, failed, open, notKnown }: Omit<Tally, 'networks'> | NetworkTally): string =>
  joined(
    ', ',
    `${delivered} delivered`,
    failed > 0 ? `${failed} failed` : null,
    open > 0 ? `${open} on the way` : null,
    notKnown > 0 ? `${notKnown} not known` : null,
  )

/** A caption has little room; nobody sells on more. */
const mostNetworks = 6

const networkLines = (networks: readonly NetworkTally[]): string[] => {
  const lines = networks
    .slice(0, mostNetworks)
    .map((network) => `${b(foreignWord(network.network))}: ${countWords(network)}${timeWords(network)}`)
  const more = networks.length - lines.length
  return more > 0 ? [...lines, `and ${more} more networks`] : lines
}

const timeWords = ({ medianSeconds }: NetworkTally): string =>
  medianSeconds === null ? '' : ` · usually in ${duration(medianSeconds * 1000)}`

/** The same in the words of the picture, which are plain text. */
export const statsPictureOf = (
  { role, prices, shop, period, spans }: StatsView,
  { parts, total }: Tallies,
): StatsPicture => ({
  title: role === 'owner' ? (shop ?? 'Your sales') : 'Your orders',
  subtitle: `${periodNames[period]} · ${datesOf(spans)}`,
  figures: figuresOf({ role, prices }, total),
  chart: {
    title: `${prices === 'none' ? 'Orders' : 'GHS'} per ${period === 'today' ? 'hour' : 'day'}`,
    series: [
      { label: role === 'owner' ? 'Spent' : prices === 'none' ? 'Orders' : 'Cost', colour: 'spend' },
      ...(role === 'owner' ? [{ label: 'Profit', colour: 'profit' } as const] : []),
    ],
    groups: parts.map(({ spentPesewas, profitPesewas, ordered }, index) => ({
      label: groupLabel(period, spans[index] ?? spans[0]),
      values:
        role === 'owner'
          ? [spentPesewas, profitPesewas]
          : [prices === 'none' ? ((ordered * 100) as Pesewas) : spentPesewas],
    })),
  },
  networks: {
    title: 'Delivered, and the usual time',
    rows: total.networks.map(({ network, delivered, medianSeconds }) => ({
      network: oneLine(network),
      delivered,
      value: String(delivered),
      time: medianSeconds === null ? '' : duration(medianSeconds * 1000),
    })),
  },
})

const figuresOf = (
  { role, prices }: Pick<StatsView, 'role' | 'prices'>,
  total: Tally,
): StatsPicture['figures'] => {
  const { ordered, delivered, failed, spentPesewas, profitPesewas } = total
  const share = Math.floor((100 * delivered) / Math.max(1, ordered))
  const counts: StatsPicture['figures'] = [
    { label: 'Orders', value: String(ordered), tone: 'plain' },
    { label: 'Delivered', value: delivered > 0 ? `${delivered} · ${share}%` : '0', tone: 'plain' },
  ]
  return role === 'owner'
    ? [
        ...counts,
        { label: 'Spent', value: formatGhs(spentPesewas), tone: 'plain' },
        {
          label: profitPesewas < 0 ? 'Loss' : 'Profit',
          value: formatGhs(amount(profitPesewas)),
          tone: profitTone(profitPesewas),
        },
      ]
    : [
        ...counts,
        { label: 'Failed', value: String(failed), tone: 'plain' },
        ...(prices === 'none'
          ? []
          : [{ label: 'Cost', value: formatGhs(spentPesewas), tone: 'plain' } as const]),
      ]
}

const profitTone = (profit: Pesewas): 'plain' | 'gain' | 'loss' => {
  if (profit === 0) return 'plain'
  return profit < 0 ? 'loss' : 'gain'
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const groupLabel = (period: Period, { from }: Span): string => {
  switch (period) {
    case 'today':
      return clock(from)
    case 'week':
      return weekdays[from.getUTCDay()] ?? ''
    case 'month':
      return day(from).replace(/ \d+$/, '')
  }
}

/** `21 Nov 2026`, `15 Nov – 21 Nov 2026` */
const datesOf = (spans: readonly [Span, ...Span[]]): string => {
  const last = spans.at(-1) ?? spans[0]
  const from = day(spans[0].from)
  const to = day(last.from)
  if (from === to) return to
  return from.slice(-4) === to.slice(-4) ? `${from.slice(0, -5)} – ${to}` : `${from} – ${to}`
}
