import type { Maintenance } from '../../orders/maintenance.ts'
import { escapeHtml, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import { joined, lines } from './markup.ts'

/** What people are told while an operator has paused all orders, and after it. */

const reasonLength = 200

/** ` until about 14:30`, or that it takes longer than it was to. */
const untilWords = ({ until }: Maintenance, now: Date): string => {
  if (until === null) return '.'
  return until > now ? ` until about ${when(until, now)}.` : '. It takes longer than planned.'
}

/** Why a press did not order. Plain text, of at most 200 characters. */
export const pausedToast = (maintenance: Maintenance, now: Date): string =>
  `🛠 Orders are paused${untilWords(maintenance, now)} Nothing was ordered or charged. Press again when they are taken again: you are told here.`

/** On a card that cannot be confirmed now. */
export const pausedOnCard = (maintenance: Maintenance, now: Date): string =>
  lines(
    joined(
      ' ',
      `🛠 Orders are paused by who runs this bot${untilWords(maintenance, now)}`,
      maintenance.reason === null ? null : `“${escapeHtml(oneLine(maintenance.reason, reasonLength))}”`,
    ),
    'This card stays: confirm it then. What was confirmed before goes on.',
  )

export const ordersAgain =
  '✅ Orders are taken again. Nothing was ordered meanwhile: what you want, press <b>Confirm</b> on its card, or order it anew.'
