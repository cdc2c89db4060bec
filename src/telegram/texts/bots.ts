import { escapeHtml, oneLine } from '../chat/screen.ts'
import { b, code, lines } from './markup.ts'
import { numbered, title } from './operator-lines.ts'

/** Texts about the bots beside the main one, for the main bot's operators. */

export const botLabels = {
  bots: '🤖 Bots',
  add: '➕ Add a bot',
  all: '‹ Bots',
  stop: '⏸ Stop',
  start: '▶️ Start',
  newToken: '🔑 New token',
  owners: '👤 Add an owner',
  remove: '🗑 Remove',
  removeSure: '✅ Confirm: remove',
  letMake: '✅ Let owners make bots',
  stopMaking: '🚫 Owners make no more bots',
} as const

interface ShownBot {
  username: string
  accountId: string | null
  ownerIds: readonly number[]
  state: BotState
  fault: string | null
}

/** How a bot stands. */
export type BotState = 'running' | 'starting' | 'stopped' | 'halted' | 'token' | 'rival' | 'failed'

const stateWords: Record<BotState, string> = {
  running: '✅ Runs',
  starting: '⏳ Starts',
  stopped: '⏸ Stopped by an operator',
  halted: '⏸ Stopped by its owner',
  token: '🔑 Needs a new token',
  rival: '⚠️ Stopped: another program uses its token',
  failed: '⚠️ Could not be started',
}

const at = (username: string): string => `@${escapeHtml(oneLine(username, 40))}`

/** @param areMade whether owners of accounts may make bots; null: this bot may not manage any. */
export const bots = (
  all: readonly ShownBot[],
  page: number,
  first: number,
  areMade: boolean | null = null,
): string =>
  lines(
    title('Bots', page),
    'Each bot has its own people, accounts and orders. No bot sees another’s.',
    '',
    ...(all.length === 0
      ? ['No bot was added yet.']
      : numbered(
          first,
          all.map(({ username, state }) => `${at(username)} · ${stateWords[state]}`),
        )),
    ...(areMade ? ['', 'Owners of accounts can make one bot each: /settings.'] : []),
  )

export const openLabel = (username: string): string => `@${oneLine(username, 40)}`

export const inMemory = lines(
  b('Bots'),
  'Bots can’t be added: this one keeps its data in memory. Name a file or a PostgreSQL in DATABASE_URL.',
)

export const bot = (shown: ShownBot): string =>
  lines(
    b(at(shown.username)),
    stateWords[shown.state],
    shown.fault,
    '',
    shown.ownerIds.length === 0
      ? 'It has no owner of its own. You are its operator.'
      : `Owners: ${shown.ownerIds.map((id) => code(String(id))).join(', ')}`,
    shown.accountId === null ? null : 'An owner of an account here made it.',
  )

export const askToken = lines(
  b('Add a bot'),
  'Make a bot with @BotFather (/newbot), then send me its token or forward his message. I delete your message at once.',
)

export const askNewToken = (username: string): string =>
  `Send me the new token of ${at(username)}, from @BotFather. I delete your message at once.`

export const notAToken =
  'I see no token in that. It looks like <code>123456789:AAE…</code>. Send it again, or /cancel.'

export const added = (username: string): string =>
  `✅ ${at(username)} was added and is starting: https://t.me/${escapeHtml(oneLine(username, 40))}\n\nSend it ${code('/start')}. Name it by ${code('/admin')} there, and say below who owns it.`

export const renewed = (username: string): string => `✅ ${at(username)} has its new token and is starting.`

export const isMain =
  'That is my own token. Make another bot with @BotFather (/newbot) and send me its token.'

export const isKnown = (username: string): string =>
  `${at(username)} was added before, and this is its token.`

export const isOther = (username: string): string =>
  `That is the token of ${at(username)}. Send the token of this bot, or /cancel.`

export const isRefused =
  'Telegram doesn’t know that token. Copy it again from @BotFather, or make a new one there (/revoke).'

export const isUnreachable = 'Telegram doesn’t answer. Send the token again in a minute.'

export const noSuchBot = 'That bot is not here any more.'

export const stoppedNow = 'Stopped. Nobody is answered there.'
export const startedNow = 'Starting'
export const madeNow = 'Owners of accounts can make bots now.'
export const notMadeNow = 'Owners make no more bots. Those that they made run on.'

export const askOwner =
  'Who owns the shop? Share their contact, or send their Telegram id. They become an operator of that bot alone.'
export const notAnOwner =
  'I see no Telegram id in that. Send just the number, for example <code>123456789</code>, or /cancel.'
export const ownerAdded = 'Saved. They have /admin in that bot once they send it /start.'
export const disownLabel = (userId: number): string => `✖️ Owner ${userId}`
export const ownerRemoved = 'Removed: they are no operator of that bot any more.'

export const askRemove = (username: string): string =>
  lines(
    `${b('Remove this bot?')} ${at(username)}`,
    'It stops, and I forget its token. Orders under way there are not followed any more. I keep its database.',
  )

export const removed = (username: string, path: string): string =>
  `Removed: ${at(username)}. Its database is kept: ${code(path, 200)}. Add the bot again to go on with it.`

/** To operators: a bot has stopped by itself. */
export const stoppedItself = (username: string, why: 'token' | 'rival'): string =>
  why === 'token'
    ? `🚨 Telegram refuses the token of ${at(username)}, so that bot has stopped. Its orders wait.\nSend me a new one: /admin, ${botLabels.bots}, ${botLabels.newToken}.`
    : `🚨 Another program reads the updates of ${at(username)}, so that bot has stopped. Its orders wait.\nNot you? Make a new token with @BotFather (/revoke) and send it to me: /admin, ${botLabels.bots}.`

/** Why a bot could not be started. */
export const keysDiffer =
  'No key in CREDENTIALS_KEY opens its data. List the key that it was written with, too.'
export const databaseMissing =
  'Its database is missing. Put it back, or remove the bot and add it again to begin without it.'
/** Telegram was asked for the token of a bot that somebody made. */
export const tokenKept = 'Telegram doesn’t give me its token. I try again.'
export const tokenUnreachable = 'Telegram doesn’t answer when I ask for its token. I try again.'
export const unknownFault = 'The log says why. I try again.'
