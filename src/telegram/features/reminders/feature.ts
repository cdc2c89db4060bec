import { readReminder } from '../../../lists/written-reminder.ts'
import type { Feature } from '../feature.ts'
import { member, toastNotYours } from '../guards/guards.ts'
import { isReferenceOrOrder } from '../guards/texts.ts'
import { takeReminder, takeSchedule } from './new-reminder.ts'
import { pressReminder } from './reminders.ts'

/** Reminders: at their times, the bot shows a card for a bundle, which orders nothing until it is confirmed. */
export const reminders = {
  presses: { remind: member(pressReminder, toastNotYours) },
  questions: {
    reminder: {
      staysFor: (text) => isReferenceOrOrder(text) || readReminder(text) !== null,
      text: member(takeSchedule),
    },
  },
  texts: { reminder: takeReminder },
} satisfies Feature
