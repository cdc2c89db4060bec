import type { Allowance, Denial } from '../../../domain/may-order.ts'
import { formatGhs, minus, type Pesewas } from '../../../provider/money.ts'
import { noRoom } from '../../chat/alerts/disk-words.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { cancelledWords, networkWords, waitingWords, walletOf } from '../../words/agent.ts'
import { orderHint } from '../../words/hints.ts'
import { b, joined, lines } from '../../words/markup.ts'
import { nothingNewToast } from './leaving.ts'
import { downToast, pausedToast } from './paused-or-down.ts'

/** What agents read about the wallet that they order on. */

export interface AgentPermissions {
  /** The name of the shop whose wallet it is. */
  shop: string | null
  isPaused: boolean
  networks: readonly string[] | null
  allowance: Allowance | null
}

export const orderNowPhrase = 'You can order now'

export const welcomeAgent = (agentPermissions: AgentPermissions) =>
  [
    `✅ ${orderNowPhrase}. ${capital(walletOf(agentPermissions.shop))} pays, and the owner sees your orders.`,
    ...mayLines(agentPermissions),
    '',
    orderHint,
  ].join('\n')

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** The news to an agent that they were paused or may order again. */
export const pausedOrResumed = (agentPermissions: AgentPermissions) =>
  agentPermissions.isPaused
    ? '⏸ You’re paused, so you can’t order now. Orders you’ve already confirmed still go out.'
    : ['▶️ You can order again.', ...mayLines(agentPermissions)].join('\n')

export const agentHome = (
  agentPermissions: AgentPermissions,
  account: { isRefused: boolean; eraseBy: Date | null; now: Date },
) =>
  lines(
    b('Bundlegram'),
    `${capital(walletOf(agentPermissions.shop))} pays for your orders.`,
    ...mayLines(agentPermissions),
    account.eraseBy
      ? `\nThe owner is removing this account, so you can’t order now. It’ll be erased by ${when(account.eraseBy, account.now)} at the latest.`
      : account.isRefused
        ? '\n⚠️ The provider isn’t accepting the owner’s key, so you can’t order now. Ask the owner to connect again.'
        : agentPermissions.isPaused
          ? null
          : `\n${orderHint}`,
  )

const mayLines = ({ isPaused, networks, allowance }: AgentPermissions): string[] => [
  ...(isPaused ? ['⏸ You’re paused, so you can’t order now. Ask the owner to resume you.'] : []),
  allowance === null ? 'Daily limit: none' : leftToday(allowance),
  ...(networks === null ? [] : [`Networks: ${networkWords(networks)}`]),
]

/**
 * What is left of today's limit. Agents who do not see the prices in which the limit is counted read only the limit.
 */
export const leftToday = ({ leftPesewas, limitPesewas, isSeen }: Allowance): string =>
  isSeen
    ? `Left today: ${b(formatGhs(leftPesewas))} of ${formatGhs(limitPesewas)}`
    : `Daily limit: ${formatGhs(limitPesewas)}. ${leftIsOwners}`

const leftIsOwners = 'Only the owner sees what’s left, because some prices are hidden from you.'

/** What an agent's draft says about their limit. */
export interface DraftLimit extends Allowance {
  /** Whether the draft costs more than is left. */
  isShort: boolean
  /** Whether the agent has asked the owner for more and has no answer yet. */
  isAsked: boolean
}

/** The lines about the limit on a draft's card. @param price as the agent sees it; null if they see none. */
export const leftForDraft = (limit: DraftLimit, price: Pesewas | null): string[] => {
  const { leftPesewas, isSeen, isShort, isAsked } = limit
  const over = !isSeen || price === null ? 'More' : `${formatGhs(minus(price, leftPesewas))} more`
  return [
    isSeen ? plainLeft(limit) : leftToday(limit),
    ...(isShort ? [`⚠️ ${over} than you have left today.`] : []),
    ...(isShort && isAsked ? [asked] : []),
  ]
}

export const asked = '🙋 I’ve asked the owner and will tell you the answer here.'

export const askedBefore = 'I’ve already asked. The owner hasn’t answered yet.'

/**
 * The owner's answer to an agent who asked for more.
 * @param raised today's new limit; null: the limit stays as it is.
 * @param isOpen whether the order can still be confirmed.
 */
export const answeredAsk = (raised: Pesewas | null, isOpen: boolean) =>
  raised === null
    ? 'The owner left your limit as it is. Nothing was ordered.'
    : `✅ Your limit today is ${b(formatGhs(raised))}. ${isOpen ? 'You can confirm your order now.' : 'Your order is no longer open: send it again.'}`

export const showOrder = '🧾 Open order'

const plainLeft = ({ leftPesewas, limitPesewas }: Allowance): string =>
  `Left today: ${formatGhs(leftPesewas)} of ${formatGhs(limitPesewas)}`

/** Shown to an agent who sees no price. */
export const noPrice = 'Price: – (ask the owner)'

/** The line on a draft's card for a network that the agent may not order on. */
export const barredForDraft = (network: string, allowed: readonly string[]): string =>
  `⚠️ ${escapeHtml(mayNot(network, allowed))} Ask the owner to allow it, or cancel.`

const mayNot = (network: string, allowed: readonly string[]): string =>
  `You can’t order ${oneLine(network, 20)}. ${allowedWords(allowed)}`

/** The answer to a press that orders on a forbidden network. Plain text of at most 200 characters. */
export const notAllowed = (network: string, allowed: readonly string[]): string =>
  `${mayNot(network, allowed)} Ask the owner to allow ${oneLine(network, 20)}.`

/** The answer to a paused agent who starts an order. */
export const pausedNow =
  '⏸ You’re paused, so nothing new was ordered. Ask the owner to resume you. I’ll tell you here when you can order again.'

/** Why a press did not order. Plain text of at most 200 characters. */
export const denied = (denial: Denial, now: Date): string => {
  switch (denial.kind) {
    case 'maintenance':
      return pausedToast(denial, now)
    case 'no_room':
      return noRoom
    case 'network_down':
      return downToast(denial.network)
    case 'closing':
      return nothingNewToast
    case 'removed':
      return removedToast
    case 'paused':
      return 'You’re paused. Nothing new was ordered. Ask the owner to resume you, then press Confirm again.'
    case 'network':
      return `${mayNot(denial.network, denial.allowed)} Nothing new was ordered.`
    case 'limit':
      if (!denial.isSeen || !denial.isNeedSeen)
        return `That’s more than what’s left of your daily limit of ${formatGhs(denial.limitPesewas)}. Nothing new was ordered. Ask the owner for more.`
      return `This costs ${formatGhs(denial.neededPesewas)}. You have ${formatGhs(denial.leftPesewas)} left of ${formatGhs(denial.limitPesewas)} today. Nothing new was ordered. Ask the owner for more.`
  }
}

const allowedWords = (allowed: readonly string[]): string =>
  allowed.length === 0
    ? 'The owner hasn’t allowed any networks.'
    : oneLine(`Allowed: ${allowed.map((network) => oneLine(network, 15)).join(', ')}.`, 100)

const removedToast = 'You can no longer order with this wallet. Nothing new was ordered.'

export const agentBalance = ({ shop, isPaused, networks, allowance }: AgentPermissions) =>
  lines(
    ...mayLines({ shop, isPaused, networks, allowance }),
    allowance === null ? null : 'The limit resets at midnight. Failed and refunded orders don’t count.',
    'Only the owner sees the wallet’s balance.',
  )

export const ownerJudges = 'The owner can check whether it was charged, and decide.'

/** The news of a charge that may be for an agent's order. Agents see no wallet entries. */
export const doubtForAgent = (what: string, whom: string) =>
  `🔎 ${what} for ${whom}: I can’t tell yet if the wallet was charged. Don’t order it again. The owner can check the wallet and decide.`

export const askResign = (shop: string | null, waiting: number, open: number) =>
  lines(
    b('Stop ordering with this wallet?'),
    `${capital(walletOf(shop))} pays for your orders. To come back, you’ll need a new invitation. Until then, you won’t be able to open these orders or your saved numbers: export them first.`,
    joined(
      ' ',
      waitingWords(waiting),
      open > 0 ? 'I’ll still tell you and the owner what happens to open orders.' : null,
    ) || null,
  )

export const resigned = (cancelled: number, open: number) =>
  lines(
    'You can no longer order with that wallet. I’ve told the owner.',
    joined(
      ' ',
      cancelledWords(cancelled),
      open > 0 ? 'I’ll still tell you what happens to open orders.' : null,
    ) || null,
  )

export const dismissed = (cancelled: number, open: number) =>
  lines(
    'The owner has removed you, so you can no longer order with their wallet, or open the orders you made with it and your saved numbers.',
    joined(
      ' ',
      cancelledWords(cancelled),
      open > 0 ? 'I’ll still tell you what happens to open orders.' : null,
    ) || null,
    'To order with your own wallet, /connect.',
  )

/** The text above the question for the API key. */
export const connectAsAgent = (shop: string | null) =>
  `${capital(walletOf(shop))} pays for your orders. If you connect your own account, you’ll lose access to that wallet.`
