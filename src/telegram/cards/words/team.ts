import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { agentName, cancelledWords, openWords } from '../../words/agent.ts'
import { b, code, joined as inOneLine, lines } from '../../words/markup.ts'

/** What the owners and agents of an account read about each other. */

export const agentLabels = {
  invite: '✉️ Invite',
  inviteAgain: '✉️ Invite again',
  limit: '💵 Limit',
  price: '🏷 Price',
  samePrice: 'Same as all agents',
  more: '⋯ More',
  networks: '📶 Networks',
  prices: '🏷 What agents see',
  invitations: '🎟 Invitations',
  owners: '🔑 Owners',
  ask: '🙋 Ask the owner',
  keepLimit: 'Keep the limit',
  setZero: 'Set GHS 0',
  pause: '⏸ Pause',
  resume: '▶️ Resume',
  tell: '🔔 Tell me',
  orders: '🧾 Orders',
  remove: '🗑 Remove',
  removeSure: '🗑 Remove now',
  keep: 'Keep',
  noLimit: 'No limit',
  all: '👥 All agents',
  forward: '📨 Send link',
  revoke: '✖️ Revoke',
  revokeAll: '✖️ Revoke all',
  join: 'Join',
  stay: 'Don’t join',
} as const

// The label of a button. Plain text.
export const agentLabel = (name: string | null, isPaused: boolean) =>
  `${isPaused ? '⏸ ' : '👤 '}${oneLine(name ?? '', 28) || 'Agent'}`

export const limitWords = (limit: Pesewas | null): string => (limit === null ? 'no limit' : formatGhs(limit))

export const joined = (name: string | null, limit: Pesewas | null) =>
  `👤 ${b(agentName(name))} has accepted your invitation and can order with your wallet. Daily limit: ${b(limitWords(limit))}.`

export const raiseLabel = (limit: Pesewas) => `Raise today’s limit to ${formatGhs(limit)}`

/** An agent's request for a higher limit, which the owner answers with a button. */
export const asksForMore = (options: {
  name: string | null
  /** What they want to order, in words. */
  what: string
  neededPesewas: Pesewas
  spentPesewas: Pesewas
  limitPesewas: Pesewas
}) =>
  [
    `🙋 ${b(agentName(options.name))} is asking for a higher limit today.`,
    `${options.what}: ${b(formatGhs(options.neededPesewas))}`,
    `Used today: ${formatGhs(options.spentPesewas)} of ${formatGhs(options.limitPesewas)}`,
  ].join('\n')

export const pausedUnused = (name: string | null, days: number) =>
  [
    `⏸ ${b(agentName(name))} hasn’t ordered for ${days} days, so I’ve paused them.`,
    'Telegram accounts can change hands. Resume them only if you know who’s using the account now.',
  ].join('\n')

export const leftByThemselves = (name: string | null, cancelled: number, open: number) =>
  lines(
    `👤 ${b(agentName(name))} has left and is no longer your agent.`,
    cancelledWords(cancelled),
    openWords(open),
  )

/** A person by name and Telegram id, because anybody can take another person's name. */
export const someone = ({ userId, name }: { userId: number; name: string | null }): string =>
  `${b(foreignWord(name ?? '') || 'Somebody')} (Telegram id ${code(String(userId))})`

/** How many people a sentence names. */
const maxNamed = 3

export const pausedWords = (paused: readonly { name: string | null }[]): string | null =>
  paused.length === 0
    ? null
    : `⏸ Paused until you resume them in /agents: ${paused
        .slice(0, maxNamed)
        .map(({ name }) => agentName(name))
        .join(', ')}${paused.length > maxNamed ? ` and ${paused.length - maxNamed} more` : ''}.`

/** Tells the other owners that somebody connected the account. */
export const ownerConnected = (who: { userId: number; name: string | null }, at: Date, now: Date) =>
  [
    `🔑 ${someone(who)} connected your account with its key and secret (${when(at, now)}).`,
    'They can order with your wallet and see everything in it.',
    'If you don’t trust them, make a new key in the provider’s dashboard and /connect with it. They’ll lose access at once.',
  ].join('\n')

/** Tells the owners that somebody tried wrong secrets with their key. */
export const wrongSecrets = (at: Date, now: Date) =>
  [
    `⚠️ Somebody has tried your API key here with wrong secrets several times (last: ${when(at, now)}). They didn’t get in.`,
    'If it wasn’t you, somebody knows your key: make a new one in the provider’s dashboard and /connect with it.',
  ].join('\n')

/** Tells a former owner that they lost the account. */
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
      ? `🔑 ${someone(options.who)} connected your account with a new key (${when(at, now)}). The old key no longer works, so you’re disconnected.`
      : `🔑 ${someone(options.who)} removed you as an owner (${when(at, now)}). You’re disconnected.`,
    inOneLine(' ', cancelledWords(options.cancelled), openWords(options.open)) || null,
    options.what === 'replaced' ? 'To come back, /connect with the new key.' : null,
  )

/** The message to the owner who has just connected the new key. */
export const tookOver = (
  before: readonly { userId: number; name: string | null }[],
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🔑 New key: you’re now the only owner. Disconnected: ${before.slice(0, maxNamed).map(someone).join(', ')}${before.length > maxNamed ? ` and ${before.length - maxNamed} more` : ''}.`,
    cancelledWords(cancelled),
    pausedWords(paused),
  )
