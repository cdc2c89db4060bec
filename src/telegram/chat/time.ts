import { time } from '../words/markup.ts'

/** Times as people see them: on their own clock where their app can, else Africa/Accra, which is UTC all year. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const two = (value: number): string => String(value).padStart(2, '0')

/** `10:32`, for what is no Telegram HTML, such as a picture. */
export const plainClock = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`

/** `10:32` */
export const clock = (at: Date): string => time(at, 't', plainClock(at))

/** `21 Nov, 10:32`, with the year if it is not this one; no HTML. */
export const plainMoment = (at: Date, now: Date): string => {
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]}${year}, ${plainClock(at)}`
}

/** `21 Nov, 10:32`, with the year if it is not this one. */
export const moment = (at: Date, now: Date): string => time(at, 'Dt', plainMoment(at, now))

/** `21 Nov 2026`: for texts that are read long after, and elsewhere. */
export const day = (at: Date): string =>
  `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`

/** `10:32` today, else with the date. */
export const when = (at: Date, now: Date): string =>
  at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10) ? clock(at) : moment(at, now)

/** Midnight in Accra, of that day or of the last Monday. */
export const startOf = (period: 'today' | 'week', at: Date): Date => {
  const daysSinceMonday = (at.getUTCDay() + 6) % 7
  const day = at.getUTCDate() - (period === 'week' ? daysSinceMonday : 0)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day))
}

/** `about 2 minutes`: how long something will take. */
export const duration = (ms: number): string => {
  const seconds = Math.ceil(Math.max(0, ms) / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `about ${minutes} min` : `about ${Math.ceil(minutes / 60)} h`
}
