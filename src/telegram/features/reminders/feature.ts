import { readReminder } from '../../../lists/written-reminder.ts'
import type { Feature } from '../feature.ts'
import { member, toastNotYours } from '../guards/guards.ts'
import { isReferenceOrOrder } from '../guards/texts.ts'
import { takeReminder, takeSchedule } from './new-reminder.ts'
import { pressReminder, showReminders } from './reminders.ts'

/** Reminders: at their times, the bot shows a card for a bundle, which orders nothing until it is confirmed. */
export const reminders = {
  // The command is not in Telegram's menu, but people who look for their reminders type it.
  commands: { reminders: { run: member(showReminders), onlyShows: true } },
  presses: { remind: member(pressReminder, toastNotYours) },
  questions: {
    reminder: {
      staysFor: (text) => isReferenceOrOrder(text) || readReminder(text) !== null,
      text: member(takeSchedule),
    },
  },
  texts: { reminder: takeReminder },
} satisfies Feature
