import type { PricelessOrder } from '../../../domain/order/order.ts'
import { countsOf } from '../../../domain/order/progress.ts'
import { isFailure } from '../../../domain/order/recipient-ends.ts'
import { isOver, type TimelineReport, type TimelineStep, timeline } from '../../../domain/order/timeline.ts'
import type { DeliveryPace } from '../../../shop/delivery-pace.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b, code, joined, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { orderMark, placementWord, statusWord } from '../../words/order-state.ts'
import { paceLine } from '../../words/pace.ts'
import { progressLine } from './list.ts'

/** Texts for people with a share link or a reference. They paid the shop, so no text here names a price or a wallet. */

export interface SharedContext {
  /** Whether the chat follows the order. */
  follows: boolean
  /** The order's status reports, oldest first. */
  events: readonly TimelineReport[]
  /** Whether the account is still connected. If it isn't, the order is no longer followed. */
  connected: boolean
  /** How long orders on that network take now; null if that is not known. */
  pace: DeliveryPace | null
  shop: SeenShop
  now: Date
}

/** The shop as its customers may see it. */
export interface SeenShop {
  name: string | null
  phone: string | null
}

/** @param maskedWhom the masked number, or how many numbers there are. */
export const sharedCard = (order: PricelessOrder, maskedWhom: string, context: SharedContext) =>
  lines(
    `${orderMark(order)} ${b(bundleOf(order))} for ${maskedWhom}`,
    `Status: ${b(statusWord(order))}`,
    order.kind === 'bulk' && order.placement === 'placed' ? progressLine(countsOf([order])) : null,
    order.reference ? `Reference: ${code(order.reference)}` : null,
    '',
    ...timelineLines(order, context.events, context.now),
    ...paragraph(context.pace && paceLine(context.pace)),
    ...paragraph(sharedNote(order, context.connected)),
    ...paragraph(context.follows && context.connected ? followNote(order) : null),
    ...paragraph(shopLine(context.shop)),
  )

/** The shop's name, which it chose itself, and its number; null if it has set neither. */
const shopLine = ({ name, phone }: SeenShop): string | null =>
  joined(
    ' · ',
    name === null ? null : `🏪 ${b(foreignWord(name))} <i>(name given by the shop)</i>`,
    phone === null ? null : `${name === null ? '🏪 ' : ''}${phoneText(phone)}`,
  ) || null

/** What a customer writes to the shop to order again. Plain text. */
export const buyAgain = (order: PricelessOrder) =>
  `I want ${oneLine(order.network)} ${oneLine(order.volume)} again`

/** What the shop writes to its customer. Plain text. */
export const arrived = (order: PricelessOrder) =>
  `Your ${oneLine(order.network)} ${oneLine(order.volume)} has arrived. Thank you!`

const paragraph = (text: string | null): string[] => (text === null ? [] : ['', text])

/** Shown to followers of an order that has not ended. */
export const followsOpen = 'I’ll tell you here when it arrives. This message shows each change.'

const followNote = (order: PricelessOrder): string =>
  isOver(order) ? 'You’re following this order. You’ll see any change here.' : followsOpen

/** The steps of the order so far, one a line. */
export const timelineLines = (
  order: PricelessOrder,
  events: readonly TimelineReport[],
  now: Date,
): string[] => timeline(order, events).map((step) => stepLine(step, now))

const signs = { past: '✓', now: '●', ahead: '○', failed: '✗' } as const

const stepLine = (step: TimelineStep, now: Date): string => {
  const isBack = step.stage === 'status' && step.status === 'refunded' && step.state === 'failed'
  return `${isBack ? '↩' : signs[step.state]} ${stepWord(step)}${step.at ? ` ${when(step.at, now)}` : ''}`
}

const stepWord = (step: TimelineStep): string => {
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

/** What the status means for a customer, if its word is not clear enough. */
const sharedNote = (order: PricelessOrder, connected: boolean): string | null => {
  if (!connected && !isOver(order)) {
    return 'I’m no longer following this order. Ask the shop what happened to it.'
  }
  switch (order.placement) {
    case 'queued':
    case 'sending':
      return null
    case 'unconfirmed':
    case 'review':
      return 'I can’t tell yet if it went through. The shop knows and is checking.'
    case 'placed':
      if (order.reason === 'stale') return 'No news for a week. Ask the shop.'
      if (isFailed(order.status)) return failureNote(order.status, order.statusReported)
      return isFailedInPart(order) ? `Not all of it was delivered. ${askShop}` : null
    default:
      return `This order didn’t go through. ${askShop}`
  }
}

const isFailed = (status: string | null): status is string => isFailure(status) || status === 'refunded'

/** Whether some of the order's numbers failed, whatever its own status is. */
const isFailedInPart = (order: PricelessOrder): boolean =>
  order.kind === 'bulk' && countsOf([order]).failed.length > 0

const askShop = 'The shop knows. Ask them what happens next.'

const failureNote = (status: string, reported: boolean): string => {
  if (reported) return 'I’m checking that now.'
  return status === 'refunded'
    ? `This order was reversed, so the data won’t arrive. ${askShop}`
    : `The data wasn’t delivered. ${askShop}`
}

/** The news of a status for the order's followers. */
export const followAnnounce = (
  order: PricelessOrder,
  maskedPhone: string,
  status: string,
  reported: boolean,
) =>
  lines(
    `${orderMark({ placement: 'placed', status })} ${bundleOf(order)} for ${maskedPhone}: ${b(foreignWord(status) + (reported ? ' (reported)' : ''))}`,
    order.reference ? code(order.reference) : null,
    isFailed(status) ? failureNote(status, reported) : null,
  )

// ── What a chat follows ────────────────────────────────────────────────────────────────────────────────────────

export const welcomeFollower = 'The orders you follow:'

/** The label of a button. Plain text. */
export const followedLabel = (order: PricelessOrder, maskedWhom: string) =>
  `${orderMark(order)} ${oneLine(order.network)} ${oneLine(order.volume)} · ${maskedWhom}`

export const followed = (lines: string[]) =>
  [
    b('Orders you follow'),
    '',
    ...lines,
    '',
    'Press an order to open it. For another, send its reference.',
  ].join('\n')

export const followedLine = (order: PricelessOrder, maskedWhom: string, now: Date) =>
  `${orderMark(order)} ${bundleOf(order)} for ${maskedWhom}: ${b(statusWord(order))} · ${when(order.createdAt, now)}`

export const followerLabels = {
  follow: '🔔 Follow',
  unfollow: '🔕 Unfollow',
  buyAgain: '🛒 Buy again',
} as const

export const followMistaken = (order: PricelessOrder, maskedPhone: string) =>
  `⚠️ Correction: my last message about ${bundleOf(order)} for ${maskedPhone} was really about another order. This one is ${b(statusWord(order))}.`

export const followEnded = (order: PricelessOrder, maskedPhone: string) =>
  lines(
    `I’m no longer following ${bundleOf(order)} for ${maskedPhone} (${statusWord(order)}). Ask the shop what happened to it.`,
    order.reference ? code(order.reference) : null,
  )

/** @param isOver whether the order can no longer change. */
export const followedToast = (isOver: boolean) =>
  isOver ? 'You’re following this order. It’s already finished.' : 'I’ll tell you when it arrives.'

export const unfollowedToast = 'No more messages about this order.'
