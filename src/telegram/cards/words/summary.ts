import type { AgentPrices } from '../../../domain/selling/price-rule.ts'
import { formatGhs, larger, minus, type Pesewas, zero } from '../../../provider/money.ts'
import type { StatsPeriod } from '../../../shop/stats-period.ts'
import { isUnseen, type Tally } from '../../../shop/tally.ts'
import type { TallySpan } from '../../../store/shop/tallies.ts'
import { maybeCharged } from '../../words/charge.ts'
import { b, counted, grouped, joined, lines } from '../../words/markup.ts'

/** The daily summary, and the lines that it shares with the statistics. */

/** Who reads the statistics, and for which period. */
export interface StatsView {
  role: 'owner' | 'agent'
  /** Which prices the reader sees. The tally is in these prices. */
  prices: AgentPrices
  shop: string | null
  period: StatsPeriod
  spans: readonly [TallySpan, ...TallySpan[]]
}

/** How many orders have ended and how, and how many have not. Each number counts as one order. */
export const ordersLine = (total: Tally): string =>
  lines(
    `Finished: ${b(grouped(finishedOf(total)))}${finishedOf(total) > 0 ? ` · ${finishedWords(total)}` : ''}`,
    openWords(total) && `Still open: ${openWords(total)}`,
  )

/** What the orders cost. Empty for an agent who sees no price of any of them. */
export const spendLines = ({ role, prices }: Pick<StatsView, 'role' | 'prices'>, tally: Tally): string[] => {
  if (prices === 'none' || isUnseen(tally)) return []
  const { spentPesewas, refundedPesewas, maybePesewas, unseen } = tally
  const refunded = refundedPesewas > 0 ? ` (after ${formatGhs(refundedPesewas)} in refunds)` : ''
  const left = unseen > 0 ? ` · not counting ${grouped(unseen)} without a price` : ''
  const spent = `${role === 'owner' ? 'Spent' : 'Cost'}: ${b(formatGhs(spentPesewas))}${refunded}${left}`
  return [
    ...(isOnlyMaybe(tally) && unseen === 0 ? [] : [spent]),
    ...(maybePesewas > 0 ? [`❓ ${maybeCharged(maybePesewas)}`] : []),
  ]
}

export const saleLines = ({ delivered, unpriced, salesPesewas, profitPesewas }: Tally): string[] => {
  if (delivered === 0) return []
  if (unpriced === delivered) {
    return ['No profit yet: these orders have no selling price. Set prices: /prices.']
  }
  const line = `Sold for: ${formatGhs(salesPesewas)} · ${profitWord(profitPesewas)} ${b(formatGhs(amount(profitPesewas)))}`
  return unpriced === 0
    ? [line]
    : [line, `Not counted: ${counted(unpriced, 'order', 'orders')} without a selling price.`]
}

const profitWord = (profit: Pesewas): string => (profit < 0 ? 'loss' : 'profit')

export const amount = (profit: Pesewas): Pesewas => larger(profit, minus(zero, profit))

type Counts = Pick<Tally, 'delivered' | 'failed' | 'open' | 'unconfirmed' | 'notKnown'>

export const finishedOf = ({ delivered, failed }: Counts): number => delivered + failed

export const finishedWords = ({ delivered, failed }: Counts): string =>
  joined(', ', `${grouped(delivered)} delivered`, failed > 0 ? `${grouped(failed)} failed` : null)

/** The orders that have not ended; null if there are none. */
const openWords = ({ open, unconfirmed, notKnown }: Counts): string | null =>
  joined(
    ', ',
    open > 0 ? `${grouped(open)} on the way` : null,
    unconfirmed > 0 ? `${grouped(unconfirmed)} unconfirmed` : null,
    notKnown > 0 ? `${grouped(notKnown)} not known` : null,
  ) || null

/** @param balance for owners only. Its `known` says when it was read, unless that was just now. */
export const summary = (options: {
  since: string
  tally: Tally
  isOwner: boolean
  /** Which prices the reader sees. The tally is in these prices. */
  prices: AgentPrices
  balance: { pesewas: Pesewas; known: string | null } | null
}) => {
  const { since, tally, isOwner, prices, balance } = options
  const left = balance
    ? `Balance: ${b(formatGhs(balance.pesewas))}${balance.known ? ` (as of ${balance.known})` : ''}`
    : null
  if (tally.ordered === 0) {
    return joined(' ', `📊 No orders since ${since}.`, left)
  }
  return lines(
    `📊 ${b('Your day')}, since ${since}`,
    '',
    ordersLine(tally),
    ...spendLines({ role: isOwner ? 'owner' : 'agent', prices }, tally),
    ...(isOwner && tally.unpriced < tally.delivered ? saleLines(tally) : []),
    left,
  )
}

/** Whether every known charge is only a possible one. Then `Spent: GHS 0.00` would claim too much. */
export const isOnlyMaybe = ({ maybePesewas, spentPesewas, refundedPesewas }: Tally): boolean =>
  maybePesewas > 0 && spentPesewas + refundedPesewas === 0
