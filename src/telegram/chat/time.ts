import { time } from '../words/markup.ts'

/**
 * Times as people see them: by their own clock if their app can do that, otherwise in Africa/Accra, which is UTC all
 * year.
 */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (value: number): string => String(value).padStart(2, '0')

/** `10:32` without HTML, for example for a picture. */
export const plainClock = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`

/** `10:32` in HTML. */
export const clock = (at: Date): string => time(at, 't', plainClock(at))

/** `21 Nov, 10:32` without HTML; with the year if it is not this one. */
export const plainMoment = (at: Date, now: Date): string => {
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}${year}, ${plainClock(at)}`
}

/** `21 Nov, 10:32` in HTML; with the year if it is not this one. */
export const moment = (at: Date, now: Date): string => time(at, 'Dt', plainMoment(at, now))

/** `21 Nov 2026`, for texts that are read much later and in other places. */
export const day = (at: Date): string =>
  `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`

/** `10:32` if it is today, otherwise with the date. */
export const when = (at: Date, now: Date): string =>
  at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10) ? clock(at) : moment(at, now)

/** The start of the day (the last midnight in Accra), or of the week (that midnight on the last Monday). */
export const startOf = (period: 'today' | 'week', at: Date): Date => {
  const daysSinceMonday = (at.getUTCDay() + 6) % 7
  const day = at.getUTCDate() - (period === 'week' ? daysSinceMonday : 0)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day))
}

/** How long something will take, rounded up: `30 s`, `about 2 min`, `about 3 h`. */
export const duration = (ms: number): string => {
  const seconds = Math.ceil(Math.max(0, ms) / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `about ${minutes} min` : `about ${Math.ceil(minutes / 60)} h`
}
