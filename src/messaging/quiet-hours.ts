import type { NoticeContent } from '../domain/notice.ts'
import type { Preferences } from '../store/chats/preferences.ts'
import { nextAt, wallTime } from './time-zone.ts'

/** The part of the day in which messages that can wait are held back. It may span midnight. */
type QuietHours = Pick<Preferences, 'quietFrom' | 'quietTo' | 'timeZone'>

/** When the current quiet hours end; null outside quiet hours. */
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
 * Whether a notice is sent without a sound in quiet hours. A customer's question or complaint cannot wait, because the
 * customer was told that it has arrived, but it need not wake anybody. News about money does sound.
 */
export const isHushed = ({ kind }: NoticeContent): boolean => kind === 'enquiry' || kind === 'complaint'
