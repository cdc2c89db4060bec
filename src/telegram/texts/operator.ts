import { longestReason, type Maintenance } from '../../orders/maintenance.ts'
import type {
  OpenInvitation,
  PeopleCounts,
  StrangeCallback,
  StuckCounts,
  StuckNotice,
  StuckOrder,
  TroubledAccount,
} from '../../store/operations.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import { moment, when } from '../time.ts'
import { b, code, counted, grouped, joined, lines } from './markup.ts'

/** The words for operators, and for whom they invite or block. */

export const operatorLabels = {
  invite: '✉️ Invite',
  invitations: '🎟 Invitations',
  blocked: '🚫 Blocked',
  maintenance: '🛠 Maintenance',
  overview: '‹ Operators',
  drop: '🗑 Drop',
  lookNow: '🔍 Look now',
  dismiss: '🗑 Dismiss',
  dismissAll: '🗑 Dismiss all',
  block: '🚫 Block the chat',
  blockSomebody: '🚫 Block somebody',
  blockSure: '✅ Confirm: block',
  unblock: '↩️ Unblock',
  pause: '⏸ Pause orders',
  pauseSure: '✅ Confirm: pause orders',
  resume: '▶️ Take orders again',
  resumeSure: '✅ Confirm: take orders',
  reason: '✏️ Say why',
  noReason: '🗑 No reason',
  noEnd: 'end not known',
} as const

export const stuckLabel = (count: number): string => (count === 0 ? '✅ Nothing stuck' : `⚠️ Stuck: ${count}`)

export const byInvitation =
  'This bot is by invitation: ask whoever runs it for a link. Looking up an order by its reference works without.'

export const invitationAccepted = '✅ You are invited. Now /connect your account.'

export const invitationSpent = 'This invitation was used already, or its time is over. Ask for a new link.'

// ── The overview ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface Overview {
  maintenance: Maintenance | null
  /** Networks that take no new orders. */
  down: readonly string[]
  accounts: number
  people: PeopleCounts
  today: { standing: string; count: number }[]
  open: { placement: string; count: number }[]
  callbacks: { count: number; oldest: Date | null }
  messages: { count: number; oldest: Date | null }
  database: string
  version: string
  now: Date
}

export const stuckTotal = ({ notices, orders, callbacks }: StuckCounts): number =>
  notices + orders + callbacks

export const overview = ({ maintenance, down, people, today, open, now, ...rest }: Overview): string =>
  lines(
    b('Operators'),
    maintenance ? `🛠 Orders are ${b('paused')}${sinceUntil(maintenance, now)}` : 'Orders are taken.',
    down.length > 0 ? `📴 No new orders: ${down.map(foreignWord).join(', ')}` : null,
    '',
    `${b('Today')}: ${counted(sum(today), 'order', 'orders')}`,
    today.length === 0 ? null : listed(today.map(({ standing, count }) => ({ name: standing, count }))),
    `${b('Open')}: ${sum(open) === 0 ? 'none' : listed(open.map(({ placement, count }) => ({ name: openWords.get(placement) ?? placement, count })))}`,
    '',
    b('Lag'),
    `callbacks: ${waiting(rest.callbacks, now)}`,
    `messages: ${waiting(rest.messages, now)}`,
    '',
    b('People'),
    `${counted(rest.accounts, 'account', 'accounts')} · ${counted(people.owners, 'owner', 'owners')} · ${counted(people.agents, 'agent', 'agents')}`,
    `${counted(people.following, 'chat follows', 'chats follow')} an order`,
    people.muted === 0 ? null : `${counted(people.muted, 'chat takes', 'chats take')} no messages`,
    people.blocked === 0 ? null : counted(people.blocked, 'chat is blocked', 'chats are blocked'),
    '',
    `Bundlegram ${foreignWord(rest.version)} · ${foreignWord(rest.database)} · ${when(now, now)}:${String(now.getUTCSeconds()).padStart(2, '0')}`,
  )

const openWords: ReadonlyMap<string, string> = new Map([
  ['queued', 'waiting'],
  ['sending', 'being sent'],
  ['review', 'to review'],
  ['placed', 'on their way'],
])

const placementWord = (placement: string): string => openWords.get(placement) ?? foreignWord(placement)

const sum = (all: { count: number }[]): number => all.reduce((total, { count }) => total + count, 0)

const listed = (all: { name: string; count: number }[]): string =>
  all
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${foreignWord(name.replaceAll('_', ' '))} ${grouped(count)}`)
    .join(' · ')

/** What waits, of which the oldest that might go already tells the lag. */
const waiting = ({ count, oldest }: { count: number; oldest: Date | null }, now: Date): string =>
  joined(
    ', ',
    count === 0 ? 'none waits' : `${grouped(count)} waiting`,
    oldest === null || count === 0 ? null : `the oldest for ${span(now.getTime() - oldest.getTime())}`,
  )

/** How long something has lasted: `12 s`, `5 min`, `3 h`, `2 days`. */
const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

const sinceFor = (since: Date, now: Date): string =>
  `since ${when(since, now)} (${span(now.getTime() - since.getTime())})`

// ── What is stuck ────────────────────────────────────────────────────────────────────────────────────────────────

export const stuckLabels = {
  notices: (count: number): string => `✉️ Messages: ${count}`,
  orders: (count: number): string => `📦 Orders: ${count}`,
  callbacks: (count: number): string => `📮 Callbacks: ${count}`,
  accounts: (count: number): string => `🔑 Accounts: ${count}`,
} as const

export interface Troubled {
  /** Accounts whose credentials are refused. */
  refused: number
  /** Accounts that wait because the provider asked for it. */
  frozen: number
  /** Chats that take no messages. */
  muted: number
}

export const stuck = (counts: StuckCounts, { refused, frozen, muted }: Troubled): string =>
  lines(
    b('Stuck'),
    stuckTotal(counts) === 0 ? '✅ Nothing is stuck.' : null,
    counts.notices === 0 ? null : `✉️ ${counted(counts.notices, 'message was', 'messages were')} given up`,
    counts.orders === 0
      ? null
      : `📦 ${counted(counts.orders, 'order', 'orders')} of which nobody knows for long whether it was charged`,
    counts.callbacks === 0
      ? null
      : `📮 ${counted(counts.callbacks, 'callback or answer that names', 'callbacks or answers that name')} another order, or could not be applied`,
    '',
    refused + frozen + muted === 0 ? null : b('For others to mend'),
    refused === 0
      ? null
      : `🔑 ${counted(refused, 'account', 'accounts')} with refused credentials: owners are asked to /connect again`,
    frozen === 0
      ? null
      : `⏳ ${counted(frozen, 'account waits', 'accounts wait')} because the provider asked for it`,
    muted === 0
      ? null
      : `🔇 ${counted(muted, 'chat takes', 'chats take')} no messages until they write again`,
  )

const title = (name: string, page: number): string => (page === 0 ? b(name) : `${b(name)} · page ${page + 1}`)

export const numberLabel = (number: number): string => String(number)

const numbered = (first: number, all: string[]): string[] =>
  all.map((line, index) => `${first + index + 1}. ${line}`)

const nothingHere = 'Nothing is here.'

export const notices = (all: StuckNotice[], page: number, first: number, now: Date): string =>
  lines(
    title('Messages given up', page),
    'Telegram refused them, or they could not be worded: the log says which.',
    '',
    ...(all.length === 0
      ? [nothingHere]
      : numbered(
          first,
          all.map(({ kind, setAsideAt }) => `${noticeName(kind)}, ${when(setAsideAt, now)}`),
        )),
  )

const noticeNames: ReadonlyMap<string, string> = new Map([
  ['follow_card', 'follower’s card'],
  ['announce', 'news of an order'],
  ['follow_announce', 'news for a follower'],
  ['list', 'news of a list'],
  ['delete', 'deletion of a message'],
])

const noticeName = (kind: string): string => noticeNames.get(kind) ?? foreignWord(kind.replaceAll('_', ' '))

export const notice = ({ id, kind, subject, attempts, createdAt, setAsideAt }: StuckNotice, now: Date) =>
  lines(
    b(`Message ${id}`),
    `what: ${noticeName(kind)}`,
    `about: ${code(subject)}`,
    `owed: ${sinceFor(createdAt, now)}`,
    `given up: ${when(setAsideAt, now)}, after ${counted(attempts + 1, 'try', 'tries')}`,
    '',
    'Try again sends it as things stand now. Drop: the chat is never told it.',
  )

export const triedAgain = 'It is sent again'
export const dropped = 'Dropped'
export const noLongerStuck = 'That is not stuck any more.'

/** An order under the account's name in the log. */
export type ShownOrder = StuckOrder & { account: string }

export const orders = (all: ShownOrder[], page: number, first: number, now: Date): string =>
  lines(
    title('Orders without an end', page),
    'The bot goes on looking by itself, and never sends one again.',
    '',
    ...(all.length === 0
      ? [nothingHere]
      : numbered(
          first,
          all.map(({ placement, since, account }) =>
            joined(' · ', placementWord(placement), span(now.getTime() - since.getTime()), code(account)),
          ),
        )),
  )

export const order = (
  { id, account, placement, reason, quantity, since, nextLookAt }: ShownOrder,
  now: Date,
): string =>
  lines(
    b('Order'),
    code(id),
    `account: ${code(account)}`,
    `${b(placementWord(placement))} ${sinceFor(since, now)}`,
    reason === null ? null : `why: ${foreignWord(reason.replaceAll('_', ' '))}`,
    quantity === 1 ? null : `for ${counted(quantity, 'number', 'numbers')}`,
    nextLookAt === null
      ? 'next look: none, its person decides'
      : nextLookAt > now
        ? `next look: ${when(nextLookAt, now)}`
        : 'next look: now',
    '',
    placement === 'review'
      ? 'Debits and orders do not pair up: its person was asked. Look now reads the wallet once more; nothing is sent.'
      : 'Look now reads the wallet for it; nothing is sent.',
  )

export const looking = 'Looking…'
export const lookedSettled = 'Settled'
export const hasEnd = 'The end of that order is known by now.'

export const callbacks = (all: StrangeCallback[], page: number, first: number, now: Date): string =>
  lines(
    title('Callbacks', page),
    'Kept, and shown to nobody else.',
    '',
    ...(all.length === 0
      ? [nothingHere]
      : numbered(
          first,
          all.map(({ reference, receivedAt, isUnapplied, isAnswer }) =>
            joined(
              ' · ',
              code(reference, 30),
              when(receivedAt, now),
              isAnswer ? 'answer' : null,
              isUnapplied ? 'not applied' : null,
            ),
          ),
        )),
  )

export const callback = (
  { id, orderId, reference, status, receivedAt, isUnapplied, isAnswer }: StrangeCallback,
  now: Date,
): string =>
  lines(
    b(`${isAnswer ? 'Answer' : 'Callback'} ${id}`),
    isUnapplied
      ? 'It could not be applied, and is tried again and again: the log says why.'
      : isAnswer
        ? 'The provider’s own answer to an order names this reference, but another one is proven for that order, or this one for another order. Both are kept.'
        : 'It came to the address of one order and names another, or came before that one was placed.',
    '',
    `${isAnswer ? 'answer to' : 'address of'}: ${code(orderId)}`,
    `names: ${code(reference, 60)}`,
    `status: ${foreignWord(status)}`,
    `arrived: ${moment(receivedAt, now)}`,
    '',
    isUnapplied
      ? 'Dismiss: it is not tried any more; the order’s status is asked all the same.'
      : 'Dismiss: it is shown no more. Nothing else changes.',
  )

export const dismissed = (count: number): string => `Dismissed: ${grouped(count)}`

export type ShownAccount = Omit<TroubledAccount, 'accountId'> & { account: string }

export const accounts = (all: ShownAccount[], page: number, first: number, now: Date): string =>
  lines(
    title('Accounts', page),
    ...(all.length === 0
      ? [nothingHere]
      : numbered(
          first,
          all.map(({ account, refusedSince, frozenUntil }) =>
            joined(
              ' · ',
              code(account),
              refusedSince && `refused ${sinceFor(refusedSince, now)}`,
              frozenUntil && `waits until ${when(frozenUntil, now)}`,
            ),
          ),
        )),
  )

// ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────────────

export const invitation = (url: string) =>
  `A one-time link, good for 24 hours. Whoever opens it may connect an account:\n${escapeHtml(url)}`

/** Access is open to all. */
export const openToAll =
  '<b>Invitations</b>\nAnyone may connect an account here (<code>ACCESS=open</code>): nobody needs an invitation.\n\nStart the bot with <code>ACCESS=invite</code> to admit only whom you invite.'

export const invitations = (all: Pick<OpenInvitation, 'createdAt' | 'expiresAt'>[], now: Date): string =>
  lines(
    b('Invitations'),
    'Only who was invited may connect an account.',
    '',
    ...(all.length === 0
      ? ['No invitation is open.']
      : numbered(
          0,
          all.map(
            ({ createdAt, expiresAt }) => `${when(createdAt, now)}, good until ${when(expiresAt, now)}`,
          ),
        )),
  )

export const revokeLabel = (number: number): string => `🗑 Revoke ${number}`
export const revoked = 'Revoked: that link opens nothing any more.'
export const revokedTooLate = 'That link was used, revoked, or its time is over.'

// ── Blocking ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const blockedChats = (
  all: { chatId: number; since: Date }[],
  page: number,
  first: number,
  now: Date,
): string =>
  lines(
    title('Blocked', page),
    'What they write is not read. What they had confirmed goes on, and they are told of it.',
    '',
    ...(all.length === 0
      ? ['Nobody is blocked.']
      : numbered(
          first,
          all.map(({ chatId, since }) => `${code(String(chatId))} ${sinceFor(since, now)}`),
        )),
  )

export const unblockLabel = (number: number): string => `↩️ Unblock ${number}`

export const askBlock =
  'Whom? Send their Telegram user id, a number such as <code>123456789</code>. A group’s id begins with a minus.'

export const notAnId = (text: string): string =>
  `${code(text, 30)} is no user id. Send the number alone, such as <code>123456789</code>, or /cancel.`

export interface BlockOptions {
  chatId: number
  role: 'owner' | 'agent' | null
  /** Of their account, orders that are not finished. */
  open: number
}

export const askBlockSure = ({ chatId, role, open }: BlockOptions): string =>
  lines(
    b('Block this chat?'),
    code(String(chatId)),
    role === null
      ? 'They belong to no account.'
      : role === 'owner'
        ? 'They own an account.'
        : 'They are an agent.',
    open === 0
      ? null
      : `${counted(open, 'order', 'orders')} of that account is not finished: they are told of theirs.`,
    '',
    'Nothing that they send is read any more. They are told once.',
  )

export const blockedNow = 'Blocked'
export const blockedBefore = 'That chat was blocked already.'
export const unblocked = 'Unblocked: what they write is read again.'
export const notBlocked = 'That chat is not blocked.'
export const operatorsStay = 'An operator cannot be blocked.'

/** To the chat itself. */
export const youAreBlocked =
  '🚫 Whoever runs this bot has blocked this chat: what you write here is not read any more.\n\nWhat you had confirmed goes on, and you are told here how it ends.'

// ── Maintenance ──────────────────────────────────────────────────────────────────────────────────────────────────

const sinceUntil = ({ since, until }: Maintenance, now: Date): string =>
  joined(
    ', ',
    ` since ${when(since, now)}`,
    until === null
      ? null
      : until > now
        ? `until about ${when(until, now)}`
        : `planned until ${when(until, now)}`,
  )

const reasonWords = (reason: string | null): string =>
  `Why: ${reason === null ? 'not said' : `“${escapeHtml(oneLine(reason, longestReason))}”`}`

export const maintenanceOff = lines(
  b('Maintenance'),
  'Orders are taken.',
  '',
  'You can pause them for everybody: no press orders anything then. What was confirmed before goes on, and so does all else.',
)

export const maintenanceOn = (maintenance: Maintenance, now: Date): string =>
  lines(
    b('Maintenance'),
    `🛠 Orders are ${b('paused')}${sinceUntil(maintenance, now)}.`,
    reasonWords(maintenance.reason),
    '',
    'No press orders anything. What was confirmed before goes on. Whoever is refused is told when orders are taken again.',
    '',
    'When will it be over?',
  )

export const askPause = (minutes: number, reason: string | null): string =>
  lines(
    b('Pause all orders?'),
    `How long: ${minutes === 0 ? 'not said' : `about ${lengthWords(minutes)}`}`,
    reasonWords(reason),
    '',
    `People are told this. Choose how long below, or send when it is over, as <code>14:30</code>. Send why, in one line of up to ${longestReason} characters.`,
  )

export const askReason = `Send what people are told, in one line of up to ${longestReason} characters; or when it is over, as <code>14:30</code>.`

export const reasonTooLong = (length: number): string =>
  `That has ${grouped(length)} characters. Send at most ${longestReason}, or /cancel.`

export const askResume = 'Take orders again, from everybody? Whoever was refused meanwhile is told.'

const lengthWords = (minutes: number): string =>
  joined(
    ' ',
    minutes < 60 ? null : `${Math.floor(minutes / 60)} h`,
    minutes % 60 === 0 && minutes > 0 ? null : `${minutes % 60} min`,
  )

export const lengthLabel = (minutes: number, isChosen: boolean): string =>
  `${isChosen ? '• ' : ''}${minutes === 0 ? operatorLabels.noEnd : lengthWords(minutes)}`

export const pausedNow = 'Orders are paused'
export const resumedNow = 'Orders are taken again'
export const reasonSet = 'Saved'
