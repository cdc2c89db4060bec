import type { OutageCause } from '../../database/outage.ts'

/** The words while the database takes no changes. */

/** To a message: Telegram keeps it until it can be handled. */
export const kept =
  'I can’t save anything just now, so nothing is ordered by this message yet. Don’t send it again: I answer here when I can.'

/** To a press, as an alert of at most 200 characters. */
export const pressNotTaken =
  'I can’t save anything just now, so this press did nothing. Your earlier orders are as they were. Press again when I write here.'

/** The work stopped in the middle, and no earlier step ordered anything. */
export const stopped =
  'I can’t save anything just now, so I stopped there. Nothing new was ordered. Try again in a few minutes.'

/** To a message or a press that may have been taken before the database went. At most 200 characters. */
export const uncertain =
  'My database went away just then, so I can’t say yet if that was ordered. Don’t order it again: I’ll tell you here.'

/** After the outage, to people whose press did nothing. */
export const pressAgain =
  'I can save again. Your press did nothing, and earlier orders are as they were. Press again if you still want it.'

/** To people who pressed while the bot was not running. */
export const pressedInAbsence =
  'I was away, so your press did nothing, and earlier orders are as they were. Press again if you still want it.'

const causes: Record<OutageCause, string> = {
  full: 'its disk is full. Make room on it',
  read_only: 'it is read-only. Let the bot write to it again',
  locked: 'it is locked by another program, or too slow to answer. End that program',
  unreachable: 'it cannot be reached. Start its server, or repair the connection',
  failing: 'writing fails. Look in the log for the error',
}

/** For `/readyz` and the log. */
export const causeInWords = (cause: OutageCause): string => causes[cause].split('. ')[0] ?? cause

export const toldOperators = (cause: OutageCause): string =>
  `⚠️ The database takes no changes: ${causes[cause]}.\n\nNobody can order until then, and people are told so. Messages wait at Telegram.`

/** In place of that warning, if the bot is stopped before the database takes changes again. */
export const stoppedMeanwhile =
  '⏹ I was stopped while the database took no changes. Nobody can order until it takes them and I run again.'
