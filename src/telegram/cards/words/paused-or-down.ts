import type { Maintenance } from '../../../domain/may-order.ts'
import { staleConfirmationMs } from '../../../domain/order/placement.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, counted, joined, lengthIn, lines } from '../../words/markup.ts'

/** Texts for while all orders are paused or a network is down, and for when orders reopen. */

const reasonLength = 200

/** The end of a sentence about a pause: ` until about 14:30.`, or that the pause takes longer than planned. */
const untilWords = ({ until }: Maintenance, now: Date): string => {
  if (until === null) return '.'
  return until > now ? ` until about ${when(until, now)}.` : '. It’s taking longer than planned.'
}

/** Why a press did not order. Plain text of at most 200 characters. */
export const pausedToast = (maintenance: Maintenance, now: Date): string =>
  `🛠 Orders are paused${untilWords(maintenance, now)} Nothing new was ordered. I’ll tell you here when orders reopen.`

/** The line on a card that cannot be confirmed now. */
export const pausedOnCard = (maintenance: Maintenance, now: Date): string =>
  lines(
    joined(
      ' ',
      `🛠 Orders are paused${untilWords(maintenance, now)}`,
      maintenance.reason === null ? null : `“${escapeHtml(oneLine(maintenance.reason, reasonLength))}”`,
    ),
    'Keep this card and confirm when orders reopen. Orders you’ve already confirmed still go out.',
  )

export const networkBack = (network: string): string =>
  `✅ ${b(`${foreignWord(network)} is back.`)} Press <b>Confirm</b> on your card, or send a new order.`

export const ordersAgain = '✅ Orders are open again. Press <b>Confirm</b> on your card, or send a new order.'

/**
 * The line on a card that cannot be confirmed while its network is down. The card is redrawn when the network is back.
 */
export const downOnCard = (network: string, since: Date, now: Date): string =>
  `📴 ${b(`${foreignWord(network)} has been down since ${when(since, now)}`)}. Nothing has been charged. I’ll tell you when it’s back. Then you can confirm here.`

/** Why a press did not order. Plain text of at most 200 characters. */
export const downToast = (network: string): string =>
  `📴 ${oneLine(network, 20)} is down, so nothing new was ordered. Confirm later.`

/** The line about the numbers that a list leaves out. */
export const downInList = (down: readonly string[], count: number): string =>
  `📴 ${b(`${allOf(down.map(foreignWord))} ${down.length === 1 ? 'is' : 'are'} down`)}: ${counted(count, 'number', 'numbers')} left out for now. ${count === 1 ? 'It stays' : 'They stay'} here when you confirm the rest.`

/** `MTN`, `MTN and Telecel`, `MTN, Telecel and AirtelTigo`. */
const allOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' and ')

/** The line for an order that was confirmed before the network went down. */
export const waitsForNetwork = (network: string): string =>
  `📴 Waiting: ${foreignWord(network)} is down. Not sent, not charged. I’ll send it when ${foreignWord(network)} is back, but after ${lengthIn('minute', staleConfirmationMs)} I’ll ask you first.`

/** The line on a list's card for its numbers that wait for a network. */
export const numbersWaitForNetwork = (network: string, count: number): string =>
  `📴 ${foreignWord(network)} is down: ${counted(count, 'number is', 'numbers are')} waiting. Not sent, not charged. I’ll send ${count === 1 ? 'it' : 'them'} when ${foreignWord(network)} is back, but after ${lengthIn('minute', staleConfirmationMs)} I’ll ask you first.`
