import { everyDay } from '../../../lists/written-reminder.ts'
import { clockOf } from '../../../lists/written-time.ts'
import { maxReminders, type Reminder } from '../../../store/orders/reminders.ts'
import { dayNames, reminderLabels, reminderText } from '../../cards/words/reminder.ts'
import { foreignWord } from '../../chat/screen.ts'
import { moment } from '../../chat/time.ts'
import { b, lines } from '../../words/markup.ts'

export const ownLabels = {
  pause: '⏸ Pause',
  resume: '▶️ Resume',
} as const

const next = ({ nextAt }: Reminder, now: Date): string =>
  nextAt === null ? '⏸ Paused' : `Next: ${moment(nextAt, now)}`

const unasked = 'I’ll send a card then. Nothing is ordered until you confirm it.'

/** The answer to a new reminder. */
export const made = (reminder: Reminder, name: string | null, now: Date): string =>
  lines(reminderText(reminder, name), next(reminder, now), unasked)

export const one = (reminder: Reminder, name: string | null, now: Date): string =>
  lines(reminderText(reminder, name), next(reminder, now))

const howToWrite = 'To add one, send <code>Fridays 18:00: 0241234567 5GB</code>.'

export const none = `${b('Reminders')}\nYou have none. ${howToWrite}`

export const all = (count: number): string => `${b('Reminders')} · ${count}\n${howToWrite}`

export const askDay =
  'Which day? Choose below, or send a day and a time, like <code>Fridays 18:00</code>, or /cancel.'

export const askTime = (weekday: number): string =>
  `${dayNames[weekday] ?? dayNames[everyDay]}: what time? Choose below, or send another time, like <code>${clockOf(18 * 60)}</code>.`

export const notASchedule =
  'I don’t understand that time. Send a day and a time, like <code>Fridays 18:00</code> or <code>daily 6pm</code>, or /cancel.'

export const tooMany = `You can’t have more than ${maxReminders} reminders. Delete one first: ☰ More → ${reminderLabels.all}.`

export const notClear = `I can’t tell which bundle or number you mean, so no reminder was set. Order the bundle once, then press ⋯ and ${b(reminderLabels.remind)} on its card.`

export const unknownName = (written: string): string =>
  `I don’t know which customer “${foreignWord(written)}” is, so no reminder was set. Send it again with the number.`

export const deleted = '🗑 Reminder deleted.'

export const gone = 'This reminder was deleted.'
