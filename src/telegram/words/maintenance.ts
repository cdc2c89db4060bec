import type { Maintenance } from '../../orders/buying/maintenance.ts'
import { escapeHtml, oneLine } from '../chat/screen.ts'
import { when } from '../chat/time.ts'
import { joined, lines } from './markup.ts'

/** To people, while an operator has paused all orders and after it. */

const reasonLength = 200

/** ` until about 14:30`, or that it takes longer than planned. */
const untilWords = ({ until }: Maintenance, now: Date): string => {
  if (until === null) return '.'
  return until > now ? ` until about ${when(until, now)}.` : '. It takes longer than planned.'
}

/** Says why a press did not order. Plain text of at most 200 characters. */
export const pausedToast = (maintenance: Maintenance, now: Date): string =>
  `🛠 Orders are paused${untilWords(maintenance, now)} Nothing new was ordered. I’ll tell you here when you can press again.`

/** For a card that cannot be confirmed now. */
export const pausedOnCard = (maintenance: Maintenance, now: Date): string =>
  lines(
    joined(
      ' ',
      `🛠 Orders are paused${untilWords(maintenance, now)}`,
      maintenance.reason === null ? null : `“${escapeHtml(oneLine(maintenance.reason, reasonLength))}”`,
    ),
    'This card stays: confirm it then. Confirmed orders go on.',
  )

export const ordersAgain = '✅ Orders are taken again. Press <b>Confirm</b> on your card, or order again.'
