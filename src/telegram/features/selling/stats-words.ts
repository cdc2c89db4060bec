import type { StatsPicture } from '../../../pictures/stats.ts'
import { formatGhs, type Pesewas, pesewas } from '../../../provider/money.ts'
import type { StatsPeriod } from '../../../shop/stats-period.ts'
import type { NetworkTally, Tallies, Tally } from '../../../shop/tally.ts'
import type { TallySpan } from '../../../store/shop/tallies.ts'
import {
  amount,
  finishedOf,
  finishedWords,
  isOnlyMaybe,
  ordersLine,
  type StatsView,
  saleLines,
  spendLines,
} from '../../cards/words/summary.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { day, duration, plainClock } from '../../chat/time.ts'
import { orderHint } from '../../words/hints.ts'
import { chosenLabel } from '../../words/labels.ts'
import { b, counted, grouped } from '../../words/markup.ts'
import { pictureTitle } from './words.ts'

const periodNames: Record<StatsPeriod, string> = {
  today: 'Today',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

const periodLabels: Record<StatsPeriod, string> = { today: 'Today', week: '7 days', month: '30 days' }

/** The label of a period's button. The period that is shown is marked. */
export const periodLabel = (period: StatsPeriod, shown: StatsPeriod): string =>
  chosenLabel(periodLabels[period], period === shown)

export const noStats = ({ role, period, spans }: StatsView): string =>
  [
    `📊 ${b(periodNames[period])} · ${datesOf(spans)}`,
    '',
    `${role === 'owner' ? 'No orders' : 'You have no orders'} in this period.`,
    orderHint,
  ].join('\n')

/** The statistics as a text, which says what the picture shows. */
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

/** How many networks the text names. A caption has little room, and few people sell on more networks. */
const maxNetworks = 4

const networkLines = (networks: readonly NetworkTally[]): string[] => {
  const lines = networks
    .slice(0, maxNetworks)
    .map(
      (network) =>
        `${b(escapeHtml(oneLine(network.network, 20)))}: ${finishedWords(network)}${timeWords(network)}`,
    )
  const more = networks.length - lines.length
  return more > 0 ? [...lines, `… and ${counted(more, 'more network', 'more networks')}`] : lines
}

const timeWords = ({ medianSeconds }: NetworkTally): string =>
  medianSeconds === null ? '' : ` · usual time ${duration(medianSeconds * 1000)}`

/** The statistics as a picture, whose words are plain text. */
export const statsPictureOf = (
  { role, prices, shop, period, spans }: StatsView,
  { parts, total }: Tallies,
): StatsPicture => {
  const hasProfit = role === 'owner' && isPriced(total)
  return {
    title: role === 'owner' ? pictureTitle(shop, 'Your sales') : 'Your orders',
    subtitle: `${periodNames[period]} · ${datesOf(spans)}`,
    figures: figuresOf({ role, prices }, total),
    chart: {
      title: `${prices === 'none' ? 'Finished orders' : 'GHS'} per ${period === 'today' ? 'hour' : 'day'}`,
      series: [
        { label: role === 'owner' ? 'Spent' : prices === 'none' ? 'Finished' : 'Cost', colour: 'spend' },
        ...(hasProfit ? [{ label: 'Profit', colour: 'profit' } as const] : []),
      ],
      groups: parts.map((part, index) => ({
        label: groupLabel(period, spans[index] ?? spans[0]),
        values: [
          prices === 'none' ? pesewas(finishedOf(part) * 100) : part.spentPesewas,
          ...(hasProfit ? [part.profitPesewas] : []),
        ],
      })),
    },
    networks: {
      title: 'Delivered and usual time',
      rows: total.networks.map(({ network, delivered, medianSeconds }) => ({
        network: oneLine(network),
        delivered,
        value: String(delivered),
        time: medianSeconds === null ? '' : duration(medianSeconds * 1000),
      })),
    },
  }
}

/** Whether there is a profit to show, because at least one delivered order had a selling price. */
const isPriced = ({ delivered, unpriced }: Tally): boolean => delivered > unpriced

const profitFigure = (total: Tally): StatsPicture['figures'][number] => {
  if (!isPriced(total))
    return { label: 'Profit', value: total.delivered > 0 ? 'Set prices' : '–', tone: 'plain' }
  const { profitPesewas, delivered, unpriced } = total
  const word = profitPesewas < 0 ? 'Loss' : 'Profit'
  return {
    label: unpriced > 0 ? `${word} on ${grouped(delivered - unpriced)} of ${grouped(delivered)} sales` : word,
    value: formatGhs(amount(profitPesewas)),
    tone: profitTone(profitPesewas),
  }
}

/** Whether to offer a button for setting prices below the statistics. */
export const lacksPrices = ({ role }: Pick<StatsView, 'role'>, { total }: Tallies): boolean =>
  role === 'owner' && total.delivered > 0 && !isPriced(total)

const figuresOf = (
  { role, prices }: Pick<StatsView, 'role' | 'prices'>,
  total: Tally,
): StatsPicture['figures'] => {
  const { delivered, failed, maybePesewas } = total
  const spent = isOnlyMaybe(total) ? '–' : formatGhs(total.spentPesewas)
  const finished = finishedOf(total)
  const share = Math.floor((100 * delivered) / Math.max(1, finished))
  const counts: StatsPicture['figures'] = [
    { label: 'Finished', value: String(finished), tone: 'plain' },
    { label: 'Delivered', value: delivered > 0 ? `${grouped(delivered)} · ${share}%` : '0', tone: 'plain' },
  ]
  const maybe: StatsPicture['figures'] =
    maybePesewas > 0 && prices !== 'none'
      ? [{ label: 'Maybe charged', value: formatGhs(maybePesewas), tone: 'plain' }]
      : []
  return role === 'owner'
    ? [...counts, { label: 'Spent', value: spent, tone: 'plain' }, profitFigure(total), ...maybe]
    : [
        ...counts,
        { label: 'Failed', value: String(failed), tone: 'plain' },
        ...(prices === 'none' ? [] : [{ label: 'Cost', value: spent, tone: 'plain' } as const]),
        ...maybe,
      ]
}

const profitTone = (profit: Pesewas): 'plain' | 'gain' | 'loss' => {
  if (profit === 0) return 'plain'
  return profit < 0 ? 'loss' : 'gain'
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const groupLabel = (period: StatsPeriod, { from }: TallySpan): string => {
  switch (period) {
    case 'today':
      return plainClock(from)
    case 'week':
      return weekdays[from.getUTCDay()] ?? ''
    case 'month':
      return day(from).replace(/ \d+$/, '')
  }
}

/** `21 Nov 2026`, `15 Nov – 21 Nov 2026` */
const datesOf = (spans: readonly [TallySpan, ...TallySpan[]]): string => {
  const last = spans.at(-1) ?? spans[0]
  const from = day(spans[0].from)
  const to = day(last.from)
  if (from === to) return to
  return from.slice(-4) === to.slice(-4) ? `${from.slice(0, -5)} – ${to}` : `${from} – ${to}`
}
