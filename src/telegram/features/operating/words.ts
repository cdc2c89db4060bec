import type { Maintenance } from '../../../domain/may-order.ts'
import { maxReasonLength } from '../../../orders/permission/switches.ts'
import type { OpenInvitation, PeopleCounts } from '../../../store/operators/overview.ts'
import type { StuckCounts } from '../../../store/operators/stuck.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, counted, grouped, joined, lengthIn, lines, span } from '../../words/markup.ts'
import { numbered, openWords } from './line-words.ts'

/** Texts for operators, and for the people whom they invite. */

export const operatorLabels = {
  invite: '✉️ Invite',
  invitations: '🎟 Invitations',
  forward: '📨 Send link',
  blocked: '🚫 Blocked',
  maintenance: '🛠 Maintenance',
  overview: '‹ Control room',
  drop: '🗑 Drop',
  lookNow: '🔍 Look now',
  dismiss: '🗑 Dismiss',
  dismissAll: '🗑 Dismiss all',
  block: '🚫 Block the chat',
  blockSomebody: '🚫 Block somebody',
  blockSure: '✅ Confirm: block',
  pause: '⏸ Pause orders',
  pauseSure: '✅ Confirm: pause orders',
  resume: '▶️ Resume orders',
  resumeSure: '✅ Confirm: resume orders',
  reason: '✏️ Add a reason',
  noReason: '🗑 Remove reason',
  noEnd: 'Don’t know yet',
} as const

export const stuckLabel = (count: number): string =>
  count === 0 ? '✅ Nothing stuck' : `⚠️ Stuck: ${grouped(count)}`

export const byInvitation =
  'This bot is invitation-only: ask whoever runs it for a link. You can check an order without one: send its reference.'

export const invitationAccepted = '✅ Invitation accepted. Now /connect your account.'

export const invitationSpent = 'This invitation has already been used or has expired. Ask for a new link.'

// ── The operators' overview ─────────────────────────────────────────────────────────────────────────────────────────

export interface Overview {
  maintenance: Maintenance | null
  /** Networks that are down. */
  down: readonly string[]
  accounts: number
  people: PeopleCounts
  today: { state: string; count: number }[]
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
    b('Control room'),
    maintenance ? `🛠 Orders ${b('paused')}${sinceUntil(maintenance, now)}` : 'Orders are open.',
    down.length > 0 ? `📴 Down: ${down.map(shortWord).join(', ')}` : null,
    '',
    joined(
      ' · ',
      `${b('Today')}: ${counted(sum(today), 'order', 'orders')}`,
      today.length === 0
        ? null
        : listed(today.map(({ state, count }) => ({ name: openWords.get(state) ?? state, count }))),
    ),
    `${b('Open')}: ${sum(open) === 0 ? 'none' : listed(open.map(({ placement, count }) => ({ name: openWords.get(placement) ?? placement, count })))}`,
    '',
    b('Waiting'),
    `Provider’s reports: ${waiting(rest.callbacks, now)}`,
    `Messages: ${waiting(rest.messages, now)}`,
    '',
    b('People'),
    `${counted(rest.accounts, 'account', 'accounts')} · ${counted(people.owners, 'owner', 'owners')} · ${counted(people.agents, 'agent', 'agents')}`,
    `Chats following an order: ${grouped(people.following)}`,
    people.muted === 0 ? null : `Chats that blocked the bot: ${grouped(people.muted)}`,
    people.blocked === 0 ? null : `Chats you blocked: ${grouped(people.blocked)}`,
    '',
    `Bundlegram ${shortWord(rest.version)} · ${shortWord(rest.database)} · ${when(now, now)}:${String(now.getUTCSeconds()).padStart(2, '0')}`,
  )

const sum = (all: { count: number }[]): number => all.reduce((total, { count }) => total + count, 0)

/** A short name, such as a network's or a version's. */
const shortWord = (text: string): string => escapeHtml(oneLine(text, 16))

/** How many states are named with their counts. The counts of the others are added up. */
const maxStates = 5
/** The maximum number of characters shown of a state's name. */
const maxName = 12

const listed = (all: { name: string; count: number }[]): string => {
  const found = all.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count)
  // If only one more state is left, it is named too.
  const shown = found.length <= maxStates ? found : found.slice(0, maxStates - 1)
  const rest = sum(found.slice(shown.length))
  return joined(
    ' · ',
    ...shown.map(
      ({ name, count }) => `${escapeHtml(oneLine(name.replaceAll('_', ' '), maxName))} ${grouped(count)}`,
    ),
    rest === 0 ? null : `other states ${grouped(rest)}`,
  )
}

/** How many wait, and for how long the oldest has waited. */
const waiting = ({ count, oldest }: { count: number; oldest: Date | null }, now: Date): string =>
  joined(
    ', ',
    count === 0 ? 'none' : grouped(count),
    oldest === null || count === 0 ? null : `oldest ${span(now.getTime() - oldest.getTime())}`,
  )

export const dismissed = (count: number): string => `Dismissed: ${grouped(count)}`

// ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────────────

/** @param goodForMs how long the link can be used. */
export const invitation = (url: string, goodForMs: number) =>
  `A one-time link, good for ${lengthIn('hour', goodForMs)}. The first person to use it can connect an account:\n${escapeHtml(url)}`

/** The text that is forwarded. Plain text. */
export const invitationText = (url: string, goodForMs: number) =>
  `Order data bundles by chat. This link is only for you and works for ${lengthIn('hour', goodForMs)}: ${url}`

/** The answer if anyone may connect. */
export const openToAll =
  '<b>Invitations</b>\nAnyone can connect an account here (<code>ACCESS=open</code>), so nobody needs an invitation.\n\nTo let in only people you invite, start the bot with <code>ACCESS=invite</code>.'

export const invitations = (all: Pick<OpenInvitation, 'createdAt' | 'expiresAt'>[], now: Date): string =>
  lines(
    b('Invitations'),
    'Only invited people can connect an account.',
    '',
    ...numbered(
      0,
      all.map(
        ({ createdAt, expiresAt }) => `Made ${when(createdAt, now)}, good until ${when(expiresAt, now)}`,
      ),
      'No invitations are open.',
    ),
  )

export const revokeLabel = (number: number): string => `🗑 Revoke ${number}`
export const revoked = 'Revoked. The link no longer works.'
export const revokedTooLate = 'Too late: the link has been used or revoked, or has expired.'

// ── The pause of all orders ─────────────────────────────────────────────────────────────────────────────────────────

const sinceUntil = ({ since, until }: Maintenance, now: Date): string =>
  joined(
    ', ',
    ` since ${when(since, now)}`,
    until === null
      ? null
      : until > now
        ? `until about ${when(until, now)}`
        : `due to reopen at ${when(until, now)}`,
  )

const reasonWords = (reason: string | null): string =>
  `Reason: ${reason === null ? 'not given' : `“${escapeHtml(oneLine(reason, maxReasonLength))}”`}`

export const maintenanceOff = lines(
  b('Maintenance'),
  'Orders are open.',
  '',
  'You can pause all new orders. Orders already confirmed still go out.',
)

export const maintenanceOn = (maintenance: Maintenance, now: Date): string =>
  lines(
    b('Maintenance'),
    `🛠 Orders ${b('paused')}${sinceUntil(maintenance, now)}.`,
    reasonWords(maintenance.reason),
    '',
    'Nobody can order until you resume. Orders already confirmed still go out. When you resume, I’ll tell everyone who tried to order.',
    '',
    'When will orders reopen?',
  )

export const askPause = (minutes: number, reason: string | null): string =>
  lines(
    b('Pause all orders?'),
    `How long: ${minutes === 0 ? 'not known yet' : `about ${lengthWords(minutes)}`} · ${reasonWords(reason)}`,
    '',
    `People will see this. Choose how long below, or send the time the pause ends, like <code>14:30</code>. You can also send a reason, up to ${maxReasonLength} characters.`,
  )

export const askReason = `Send the reason people will see, up to ${maxReasonLength} characters. Or send the time the pause ends, like <code>14:30</code>.`

export const reasonTooLong = (length: number): string =>
  `Too long: ${grouped(length)} characters. Send at most ${maxReasonLength}, or /cancel.`

export const askResume = 'Resume orders? I’ll tell people who tried to order.'

const lengthWords = (minutes: number): string =>
  joined(
    ' ',
    minutes < 60 ? null : `${Math.floor(minutes / 60)} h`,
    minutes % 60 === 0 && minutes > 0 ? null : `${minutes % 60} min`,
  )

export const lengthLabel = (minutes: number, isChosen: boolean): string =>
  `${isChosen ? '• ' : ''}${minutes === 0 ? operatorLabels.noEnd : lengthWords(minutes)}`

export const pausedNow = 'Orders are paused'
export const resumedNow = 'Orders resumed'
export const reasonSet = 'Saved'
