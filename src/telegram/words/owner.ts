import { foreignWord, oneLine } from '../chat/screen.ts'
import { when } from '../chat/time.ts'
import { agentName } from './agent.ts'
import { cancelledWords, openWords } from './agent-lines.ts'
import { b, code, joined, lines } from './markup.ts'

/** To owners, about each other and about taking over an account: part of the catalogue. */

/** The most owners that a list names. */
export const maxOwners = 10

/** The owners of the account; null if there is only one. */
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
          .slice(0, maxOwners)
          .map(
            (each) =>
              `🔑 ${each.userId === viewerId ? 'You' : someone(each)} · since ${when(each.createdAt, now)}`,
          ),
        all.length > maxOwners ? `… and ${all.length - maxOwners} more` : null,
        '',
      )

/** Somebody by name and Telegram id, since anybody can take a name. */
export const someone = ({ userId, name }: { userId: number; name: string | null }): string =>
  `${b(foreignWord(name ?? '') || 'Somebody')} (Telegram id ${code(String(userId))})`

export const removeOwnerLabel = ({ name, userId }: { userId: number; name: string | null }) =>
  `🗑 Remove ${oneLine(name ?? '', 20) || userId}`

export const askRemoveOwner = (who: { userId: number; name: string | null }) =>
  [
    `Remove ${someone(who)} as an owner?`,
    'Their waiting orders are cancelled. Agents whom they invited are paused until you resume them.',
    keepOut,
  ].join('\n')

export const ownerRemoved = (
  who: { userId: number; name: string | null },
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🗑 ${someone(who)} is no longer an owner.`,
    joined(' ', cancelledWords(cancelled), pausedWords(paused)) || null,
    keepOut,
  )

export const noSuchOwner =
  'You can’t remove them: they left, or were an owner before you. Nothing was changed.'

/** A removed owner still has the key. */
const keepOut =
  'They know the key. To keep them out, make a new key in the provider’s dashboard and /connect with it.'

/** The most people that a sentence names. */
const maxNamed = 3

const pausedWords = (paused: readonly { name: string | null }[]): string | null =>
  paused.length === 0
    ? null
    : `⏸ Paused until you resume them in /agents: ${paused
        .slice(0, maxNamed)
        .map(({ name }) => agentName(name))
        .join(', ')}${paused.length > maxNamed ? ` and ${paused.length - maxNamed} more` : ''}.`

/** To the owners. */
export const ownerConnected = (who: { userId: number; name: string | null }, at: Date, now: Date) =>
  [
    `🔑 ${someone(who)} connected your account with its key and secret, ${when(at, now)}.`,
    'They can order on your wallet and see all of it.',
    'Don’t trust them? Make a new key in the provider’s dashboard and /connect with it. They lose access at once.',
  ].join('\n')

/** To the owners. */
export const wrongSecrets = (at: Date, now: Date) =>
  [
    `⚠️ Somebody typed your API key here with a wrong secret several times, last ${when(at, now)}. They got nothing.`,
    'Not you? Then somebody knows your key: make a new one in the provider’s dashboard and /connect with it.',
  ].join('\n')

/** To a former owner. */
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
      ? `🔑 ${someone(options.who)} connected your account with a new key, ${when(at, now)}. The old key no longer works, so you are disconnected.`
      : `🔑 ${someone(options.who)} removed you as an owner, ${when(at, now)}. You are disconnected.`,
    joined(' ', cancelledWords(options.cancelled), openWords(options.open)) || null,
    options.what === 'replaced' ? 'To come back, /connect with the new key.' : null,
  )

/** To the owner who connected the new key. */
export const tookOver = (
  before: readonly { userId: number; name: string | null }[],
  paused: readonly { name: string | null }[],
  cancelled: number,
) =>
  lines(
    `🔑 New key: you are now the only owner. Disconnected: ${before.slice(0, maxNamed).map(someone).join(', ')}${before.length > maxNamed ? ` and ${before.length - maxNamed} more` : ''}.`,
    cancelledWords(cancelled),
    pausedWords(paused),
  )
