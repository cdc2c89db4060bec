import type { NotReminded } from '../../../domain/notice.ts'
import type { Schedule } from '../../../lists/written-reminder.ts'
import { clockOf } from '../../../lists/written-time.ts'
import type { Reminder } from '../../../store/orders/reminders.ts'
import { oneLine } from '../../chat/screen.ts'
import { moment } from '../../chat/time.ts'
import { bundleName, bundleOf } from '../../words/bundle.ts'
import { b, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { cannotRead, readable } from '../../words/unreadable.ts'
import { denied } from './agent-permissions.ts'

/** Reminders, on cards and in messages. */

export const reminderLabels = {
  remind: '🔔 Remind me',
  all: '🔔 Reminders',
  open: '🔔 Reminder',
  orderNow: '🛒 Order now',
  otherBundles: '🛒 Other bundles',
} as const

/** The weekdays from Sunday on, then every day. */
export const dayNames = [
  ...(['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'] as const),
  'Every day',
] as const

/** `Fridays 18:00` */
export const scheduleName = ({ weekday, minutes }: Schedule): string =>
  `${dayNames[weekday] ?? ''} ${clockOf(minutes)}`

/** `Fridays 18:00: MTN 5GB for Ama`. @param name the name that the number is saved with. */
export const reminderText = (reminder: Reminder, name: string | null): string =>
  `🔔 ${b(scheduleName(reminder))}: ${bundleOf(reminder)} for ${phoneText(reminder.phone, name)}`

/** The label of the button that opens the reminder. */
export const reminderLabel = (reminder: Reminder, name: string | null): string => {
  const { network, volume, offerSlug, phone } = reminder
  const paused = reminder.nextAt === null ? '⏸ ' : ''
  return oneLine(
    `${paused}${scheduleName(reminder)} · ${name ?? `…${phone.slice(-4)}`} · ${bundleName(network, volume, offerSlug)}`,
    60,
  )
}

/** Says why a reminder brought no card. */
export const noCard = (
  reminder: Reminder,
  name: string | null,
  { why, due, now }: { why: NotReminded; due: Date; now: Date },
): string => lines(reminderText(reminder, name), reason(why, due, now))

const reason = (why: NotReminded, due: Date, now: Date): string => {
  switch (why.kind) {
    case 'away':
      return `I was offline (${moment(due, now)}), so I sent no card. Nothing was ordered.`
    case 'restored':
      return `I was restored from a backup, so I don’t know if you ordered this (${moment(due, now)}). Check whether it arrived before you order again.`
    case 'not_sold':
      return 'This bundle is no longer sold, so nothing was ordered. Choose another, or delete the reminder.'
    case 'unread':
      return `${cannotRead(readable.bundles, why)} Nothing was ordered.`
    case 'denied':
      return denied({ kind: why.denial }, now)
  }
}
