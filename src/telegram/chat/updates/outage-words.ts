import type { OutageCause } from '../../../database/outage.ts'

/** Texts for when the database takes no changes. */

/**
 * The answer to a message. The message may have been handled just before the outage, so the text says nothing about
 * orders.
 */
export const kept =
  'I can’t save anything just now. Don’t send your message again: I’ll answer here when I can.'

/** The answer to a press, as a pop-up of at most 200 characters. */
export const pressKept =
  'I can’t save anything just now. Don’t press again: I’ll act on it when I can, and the card will show what happened.'

/** Said when the outage stopped work that continued after the bot's answer, such as an export. */
export const stopped =
  'I can’t save anything just now, so I stopped halfway. Your cards show what was ordered. Try again in a few minutes.'

/**
 * Said to people whose answer may have been lost while Telegram was down. The lost answer may be out of date, so it is
 * not sent again.
 */
export const sendAgain =
  'Telegram was down, so my answer may not have reached you. If you don’t see it, send your message again.'

const causes: Record<OutageCause, string> = {
  full: 'its disk is full. Free up some space',
  read_only: 'it’s read-only. Let the bot write to it again',
  locked:
    'it’s locked by another program, or too slow to answer. If another program is using it, close that program',
  unreachable: 'it can’t be reached. Start its server, or repair the connection',
  failing: 'writes are failing. Look in the log for the error',
}

/** The outage's cause, for `/readyz` and the log. */
export const causeInWords = (cause: OutageCause): string => causes[cause].split('. ')[0] ?? cause

export const toldOperators = (cause: OutageCause): string =>
  `⚠️ The database isn’t accepting changes: ${causes[cause]}.\n\nNobody can order until it does, and I’m telling people so. Messages are waiting at Telegram.`

/** Replaces the operators' warning if the bot stops before the database takes changes again. */
export const stoppedMeanwhile =
  '⏹ I was stopped while the database wasn’t accepting changes. Nobody can order until it accepts them and I’m started again.'
