import type { Allowance, Hindrance } from '../../orders/allowance.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { AgentPrices } from '../../shop/agent-prices.ts'
import type { Told } from '../../store/accounts.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import { clock, when } from '../time.ts'
import { noRoom } from './disk.ts'
import { pausedToast } from './maintenance.ts'
import { b, code, lines } from './markup.ts'
import { downToast } from './network.ts'

/** The words about agents: people who order on an owner's wallet. */

export const agentLabels = {
  invite: '✉️ Invite',
  inviteAgain: '✉️ Invite again',
  limit: '💵 Limit',
  networks: '📶 Networks',
  prices: '🏷 What agents see',
  pause: '⏸ Pause',
  resume: '▶️ Resume',
  tell: '🔔 Tell me',
  orders: '🧾 Orders',
  remove: '🗑 Remove',
  removeSure: '🗑 Remove now',
  keep: 'Keep',
  noLimit: 'No limit',
  all: '👥 All agents',
  forward: '📨 Send it',
  revoke: '✖️ Revoke',
  revokeAll: '✖️ Revoke all',
  join: 'Join',
  stay: 'Stay',
} as const

/** Commands that mean something else to agents than to owners; null: they have nothing of it. Plain text. */
export const agentMenu: Partial<Record<string, string | null>> = {
  connect: 'Connect an account of your own',
  bundles: 'What you can order, with your prices',
  prices: 'The shop’s price list to post',
  stats: 'How your orders went',
  balance: 'What is left of your limit today',
  transactions: null,
  export: 'Your orders as a file',
  disconnect: 'Stop ordering on the owner’s wallet',
}

// Labels of buttons are plain text.
export const agentLabel = (name: string | null, isPaused: boolean) =>
  `${isPaused ? '⏸ ' : '👤 '}${oneLine(name ?? '', 28) || 'Agent'}`
export const limitLabel = (pesewas: Pesewas, isNow: boolean) =>
  `${isNow ? '✓ ' : ''}GHS ${(pesewas / 100).toFixed(0)}`
export const chosenLabel = (label: string, isNow: boolean) => `${isNow ? '✓ ' : ''}${label}`
export const networkLabel = (network: string, isAllowed: boolean) =>
  `${isAllowed ? '✅' : '⬜'} ${oneLine(network)}`
/** The n-th open invitation. */
export const revokeLabel = (index: number) => `Revoke ${index}`
export const openLabel = (index: number) => String(index)

const toldWords: Record<Told, string> = {
  nothing: 'nothing',
  problems: 'problems only',
  ends: 'problems and deliveries',
  each: 'each order',
}
export const toldLabels: Record<Told, string> = {
  nothing: 'Nothing',
  problems: 'Problems',
  ends: 'Ends',
  each: 'Each order',
}

/** An agent's name as Telegram told it. */
export const agentName = (name: string | null): string => foreignWord(name ?? '') || 'An agent'

const limitWords = (limit: Pesewas | null): string => (limit === null ? 'no limit' : formatGhs(limit))
const networkWords = (networks: readonly string[] | null): string => {
  if (networks === null) return 'all'
  return networks.length === 0 ? 'none: nothing can be ordered' : networks.map(foreignWord).join(', ')
}

// ── What an owner sees ─────────────────────────────────────────────────────────────────────────────────────────

interface AgentLine {
  name: string | null
  isPaused: boolean
  spentPesewas: Pesewas
  limitPesewas: Pesewas | null
}

/** The most open invitations that the list names. */
const mostNamed = 10

/** The most agents that the list names. */
export const mostAgents = 30

/** The most owners that the list names. */
export const mostOwners = 10

/** Who else can do all that the owner can; null where nobody else can. */
export const owners = (
  all: readonly { userId: number; name: string | null; createdAt: Date }[],
  viewerId: number,
  now: Date,
): string | null =>
  all.length < 2
    ? null
    : lines(
        b('Owners'),
        ...all
          .slice(0, mostOwners)
          .map(
            (each) =>
              `🔑 ${each.userId === viewerId ? 'You' : someone(each)} · since ${when(each.createdAt, now)}`,
          ),
        all.length > mostOwners ? `… and ${all.length - mostOwners} more` : null,
        '',
      )

/** Somebody by name and Telegram id: a name alone is anybody's. */
export const someone = ({ userId, name }: { userId: number; name: string | null }): string =>
  `${b(foreignWord(name ?? '') || 'Somebody')} (Telegram id ${code(String(userId))})`

export const removeOwnerLabel = ({ name, userId }: { userId: number; name: string | null }) =>
  `🗑 Remove ${oneLine(name ?? '', 20) || userId}`

export const askRemoveOwner = (who: { userId: number; name: string | null }) =>
  [
    `Remove ${someone(who)} as an owner?`,
    'What they have waiting is cancelled, and agents whom they invited are paused until you resume them.',
    'They know the key and can connect again. To keep them out, make a new key in the provider’s dashboard and /connect with it.',
  ].join('\n')

export const ownerRemoved = (
  who: { userId: number; name: string | null },
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🗑 ${someone(who)} is not an owner any more.`,
    cancelledWords(cancelled),
    pausedWords(paused),
    'They know the key: make a new one in the provider’s dashboard and /connect with it to keep them out.',
  )
export const noSuchOwner = 'They are no owner any more, or were one before you. Nothing was changed.'

const pausedWords = (paused: readonly { name: string | null }[]): string | null =>
  paused.length === 0
    ? null
    : `⏸ Paused until you resume them in /agents: ${paused
        .slice(0, mostOwners)
        .map(({ name }) => agentName(name))
        .join(', ')}${paused.length > mostOwners ? ` and ${paused.length - mostOwners} more` : ''}.`

/** To the owners. */
export const ownerConnected = (who: { userId: number; name: string | null }, at: Date, now: Date) =>
  [
    `🔑 ${someone(who)} connected your account with its key and secret, ${when(at, now)}, in their chat with me.`,
    'They can order on your wallet and see all of it.',
    'You don’t trust them? Make a new key in the provider’s dashboard and /connect with it: they lose access at once.',
  ].join('\n')

/** To the owners. */
export const wrongSecrets = (at: Date, now: Date) =>
  [
    `⚠️ Somebody has typed your API key here with a wrong secret several times, the last time ${when(at, now)}. They got nothing.`,
    'That wasn’t you? Then your key is known: make a new one in the provider’s dashboard and /connect with it.',
  ].join('\n')

/** To who is an owner no more. */
export const ownerNoMore = (
  options: { what: 'replaced' | 'removed'; who: { userId: number; name: string | null } } & {
    cancelled: number
    open: number
  },
  at: Date,
  now: Date,
) =>
  lines(
    options.what === 'replaced'
      ? `🔑 ${someone(options.who)} connected your account with a new key, ${when(at, now)}. The old key is worth nothing now, so you are disconnected.`
      : `🔑 ${someone(options.who)} removed you as an owner of the account, ${when(at, now)}. You are disconnected.`,
    cancelledWords(options.cancelled),
    openWords(options.open),
    options.what === 'replaced' ? 'To come back, /connect with the new key.' : null,
  )

/** To whoever connected the new key. */
export const tookOver = (
  before: readonly { userId: number; name: string | null }[],
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🔑 With the new key you are the only owner. Disconnected: ${before.slice(0, mostOwners).map(someone).join(', ')}${before.length > mostOwners ? ` and ${before.length - mostOwners} more` : ''}.`,
    cancelledWords(cancelled),
    pausedWords(paused),
  )

export const agents = (
  owners: string | null,
  team: readonly AgentLine[],
  open: readonly { expiresAt: Date }[],
) =>
  lines(
    owners,
    b('Agents'),
    team.length === 0
      ? 'Nobody yet. An agent orders in a chat of their own, and it is paid from your wallet. They never see your key, your balance or your orders.'
      : null,
    ...team.slice(0, mostAgents).map(agentLine),
    team.length > mostAgents ? `… and ${team.length - mostAgents} more` : null,
    open.length === 0 ? null : `\n${b('Open invitations')}`,
    ...open.slice(0, mostNamed).map(({ expiresAt }, index) => `${index + 1}. good until ${clock(expiresAt)}`),
    open.length > mostNamed ? `… and ${open.length - mostNamed} more` : null,
    team.length > 0
      ? '\nPress a name to set a limit, pause or remove.'
      : open.length > 0
        ? '\nYou are told when one is accepted. Revoke takes it back.'
        : '\nPress Invite: you get a link to send to them.',
  )

const agentLine = ({ name, isPaused, spentPesewas, limitPesewas }: AgentLine): string =>
  `${isPaused ? '⏸' : '👤'} ${agentName(name)}${isPaused ? ' (paused)' : ''} · today ${formatGhs(spentPesewas)}${limitPesewas === null ? ', no limit' : ` of ${formatGhs(limitPesewas)}`}`

export const agent = (options: {
  name: string | null
  since: Date
  pausedAt: Date | null
  spentPesewas: Pesewas
  /** Which prices they see: their limit counts these. */
  prices: AgentPrices
  limitPesewas: Pesewas | null
  networks: readonly string[] | null
  told: Told
  now: Date
}) =>
  lines(
    `👤 ${b(agentName(options.name))}`,
    `Agent since ${when(options.since, options.now)}`,
    options.pausedAt ? `⏸ ${b('Paused')} since ${when(options.pausedAt, options.now)}: orders nothing` : null,
    '',
    `Today: ${b(formatGhs(options.spentPesewas))}${countedWords[options.prices]}`,
    `Limit a day: ${b(limitWords(options.limitPesewas))}`,
    `Networks: ${networkWords(options.networks)}`,
    `You are told: ${toldWords[options.told]}`,
  )

/** In which prices their day is counted, where that is not what the wallet is charged. */
const countedWords: Record<AgentPrices, string> = { selling: ' at your selling prices', cost: '', none: '' }

export const askLimit = (name: string | null, limit: Pesewas | null) =>
  [
    `${b('Limit a day')} for ${agentName(name)}`,
    `Now: ${limitWords(limit)}. A day ends at midnight in Ghana.`,
    'It counts the prices that they see. Orders that fail or are paid back do not count.',
    '',
    'Press one, or send an amount, for example <code>150</code>.',
  ].join('\n')
export const notALimit = (written: string) =>
  `${code(written, 40)} is not an amount. Send cedis, for example <code>150</code> or <code>75.50</code>, or press a button above.`

export const networksOf = (name: string | null, networks: readonly string[] | null) =>
  [
    `${b('Networks')} for ${agentName(name)}`,
    `Now: ${networkWords(networks)}.`,
    'Press one to allow it, or to stop it.',
  ].join('\n')

export const askTold = (name: string | null, told: Told) =>
  [
    `${b('What are you told')} of ${agentName(name)}’s orders?`,
    `Now: ${toldWords[told]}.`,
    '',
    `${b('Nothing')}: you see them in /orders.`,
    `${b('Problems')}: what fails, is unconfirmed, charged late or paid back.`,
    `${b('Ends')}: that, and what is delivered.`,
    `${b('Each order')}: that, and each order that is placed.`,
    'Of a list there is one message for all of it.',
  ].join('\n')

export const askRemove = (name: string | null, waiting: number, open: number) =>
  lines(
    b(`Remove ${agentName(name)}?`),
    'They cannot order on your wallet any more, from this moment on.',
    waitingWords(waiting),
    open > 0
      ? `${open === 1 ? 'One order is' : `${open} orders are`} not finished: ${open === 1 ? 'it is' : 'they are'} followed to the end, and you are told.`
      : null,
  )

export const removed = (name: string | null, cancelled: number, open: number) =>
  lines(
    `🗑 ${b(agentName(name))} is removed and can order nothing more on your wallet.`,
    cancelledWords(cancelled),
    openWords(open),
  )

const waitingWords = (waiting: number): string | null =>
  waiting === 0
    ? null
    : `${waiting === 1 ? 'One order waits to be sent: it is' : `${waiting} orders wait to be sent: they are`} cancelled and not charged.`
const openWords = (open: number): string | null =>
  open === 0
    ? null
    : `${open === 1 ? 'One order is' : `${open} orders are`} still open: you are told here how ${open === 1 ? 'it ends' : 'they end'}.`
const cancelledWords = (cancelled: number): string | null =>
  cancelled === 0
    ? null
    : cancelled === 1
      ? 'One waiting order was cancelled; nothing was charged for it.'
      : `${cancelled} waiting orders were cancelled; nothing was charged for them.`

export const paused =
  'Paused: they order nothing new, and are told so. What was confirmed before still goes out.'
export const resumed = 'They can order again, and are told so.'
export const limitSet = (limit: Pesewas | null) => `Limit a day: ${limitWords(limit)}`
export const toldSet = (told: Told) => `You are told: ${toldWords[told]}`
export const noSuchAgent = 'They are not your agent any more.'
export const notForAgents = 'Only the owner of the account has agents.'
export const noAgentOrders = (name: string | null) => `${b(agentName(name))} has ordered nothing yet.`
export const agentOrders = (name: string | null, lines: string[], page: number) =>
  `${b(`Orders of ${agentName(name)}`)}${page > 0 ? ` · page ${page + 1}` : ''}\n\n${lines.join('\n')}\n\nPress a number to open one.`

export const invitationReady = (url: string, expiresAt: Date, limit: Pesewas) =>
  [
    b('An invitation for one person'),
    `Send this link to them. Whoever opens it and presses Join first, until ${clock(expiresAt)}, orders on your wallet: up to ${b(formatGhs(limit))} a day until you change it in /agents.`,
    '',
    escapeHtml(url),
    '',
    'You are told who accepts. Sent to the wrong person? Revoke it.',
  ].join('\n')
/** What is forwarded with the link. Plain text. */
export const invitationText = 'Order data bundles on my wallet. Open this link, it is good for an hour:'
export const revoked = 'Revoked: the link is worth nothing now.'
export const revokedAll = (count: number) =>
  count === 0 ? 'None is open any more.' : `Revoked: ${count}. The links are worth nothing now.`
/** Plain text, of at most 200 characters. */
export const tooManyInvitations =
  'Ten invitations are open already. Revoke one, or wait until they are used or over. No new link was made.'
export const revokedTooLate = 'Too late: it was accepted, or its time is over.'

export const joined = (name: string | null, limit: Pesewas | null) =>
  `👤 ${b(agentName(name))} accepted your invitation and can order on your wallet now. Limit a day: ${b(limitWords(limit))}.`
export const leftByThemselves = (name: string | null, cancelled: number, open: number) =>
  lines(
    `👤 ${b(agentName(name))} is not your agent any more: they left by themselves.`,
    cancelledWords(cancelled),
    openWords(open),
  )

// What agents see of prices.
export const priceLabels: Record<AgentPrices, string> = {
  selling: 'Your selling prices',
  cost: 'What you pay',
  none: 'No prices',
}
export const askPrices = (now: AgentPrices) =>
  [
    `${b('Which prices do agents see?')}`,
    `Now: ${priceWords[now]}.`,
    '',
    `${b(priceLabels.selling)}: what you set in /prices. Where a bundle has none, they see no price.`,
    `${b(priceLabels.cost)}: the provider’s price, as you see it.`,
    `${b(priceLabels.none)}: they order without seeing what it costs.`,
    '',
    'It holds for all agents. Their limit a day counts the prices that they see; where they see none, it counts what you pay.',
  ].join('\n')
const priceWords: Record<AgentPrices, string> = {
  selling: 'your selling prices',
  cost: 'what you pay',
  none: 'no prices',
}

/** Above what is told of an agent's order. */
export const orderedBy = (name: string | null) => `👤 ${b(agentName(name))} ordered:`
export const orderedByLine = (name: string | null) => `Ordered by ${agentName(name)}`

// ── What an agent sees ─────────────────────────────────────────────────────────────────────────────────────────

export interface Engagement {
  /** The name of the shop on whose wallet they order. */
  shop: string | null
  isPaused: boolean
  networks: readonly string[] | null
  allowance: Allowance | null
}

/** Whose wallet it is. */
const walletOf = (shop: string | null): string =>
  shop === null ? 'the owner’s wallet' : `the wallet of ${b(foreignWord(shop))}`

export const welcomeAgent = (engagement: Engagement) =>
  [
    `✅ You can order now. It is paid from ${walletOf(engagement.shop)}.`,
    ...mayLines(engagement),
    'The owner sees what you order.',
    '',
    'Send a number and a size, for example <code>0241234567 5GB</code>, or press a button.',
  ].join('\n')

/** News to an agent, of what is true now. */
export const pausedOrResumed = (engagement: Engagement) =>
  engagement.isPaused
    ? '⏸ The owner has paused you: nothing new can be ordered. What you confirmed before still goes out.'
    : ['▶️ You can order again.', ...mayLines(engagement)].join('\n')

export const agentHome = (
  engagement: Engagement,
  account: { isRefused: boolean; eraseBy: Date | null; now: Date },
) =>
  lines(
    b('Bundlegram'),
    `You order on ${walletOf(engagement.shop)}.`,
    ...mayLines(engagement),
    account.eraseBy
      ? `\nThe owner is removing this account: nothing new can be ordered. It is gone at ${when(account.eraseBy, account.now)} at the latest.`
      : account.isRefused
        ? '\n⚠️ The provider refuses the account’s key. Nothing can be ordered until its owner connects again: tell them.'
        : engagement.isPaused
          ? null
          : '\nSend a number and a size to order at once, for example <code>0241234567 5GB</code>.',
  )

const mayLines = ({ isPaused, networks, allowance }: Engagement): string[] => [
  ...(isPaused ? ['⏸ The owner has paused you: nothing can be ordered now.'] : []),
  allowance === null ? 'Limit a day: none' : leftToday(allowance),
  ...(networks === null ? [] : [`Networks: ${networkWords(networks)}`]),
]

/** What is left is said to those alone who see the prices that it is made of. */
export const leftToday = ({ leftPesewas, limitPesewas, isSeen }: Allowance): string =>
  isSeen
    ? `Left today: ${b(formatGhs(leftPesewas))} of ${formatGhs(limitPesewas)}`
    : `Limit a day: ${formatGhs(limitPesewas)}. ${leftIsOwners}`

const leftIsOwners = 'What is left is not shown: it depends on prices that only the owner sees.'

/** On a card to confirm. @param price as they see it; null: they see none. */
export const leftForDraft = (allowance: Allowance, price: Pesewas | null): string[] => {
  const { leftPesewas, limitPesewas, isSeen } = allowance
  if (!isSeen || price === null) return [isSeen ? plainLeft(allowance) : leftToday(allowance)]
  const ask = `Ask the owner for a higher limit${price > limitPesewas ? '' : ', or order it tomorrow'}.`
  return [
    plainLeft(allowance),
    ...(price > leftPesewas
      ? [`⚠️ That is ${formatGhs((price - leftPesewas) as Pesewas)} more than you have left. ${ask}`]
      : []),
  ]
}

const plainLeft = ({ leftPesewas, limitPesewas }: Allowance): string =>
  `Left today: ${formatGhs(leftPesewas)} of ${formatGhs(limitPesewas)}`

/** Where an agent sees no price. */
export const noPrice = 'Price: – (ask the owner)'

/** On a card to confirm, of a network that they may not order on. */
export const barredForDraft = (network: string, allowed: readonly string[]): string =>
  `⚠️ ${escapeHtml(mayNot(network, allowed))} Ask the owner, or cancel.`

const mayNot = (network: string, allowed: readonly string[]): string =>
  `You may not order ${oneLine(network, 20)}. ${allowedWords(allowed)}`

/** Plain text, of at most 200 characters. */
export const notAllowed = (network: string, allowed: readonly string[]): string =>
  `${mayNot(network, allowed)} Ask the owner for more.`

/** Said instead of what would begin an order. */
export const pausedNow =
  '⏸ The owner has paused you: nothing can be ordered now, and nothing was. Ask them; you are told here when you can order again.'

/** Why a press did not order. Plain text, of at most 200 characters. */
export const hindered = (hindrance: Hindrance, now: Date): string => {
  switch (hindrance.kind) {
    case 'maintenance':
      return pausedToast(hindrance, now)
    case 'no_room':
      return noRoom
    case 'network_down':
      return downToast(hindrance.network)
    case 'removed':
      return removedToast
    case 'paused':
      return 'The owner has paused you. Nothing was ordered: ask them, then press Confirm again.'
    case 'network':
      return `${mayNot(hindrance.network, hindrance.allowed)} Nothing was ordered.`
    case 'limit':
      if (!hindrance.isSeen || !hindrance.isNeedSeen)
        return `That is more than your limit of ${formatGhs(hindrance.limitPesewas)} a day leaves. Nothing was ordered: ask the owner for more.`
      return `Your limit today is ${formatGhs(hindrance.limitPesewas)}, ${formatGhs(hindrance.leftPesewas)} is left. This costs ${formatGhs(hindrance.neededPesewas)}. Nothing was ordered: ask the owner for more.`
  }
}
const allowedWords = (allowed: readonly string[]): string =>
  allowed.length === 0
    ? 'The owner allows none now.'
    : oneLine(`Allowed: ${allowed.map((network) => oneLine(network, 15)).join(', ')}.`, 100)
const removedToast = 'You no longer order on this wallet. Nothing was changed.'

export const agentBalance = ({ shop, isPaused, networks, allowance }: Engagement) =>
  lines(
    ...mayLines({ shop, isPaused, networks, allowance }),
    allowance === null
      ? null
      : 'It starts again at midnight. What fails or is paid back is given back to you.',
    'The wallet’s balance is for its owner alone.',
  )
export const ownerJudges = 'The owner of the wallet can see whether it was charged. They decide about it.'

/** A debit that may be an agent's order: they see no entries of the wallet. */
export const doubtForAgent = (what: string, whom: string) =>
  `🔎 ${what} for ${whom}: I cannot tell yet whether the wallet was charged for it. Do not order it again. The owner can see the wallet’s entries and clear it up.`

export const askResign = (shop: string | null, waiting: number, open: number) =>
  lines(
    b('Stop ordering on this wallet?'),
    `You order on ${walletOf(shop)}. After that you need a new invitation to come back.`,
    waitingWords(waiting),
    open > 0 ? 'What is on its way is still reported to you, and to the owner.' : null,
  )
export const resigned = (cancelled: number, open: number) =>
  lines(
    'You no longer order on that wallet. The owner is told.',
    cancelledWords(cancelled),
    open > 0 ? 'What is on its way is still reported to you.' : null,
  )
export const dismissed = (cancelled: number, open: number) =>
  lines(
    'The owner has removed you: you no longer order on their wallet.',
    cancelledWords(cancelled),
    open > 0 ? 'What is on its way is still reported to you.' : null,
    'Want to order on a wallet of your own? /connect.',
  )

/** Above the question for the API key. */
export const connectAsAgent = (shop: string | null) =>
  `You order on ${walletOf(shop)}. If you connect an account of your own, you leave that one.`

// ── Opening an invitation ──────────────────────────────────────────────────────────────────────────────────────

export const invitationUsed = 'Somebody has used this invitation already. Ask for a new link.'
export const invitationRevoked = 'This invitation was taken back. Ask for a new link.'
export const invitationExpired = 'This invitation is over: each is good for an hour. Ask for a new link.'
export const invitationClosed =
  'The account of this invitation is being removed. Nothing can be ordered on it.'
export const invitationUnknown = 'I do not know this invitation. Ask for a new link.'
export const invitationOwn =
  'This is an invitation to your own wallet: send the link to somebody else. It is still good.'
export const invitedAlready = 'You order on this wallet already.'
export const ownsAnother =
  'You have an account of your own here, so you cannot be somebody’s agent as well. To accept, /disconnect first, then open the link again.'
/** Who opened an invitation: opening it changed nothing. */
export const askToJoin = (shop: string | null, limit: Pesewas, present: Pick<Engagement, 'shop'> | null) =>
  lines(
    shop === null
      ? `${b('Join as an agent?')} Somebody invites you to order on their wallet.`
      : `${b('Join as an agent?')} A shop that calls itself ${b(foreignWord(shop))} invites you to order on its wallet.`,
    `You order here, up to ${formatGhs(limit)} a day, and it pays. Its owner sees every order, with the numbers.`,
    present === null
      ? 'Nothing has changed yet. Not expected? Press Stay.'
      : `You order on ${walletOf(present.shop)} now. Join leaves it: what waits to be sent there is cancelled.`,
  )
export const hasJoined = 'You joined.'
export const stayed = 'Nothing changed.'
