import type { PricelessOrder } from '../../orders/order.ts'
import { countsOf } from '../../orders/progress.ts'
import { isFailure } from '../../orders/recipients.ts'
import { isOver, type Step, type TimelineEvent, timeline } from '../../orders/timeline.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import { bundleOf } from './bundle.ts'
import { progressLine } from './list.ts'
import { b, code, lines } from './markup.ts'
import { markOf, placementWord, statusWord } from './status.ts'

/**
 * The words for who has a share link or a reference: part of the catalogue. Their money is with the
 * shop, so nothing here speaks of a price or of the wallet.
 */

export interface SharedContext {
  /** The chat is told of changes. */
  follows: boolean
  /** The statuses that came for the order, as they arrived. */
  events: readonly TimelineEvent[]
  /** Its account is still here, so that its end is found out. */
  connected: boolean
  now: Date
}

/** @param maskedWhom the number as a stranger may see it, or how many there are. */
export const sharedCard = (order: PricelessOrder, maskedWhom: string, context: SharedContext) =>
  lines(
    `${markOf(order)} ${b(bundleOf(order))} for ${maskedWhom}`,
    `Status: ${b(statusWord(order))}`,
    order.kind === 'bulk' && order.placement === 'placed' ? progressLine(countsOf([order])) : null,
    order.reference ? `Reference: ${code(order.reference)}` : null,
    '',
    ...timeline(order, context.events).map((step) => stepLine(step, context.now)),
    ...paragraph(sharedNote(order, context.connected)),
    ...paragraph(context.follows && context.connected ? followNote(order) : null),
  )

const paragraph = (text: string | null): string[] => (text === null ? [] : ['', text])

const followNote = (order: PricelessOrder): string =>
  isOver(order)
    ? 'You follow it: should anything change, it stands here.'
    : 'You are told here how it ends. This message shows each change.'

const signs = { past: '✓', now: '●', ahead: '○', failed: '✗' } as const

const stepLine = (step: Step, now: Date): string => {
  const isBack = step.stage === 'status' && step.status === 'refunded' && step.state === 'failed'
  return `${isBack ? '↩' : signs[step.state]} ${stepWord(step)}${step.at ? ` ${when(step.at, now)}` : ''}`
}

const stepWord = (step: Step): string => {
  switch (step.stage) {
    case 'ordered':
      return 'ordered'
    case 'sent':
      return 'sent to the network'
    case 'placement':
      return placementWord(step.placement)
    case 'status':
      return `${foreignWord(step.status)}${step.reported ? ' (reported)' : ''}`
  }
}

/** What the status means for a customer, where it does not speak for itself. */
const sharedNote = (order: PricelessOrder, connected: boolean): string | null => {
  if (!connected && !isOver(order)) {
    return 'It is not followed here any more. Whoever ordered it can find out what becomes of it.'
  }
  switch (order.placement) {
    case 'queued':
    case 'sending':
      return null
    case 'unconfirmed':
    case 'review':
      return 'It is not certain yet whether it went through. The shop knows, and it is being checked.'
    case 'placed':
      if (order.reason === 'stale') return 'Nothing was heard of it for a week. The shop can ask about it.'
      if (isFailed(order.status)) return failureNote(order.status, order.statusReported)
      return isFailedInPart(order) ? `Not all of it was delivered. ${askShop}` : null
    default:
      return `No data comes by this order. ${askShop}`
  }
}

const isFailed = (status: string | null): status is string => isFailure(status) || status === 'refunded'

/** Some of its numbers got nothing, whatever its own status says. */
const isFailedInPart = (order: PricelessOrder): boolean =>
  order.kind === 'bulk' && countsOf([order]).failed.length > 0

const askShop = 'The shop was told; ask it what comes next.'

const failureNote = (status: string, reported: boolean): string => {
  if (reported) return 'That is being checked now.'
  return status === 'refunded'
    ? `It was taken back: no data comes by this order. ${askShop}`
    : `The data was not delivered. ${askShop}`
}

/** A status that is new to who follows the order. */
export const followAnnounce = (
  order: PricelessOrder,
  maskedPhone: string,
  status: string,
  reported: boolean,
) =>
  lines(
    `${markOf({ placement: 'placed', status })} ${bundleOf(order)} for ${maskedPhone}: ${b(foreignWord(status) + (reported ? ' (reported)' : ''))}`,
    order.reference ? code(order.reference) : null,
    isFailed(status) ? failureNote(status, reported) : null,
  )

// ── What a chat follows ────────────────────────────────────────────────────────────────────────────────────────

export const welcomeFollower = 'Below are the orders that you follow.'

/** A button's label: plain text. */
export const followedLabel = (order: PricelessOrder, maskedWhom: string) =>
  `${markOf(order)} ${oneLine(order.network)} ${oneLine(order.volume)} · ${maskedWhom}`

export const followed = (lines: string[]) =>
  [b('Orders that you follow'), '', ...lines, '', 'Press one to open it. Another? Send its reference.'].join(
    '\n',
  )

export const followedLine = (order: PricelessOrder, maskedWhom: string, now: Date) =>
  `${markOf(order)} ${bundleOf(order)} for ${maskedWhom}: ${b(statusWord(order))} · ${when(order.createdAt, now)}`

export const followerLabels = {
  follow: '🔔 Follow',
  unfollow: '🔕 Unfollow',
} as const

export const followMistaken = (order: PricelessOrder, maskedPhone: string) =>
  `⚠️ Correction: what was said here about ${bundleOf(order)} for ${maskedPhone} was about another order. This one is now: ${b(statusWord(order))}.`

export const followEnded = (order: PricelessOrder, maskedPhone: string) =>
  lines(
    `${bundleOf(order)} for ${maskedPhone} (${statusWord(order)}) is no longer followed here. Whoever ordered it can see at the provider what becomes of it.`,
    order.reference ? code(order.reference) : null,
  )

/** @param isOver nothing more is expected of it. */
export const followedToast = (isOver: boolean) =>
  isOver ? 'You follow it. It has come to its end already.' : 'You are told how it ends.'

export const unfollowedToast = 'No more messages about this order.'
