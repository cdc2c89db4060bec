import {
  type StrangeCallback,
  type StuckCounts,
  type StuckNotice,
  type StuckOrder,
  stuckAfterMs,
  type TroubledAccount,
  unappliedAfterMs,
} from '../../../store/operators/stuck.ts'
import { foreignWord } from '../../chat/screen.ts'
import { moment, when } from '../../chat/time.ts'
import { b, code, counted, grouped, joined, lengthIn, lines, span } from '../../words/markup.ts'
import { numbered, placementWord, sinceFor, title } from './line-words.ts'
import { stuckTotal } from './words.ts'

export const stuckLabels = {
  notices: (count: number): string => `✉️ Messages: ${grouped(count)}`,
  orders: (count: number): string => `📦 Orders: ${grouped(count)}`,
  callbacks: (count: number): string => `📮 Reports: ${grouped(count)}`,
  accounts: (count: number): string => `🔑 Accounts: ${grouped(count)}`,
} as const

export interface Troubled {
  /** Accounts whose credentials are refused. */
  refused: number
  /** Accounts that must wait because the provider asked for a pause. */
  frozen: number
  /** Chats that Telegram delivers no messages to, for example because the person blocked the bot. */
  muted: number
}

export const stuck = (counts: StuckCounts, { refused, frozen, muted }: Troubled): string =>
  lines(
    b('Stuck'),
    stuckTotal(counts) === 0 ? '✅ Nothing is stuck.' : null,
    `This page lists orders without an answer for ${lengthIn('minute', stuckAfterMs)}, reports not applied within ${lengthIn('minute', unappliedAfterMs)}, and messages that couldn’t be sent.`,
    counts.notices === 0 ? null : `✉️ ${counted(counts.notices, 'message', 'messages')} couldn’t be sent`,
    counts.orders === 0 ? null : `📦 ${counted(counts.orders, 'order', 'orders')} with an unknown outcome`,
    counts.callbacks === 0
      ? null
      : `📮 ${counted(counts.callbacks, 'report', 'reports')} from the provider that couldn’t be matched or applied`,
    '',
    refused + frozen + muted === 0 ? null : b('Waiting for others'),
    refused === 0
      ? null
      : `🔑 ${counted(refused, 'account', 'accounts')} with a refused key: owners are asked to /connect again`,
    frozen === 0 ? null : `⏳ ${counted(frozen, 'account', 'accounts')} told to wait by the provider`,
    muted === 0 ? null : `🔇 ${counted(muted, 'chat', 'chats')} that blocked the bot, until they write again`,
  )

export const notices = (all: StuckNotice[], page: number, first: number, now: Date): string =>
  lines(
    title('Unsent messages', page),
    'Telegram refused them, or a fault stopped me from writing them. The log says which.',
    '',
    ...numbered(
      first,
      all.map(({ kind, setAsideAt }) => `${noticeName(kind)}, ${when(setAsideAt, now)}`),
    ),
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
    `What: ${noticeName(kind)}`,
    `About: ${code(subject)}`,
    `Waiting: ${sinceFor(createdAt, now)}`,
    `Stopped trying: ${when(setAsideAt, now)}, after ${counted(attempts + 1, 'try', 'tries')}`,
    '',
    '<b>Try again</b> sends the message, brought up to date. <b>Drop</b> deletes it unsent.',
  )

export const triedAgain = 'Sending again'

export const dropped = 'Dropped'

export const noLongerStuck = 'Not stuck any more.'

/** An order with the name under which its account appears in the log. */
export type ShownOrder = StuckOrder & { account: string }

export const orders = (all: ShownOrder[], page: number, first: number, now: Date): string =>
  lines(
    title('Orders with an unknown outcome', page),
    'I’m still checking them, and I never resend an order.',
    '',
    ...numbered(
      first,
      all.map(({ placement, since, account }) =>
        joined(' · ', placementWord(placement), span(now.getTime() - since.getTime()), code(account)),
      ),
    ),
  )

export const order = (
  { id, account, placement, reason, quantity, since, nextLookAt }: ShownOrder,
  now: Date,
): string =>
  lines(
    b('Order'),
    code(id),
    `Account: ${code(account)}`,
    `State: ${b(placementWord(placement))} ${sinceFor(since, now)}`,
    reason === null ? null : `Why: ${foreignWord(reason.replaceAll('_', ' '))}`,
    quantity === 1 ? null : `For ${counted(quantity, 'number', 'numbers')}`,
    nextLookAt === null
      ? 'Next check: none, because it’s up to the person'
      : nextLookAt > now
        ? `Next check: ${when(nextLookAt, now)}`
        : 'Next check: now',
    '',
    placement === 'review'
      ? 'I can’t tell if it was charged, so I asked the person. <b>Look now</b> reads the wallet again and sends nothing.'
      : '<b>Look now</b> searches the wallet for this order and sends nothing.',
  )

export const looking = 'Looking…'

export const endKnown = 'That order’s outcome is known now.'

export const callbacks = (all: StrangeCallback[], page: number, first: number, now: Date): string =>
  lines(
    title('Unmatched reports', page),
    'The provider sent these, but they match no order. Only operators see them.',
    '',
    ...numbered(
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
    ),
  )

export const callback = (
  { id, orderId, reference, status, receivedAt, isUnapplied, isAnswer }: StrangeCallback,
  now: Date,
): string =>
  lines(
    b(`${isAnswer ? 'Answer' : 'Report'} ${id}`),
    isUnapplied
      ? 'It couldn’t be applied. I’m still trying; the log says why.'
      : isAnswer
        ? 'The provider’s answer to an order names this reference, but that order already has a different one, or the reference belongs to another order. Both are kept.'
        : 'It arrived at one order’s callback address but names another order’s reference, or it arrived before its order was placed.',
    '',
    `${isAnswer ? 'Answer to' : 'Callback address of'}: ${code(orderId)}`,
    `Reference: ${code(reference, 60)}`,
    `Status: ${foreignWord(status)}`,
    `Arrived: ${moment(receivedAt, now)}`,
    '',
    isUnapplied
      ? 'After <b>Dismiss</b>, I stop trying but still ask for the order’s status.'
      : '<b>Dismiss</b> hides it. Nothing else changes.',
  )

export type ShownAccount = Omit<TroubledAccount, 'accountId'> & { account: string }

export const accounts = (all: ShownAccount[], page: number, first: number, now: Date): string =>
  lines(
    title('Accounts', page),
    ...numbered(
      first,
      all.map(({ account, refusedSince, frozenUntil }) =>
        joined(
          ' · ',
          code(account),
          refusedSince && `refused ${sinceFor(refusedSince, now)}`,
          frozenUntil && `waits until ${when(frozenUntil, now)}`,
        ),
      ),
    ),
  )
