import type { AgentPrices, PriceRule } from '../../../domain/selling/price-rule.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import type { Tally } from '../../../shop/tally.ts'
import type { AgentNotifyLevel } from '../../../store/accounts/accounts.ts'
import { profitWords } from '../../cards/words/shop.ts'
import { limitWords } from '../../cards/words/team.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { agentName, cancelledWords, networkWords, openWords, waitingWords } from '../../words/agent.ts'
import { chosenLabel } from '../../words/labels.ts'
import { b, code, counted, grouped, joined as joinedBy, lines } from '../../words/markup.ts'
import { type PricedBundle, ruleWords } from '../selling/words.ts'

/** Texts for owners about the people who order with their wallet. */

export const limitLabel = (pesewas: Pesewas, isNow: boolean) =>
  chosenLabel(`GHS ${grouped(Math.round(pesewas / 100))}`, isNow)

export const networkLabel = (network: string, isAllowed: boolean) =>
  `${isAllowed ? '✅' : '⬜'} ${oneLine(network)}`

const toldWords: Record<AgentNotifyLevel, string> = {
  nothing: 'nothing',
  problems: 'problems only',
  ends: 'problems and deliveries',
  each: 'each order',
}

export const toldLabels: Record<AgentNotifyLevel, string> = {
  nothing: 'Nothing',
  problems: 'Problems',
  ends: 'Deliveries',
  each: 'Each order',
}

/**
 * A page of the agents. @param count how many agents there are in all. @param open how many invitations are open.
 */
export const agents = (
  owners: string | null,
  team: readonly Standing[],
  { count, open }: { count: number; open: number },
) =>
  lines(
    owners,
    b(count > team.length ? `Agents (${count})` : 'Agents'),
    count === 0
      ? 'Nobody yet. Agents order in their own chats and your wallet pays. They never see your key, balance or orders. They’re only warned if a number has just had the same bundle.'
      : null,
    ...team.map(standingLine),
    open === 0 ? null : `🎟 ${counted(open, 'invitation is', 'invitations are')} open.`,
    count === 0 && open === 0 ? '\nPress <b>Invite</b> to get a link you can send.' : null,
  )

export const others = b('More about agents')

/** How much of the limit today's orders use. `maybePesewas` is the part that may not have been charged. */
interface SpentToday {
  pesewas: Pesewas
  maybePesewas: Pesewas
}

/** What an agent has sold today, and how much of today's limit it used. */
export interface Standing {
  name: string | null
  isPaused: boolean
  spent: SpentToday
  limitPesewas: Pesewas | null
  sold: Sold
}

/** Delivered sales with a selling price, what they cost the wallet, and how many had no selling price. */
type Sold = Pick<Tally, 'delivered' | 'unpriced' | 'salesPesewas' | 'costPesewas' | 'profitPesewas'>

const standingLine = ({ name, isPaused, spent, limitPesewas, sold }: Standing): string =>
  `${isPaused ? '⏸' : '👤'} ${agentName(name)}${isPaused ? ' (paused)' : ''} · today ${usedOf(spent, limitPesewas)}${sold.salesPesewas > 0 ? ` · ${profitWords(sold.profitPesewas)}` : ''}`

const usedOf = (spent: SpentToday, limit: Pesewas | null): string =>
  `${formatGhs(spent.pesewas)}${limit === null ? ', no limit' : ` of ${formatGhs(limit)}`}${spent.maybePesewas > 0 ? ` (${formatGhs(spent.maybePesewas)} maybe charged)` : ''}`

const soldWords = ({ delivered, unpriced, salesPesewas, costPesewas, profitPesewas }: Sold): string =>
  `Sold today: ${
    joinedBy(
      ' · ',
      delivered > unpriced
        ? `${b(formatGhs(salesPesewas))} · cost ${formatGhs(costPesewas)} · ${profitWords(profitPesewas)}`
        : null,
      unpriced > 0 ? `${grouped(unpriced)} without a selling price` : null,
    ) || 'nothing yet'
  }`

export const agent = (
  options: Standing & {
    since: Date
    pausedAt: Date | null
    /** Which prices all agents see. */
    prices: AgentPrices
    /** The rule that makes this agent's prices instead. */
    rule: PriceRule | null
    networks: readonly string[] | null
    told: AgentNotifyLevel
    now: Date
  },
) =>
  lines(
    `👤 ${b(agentName(options.name))}`,
    `Agent since ${when(options.since, options.now)}`,
    options.pausedAt ? `⏸ ${b('Paused')} since ${when(options.pausedAt, options.now)}: can’t order` : null,
    '',
    soldWords(options.sold),
    `Used today: ${usedOf(options.spent, options.limitPesewas)}`,
    `Prices they see: ${seesWords(options.rule, options.prices)}`,
    `Networks: ${networkWords(options.networks)}`,
    `I tell you about: ${toldWords[options.told]}`,
  )

const seesWords = (rule: PriceRule | null, prices: AgentPrices): string =>
  rule === null ? `${prices === 'none' ? 'none' : priceWords[prices]} (same as all agents)` : ruleWords(rule)

export const more = (name: string | null, networks: readonly string[] | null, told: AgentNotifyLevel) =>
  [
    `👤 ${b(agentName(name))}`,
    `Networks: ${networkWords(networks)}`,
    `I tell you about: ${toldWords[told]}`,
  ].join('\n')

/** Asks which prices an agent sees. @param example a bundle in the prices of the agent's rule. */
export const askPrice = (
  name: string | null,
  rule: PriceRule | null,
  prices: AgentPrices,
  example: PricedBundle | null,
) =>
  lines(
    `${b('Prices')} for ${agentName(name)}: ${seesWords(rule, prices)}.`,
    example?.sellPesewas
      ? `${foreignWord(example.network)} ${foreignWord(example.name)} costs you ${formatGhs(example.costPesewas)}; they pay ${b(formatGhs(example.sellPesewas))}.`
      : null,
    'They’ll see only the price you set here, and it counts towards their limit.',
    '',
    'How much do you want to add to the cost? Press a button, or send <code>+2</code>, <code>10%</code> or <code>+2 round 0.50</code>.',
  )

export const priceSet = (rule: PriceRule | null) =>
  rule === null ? 'Saved: the same as all agents' : `Saved: ${ruleWords(rule)}`

export const askZero = (name: string | null) =>
  [
    `With a limit of GHS 0, ${agentName(name)} can’t order anything.`,
    'Pausing does the same and lets them know. Nothing has changed yet.',
  ].join('\n')

export const nothingToAsk = 'Your limit covers this now, or the order is gone. I didn’t ask the owner.'

export const askIsOver = 'You’ve already answered this, or it’s from an earlier day. Nothing was changed.'

export const keptLimit = 'The limit stays the same. I’ve told them.'

export const raisedLimit = (limit: Pesewas) => `Limit today: ${formatGhs(limit)}. I’ve told them.`

export const askLimit = (name: string | null, limit: Pesewas | null) =>
  [
    `${b('Daily limit')} for ${agentName(name)}: ${limitWords(limit)}. It resets at midnight, Ghana time.`,
    'It counts orders at the prices they see, except failed and refunded ones.',
    '',
    'Press a limit, or send an amount in GHS, for example <code>150</code>.',
  ].join('\n')

export const notALimit = (written: string) =>
  `${code(written, 40)} isn’t an amount. Send an amount in GHS, for example <code>150</code> or <code>75.50</code>, or press a button above.`

export const networksOf = (name: string | null, networks: readonly string[] | null) =>
  [
    `${b('Networks')} for ${agentName(name)}`,
    `Now: ${networkWords(networks)}.`,
    'Press a network to allow or block it.',
  ].join('\n')

export const askNotifyLevel = (name: string | null, told: AgentNotifyLevel) =>
  [
    `What should I tell you about ${b(agentName(name))}’s orders?`,
    `Now: ${toldWords[told]}.`,
    '',
    `${b(toldLabels.nothing)}: no messages. You can see their orders in /orders.`,
    `${b(toldLabels.problems)}: failed, unconfirmed, charged late or refunded.`,
    `${b(toldLabels.ends)}: problems and deliveries.`,
    `${b(toldLabels.each)}: all that, and each order placed.`,
    'You get one message for a whole list.',
  ].join('\n')

export const askRemove = (name: string | null, waiting: number, open: number) =>
  lines(
    b(`Remove ${agentName(name)}?`),
    'They’ll no longer be able to order with your wallet.',
    joinedBy(
      ' ',
      waitingWords(waiting),
      open > 0
        ? `${counted(open, 'order isn’t', 'orders aren’t')} finished. I’ll tell you what happens to ${open === 1 ? 'it' : 'them'}.`
        : null,
    ) || null,
  )

export const removed = (name: string | null, cancelled: number, open: number) =>
  lines(
    `🗑 ${b(agentName(name))} has been removed and can’t order with your wallet any more.`,
    cancelledWords(cancelled),
    openWords(open),
  )

export const paused =
  'Paused. They can’t place new orders, and I’ve told them. Orders already confirmed still go out.'

export const resumed = 'They can order again, and I’ve told them.'

export const limitSet = (limit: Pesewas | null) => `Daily limit: ${limitWords(limit)}`

export const notifyLevelSaved = (told: AgentNotifyLevel) => `I tell you about: ${toldWords[told]}`

export const noSuchAgent = 'They’re no longer your agent.'

export const notForAgents = 'Only the account’s owner can have agents.'

export const noAgentOrders = (name: string | null) => `${b(agentName(name))} hasn’t ordered anything yet.`

export const agentOrders = (name: string | null, lines: string[], page: number) =>
  `${b(`${agentName(name)}’s orders`)}${page > 0 ? ` · page ${page + 1}` : ''}\n\n${lines.join('\n')}\n\nPress a button below to open that order.`

export const priceLabels: Record<AgentPrices, string> = {
  selling: 'Your selling prices',
  cost: 'What you pay',
  none: 'No prices',
}

export const askPrices = (now: AgentPrices) =>
  [
    b('Which prices do agents see?'),
    `Now: ${priceWords[now]}.`,
    '',
    `${b(priceLabels.selling)}: what you set in /prices. A bundle without a selling price shows none.`,
    `${b(priceLabels.cost)}: the provider’s prices, as you see them.`,
    `${b(priceLabels.none)}: they order without seeing prices.`,
    '',
    'This applies to all agents without their own price. Their limits count the prices they see, or what you pay if they see none.',
  ].join('\n')

const priceWords: Record<AgentPrices, string> = {
  selling: 'your selling prices',
  cost: 'what you pay',
  none: 'no prices',
}

export const openLabel = (index: number) => String(index)
