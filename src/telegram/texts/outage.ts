import type { OutageCause } from '../../store/outage.ts'

/** What is said while the database takes no changes. */

/** To a message: Telegram keeps it until it can be handled. */
export const kept =
  'I can’t save anything just now, so nothing is ordered by this message yet. No need to send this again, I answer here when I can. Still silent after 15 minutes? Then try again.'

/** To a press, as an alert of at most 200 characters. */
export const pressNotTaken =
  'I can’t save anything just now, so this press did nothing. Your earlier orders are as they were. Press again in a few minutes; I’ll write when it works.'

/** In the middle of something that an earlier step did not order. */
export const stopped =
  'I can’t save anything just now, so I stopped there. This step ordered nothing; your earlier orders are as they were. Try again in a few minutes.'

/** To a message or a press that may have been taken before the database went. At most 200 characters. */
export const uncertain =
  'My database went away just then, so I can’t say yet if that was ordered. Don’t order it again: I’ll show you here as soon as I know.'

/** To who had pressed something that was not taken, when it is over. */
export const pressAgain =
  'I can save again. What you pressed meanwhile was not done, and nothing was ordered by it. Press it again if you still want it.'

/** To who had pressed something while no process was there. */
export const pressedInAbsence =
  'I was away, so what you pressed meanwhile was not done: nothing was ordered by it. Press it again if you still want it.'

const causes: Record<OutageCause, string> = {
  full: 'its disk is full. Make room on it',
  read_only: 'it is read-only. Let the bot write to it again',
  locked: 'another program holds it locked, or it does not answer in time. End that program',
  unreachable: 'it cannot be reached. Start its server, or mend the way to it',
  failing: 'it fails to write. Look in the log for the error',
}

/** For `/readyz` and the log. */
export const causeInWords = (cause: OutageCause): string => causes[cause].split('. ')[0] ?? cause

export const toldOperators = (cause: OutageCause): string =>
  `⚠️ The database takes no changes: ${causes[cause]}.\n\nNobody can order until then. Messages wait at Telegram; people are told that nothing was ordered.`

export const toldOperatorsEnd = (minutes: number): string =>
  `✅ The database takes changes again, after ${minutes < 1 ? 'less than a minute' : `${Math.round(minutes)} min`}. What people wrote meanwhile is being answered.`
