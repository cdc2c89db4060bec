import type { NoticeContent } from '../domain/notice.ts'
import type { Preferences } from '../store/chats/preferences.ts'
import { nextAt, wallTime } from './time-zone.ts'

/** The part of the day in which messages that can wait are held back. It may go over midnight. */
type QuietHours = Pick<Preferences, 'quietFrom' | 'quietTo' | 'timeZone'>

/** When the present quiet hours are over; null if there are none now. */
export const quietUntil = ({ quietFrom, quietTo, timeZone }: QuietHours, now: Date): Date | null => {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return null
  const { minutes } = wallTime(now, timeZone)
  const isQuiet =
    quietFrom < quietTo
      ? minutes >= quietFrom && minutes < quietTo
      : minutes >= quietFrom || minutes < quietTo
  return isQuiet ? nextAt(timeZone, quietTo, now) : null
}

/**
 * Whether a notice makes no sound in quiet hours: it cannot wait, because its sender was told that it is there, but it
 * need not wake anybody. News about money makes its sound.
 */
export const isHushed = ({ kind }: NoticeContent): boolean => kind === 'enquiry'
