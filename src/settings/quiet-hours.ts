import type { Preferences } from '../store/preferences.ts'
import { nextAt, wallTime } from './time-zone.ts'

/** The part of the day in which what can wait is held back, over midnight too. */
type QuietHours = Pick<Preferences, 'quietFrom' | 'quietTo' | 'timeZone'>

/** When the quiet hours that hold now are over; null where none do. */
export const quietUntil = ({ quietFrom, quietTo, timeZone }: QuietHours, now: Date): Date | null => {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return null
  const { minutes } = wallTime(now, timeZone)
  const isQuiet =
    quietFrom < quietTo
      ? minutes >= quietFrom && minutes < quietTo
      : minutes >= quietFrom || minutes < quietTo
  return isQuiet ? nextAt(timeZone, quietTo, now) : null
}
