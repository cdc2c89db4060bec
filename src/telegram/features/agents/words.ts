import type { AgentPrices } from '../../../domain/selling/price-rule.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import type { AgentNotifyLevel } from '../../../store/accounts/accounts.ts'
import { limitWords } from '../../cards/words/team.ts'
import { oneLine } from '../../chat/screen.ts'
import { clock, when } from '../../chat/time.ts'
import { agentName, cancelledWords, networkWords, openWords, waitingWords } from '../../words/agent.ts'
import { b, code, counted, joined as inOneLine, lines } from '../../words/markup.ts'

/** Texts for owners about the people who order on their wallet. */

export const limitLabel = (pesewas: Pesewas, isNow: boolean) =>
  `${isNow ? '✓ ' : ''}GHS ${(pesewas / 100).toFixed(0)}`

export const chosenLabel = (label: string, isNow: boolean) => `${isNow ? '✓ ' : ''}${label}`

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

/** How many open invitations the list names. */
const maxNamed = 10

/** How many agents the list names. */
export const maxAgents = 30

export const agents = (
  owners: string | null,
  team: readonly AgentLine[],
  open: readonly { expiresAt: Date }[],
) =>
  lines(
    owners,
    b('Agents'),
    team.length === 0
      ? 'Nobody yet. Agents order in their own chats and your wallet pays. They never see your key, balance or orders. I only warn them if a number just got the same bundle.'
      : null,
    ...team.slice(0, maxAgents).map(agentLine),
    team.length > maxAgents ? `… and ${team.length - maxAgents} more` : null,
    open.length === 0 ? null : `\n${b('Open invitations')}`,
    ...open.slice(0, maxNamed).map(({ expiresAt }, index) => `${index + 1}. good until ${clock(expiresAt)}`),
    open.length > maxNamed ? `… and ${open.length - maxNamed} more` : null,
    team.length > 0
      ? '\nPress a name to set a limit, pause or remove.'
      : open.length > 0
        ? '\nI’ll tell you who accepts. Revoke ends a link.'
        : '\nPress Invite to get a link for them.',
  )

/** How much of the limit today's orders use. `maybePesewas` is the part that may not have been charged. */
interface SpentToday {
  pesewas: Pesewas
  maybePesewas: Pesewas
}

interface AgentLine {
  name: string | null
  isPaused: boolean
  spent: SpentToday
  limitPesewas: Pesewas | null
}

const agentLine = ({ name, isPaused, spent, limitPesewas }: AgentLine): string =>
  `${isPaused ? '⏸' : '👤'} ${agentName(name)}${isPaused ? ' (paused)' : ''} · today ${formatGhs(spent.pesewas)}${limitPesewas === null ? ', no limit' : ` of ${formatGhs(limitPesewas)}`}${spent.maybePesewas > 0 ? ` (${formatGhs(spent.maybePesewas)} maybe)` : ''}`

const maybeOf = ({ maybePesewas }: SpentToday): string =>
  maybePesewas > 0 ? ` · ${formatGhs(maybePesewas)} of it maybe charged` : ''

export const agent = (options: {
  name: string | null
  since: Date
  pausedAt: Date | null
  spent: SpentToday
  /** Which prices the agent sees. Their limit is counted in these prices. */
  prices: AgentPrices
  limitPesewas: Pesewas | null
  networks: readonly string[] | null
  told: AgentNotifyLevel
  now: Date
}) =>
  lines(
    `👤 ${b(agentName(options.name))}`,
    `Agent since ${when(options.since, options.now)}`,
    options.pausedAt ? `⏸ ${b('Paused')} since ${when(options.pausedAt, options.now)}: can’t order` : null,
    '',
    `Today: ${b(formatGhs(options.spent.pesewas))}${countedWords[options.prices]}${maybeOf(options.spent)}`,
    `Limit a day: ${b(limitWords(options.limitPesewas))}`,
    `Networks: ${networkWords(options.networks)}`,
    `I tell you: ${toldWords[options.told]}`,
  )

/** Says in which prices an agent's daily spending is counted; empty for what the wallet pays. */
const countedWords: Record<AgentPrices, string> = {
  selling: ' at your selling prices, where set',
  cost: '',
  none: '',
}

export const askLimit = (name: string | null, limit: Pesewas | null) =>
  [
    `${b('Limit a day')} for ${agentName(name)}: ${limitWords(limit)}. It starts again at midnight in Ghana.`,
    'It counts the prices they see, without failed or refunded orders.',
    '',
    'Press one, or send an amount in GHS, for example <code>150</code>.',
  ].join('\n')

export const notALimit = (written: string) =>
  `${code(written, 40)} is not an amount. Send GHS, for example <code>150</code> or <code>75.50</code>, or press a button above.`

export const networksOf = (name: string | null, networks: readonly string[] | null) =>
  [
    `${b('Networks')} for ${agentName(name)}`,
    `Now: ${networkWords(networks)}.`,
    'Press a network to allow or stop it.',
  ].join('\n')

export const askTold = (name: string | null, told: AgentNotifyLevel) =>
  [
    `What shall I tell you of ${b(agentName(name))}’s orders?`,
    `Now: ${toldWords[told]}.`,
    '',
    `${b(toldLabels.nothing)}: see them in /orders.`,
    `${b(toldLabels.problems)}: failed, unconfirmed, charged late or refunded.`,
    `${b(toldLabels.ends)}: problems and deliveries.`,
    `${b(toldLabels.each)}: all that, and each order placed.`,
    'A list is one message.',
  ].join('\n')

export const askRemove = (name: string | null, waiting: number, open: number) =>
  lines(
    b(`Remove ${agentName(name)}?`),
    'They can’t order on your wallet from now on.',
    inOneLine(
      ' ',
      waitingWords(waiting),
      open > 0
        ? `${counted(open, 'order is', 'orders are')} not finished. I’ll tell you how ${open === 1 ? 'it ends' : 'they end'}.`
        : null,
    ) || null,
  )

export const removed = (name: string | null, cancelled: number, open: number) =>
  lines(
    `🗑 ${b(agentName(name))} is removed and can’t order on your wallet any more.`,
    cancelledWords(cancelled),
    openWords(open),
  )

export const paused =
  'Paused. They can’t place new orders, and I told them so. Orders confirmed before still go out.'

export const resumed = 'They can order again, and I told them so.'

export const limitSet = (limit: Pesewas | null) => `Limit a day: ${limitWords(limit)}`

export const toldSet = (told: AgentNotifyLevel) => `I tell you: ${toldWords[told]}`

export const noSuchAgent = 'They are no longer your agent.'

export const notForAgents = 'Only the account’s owner has agents.'

export const noAgentOrders = (name: string | null) => `${b(agentName(name))} has ordered nothing yet.`

export const agentOrders = (name: string | null, lines: string[], page: number) =>
  `${b(`Orders of ${agentName(name)}`)}${page > 0 ? ` · page ${page + 1}` : ''}\n\n${lines.join('\n')}\n\nPress a number to open one.`

// Which prices agents see.
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
    `${b(priceLabels.selling)}: what you set in /prices. A bundle without one shows no price.`,
    `${b(priceLabels.cost)}: the provider’s price, as you see it.`,
    `${b(priceLabels.none)}: they order without seeing prices.`,
    '',
    'This is for all agents. Their limit counts the prices they see, or what you pay if they see none.',
  ].join('\n')

const priceWords: Record<AgentPrices, string> = {
  selling: 'your selling prices',
  cost: 'what you pay',
  none: 'no prices',
}

export const openLabel = (index: number) => String(index)
