import { normalized } from './reading/normalize.ts'
import { recognize } from './recognition.ts'
import { readTime } from './written-time.ts'

/** The `weekday` of a schedule that has an occasion each day. */
export const everyDay = 7

/** When a reminder is due: each week or each day, at a time of day. */
export interface Schedule {
  /** 0 (Sunday) to 6 (Saturday), or `everyDay`. */
  weekday: number
  /** Minutes since midnight in the person's time zone. */
  minutes: number
}

/** A schedule, and the order to be reminded of, such as `MTN 5GB for Ama`. */
export interface WrittenReminder extends Schedule {
  order: string
}

/** In characters. */
const longest = 150

const daily = 'daily|every ?day|each day'
const weekly =
  '(every |each )?(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)(s)?'
const time = String.raw`\d{1,2}(?:[:.]\d{2})? ?[ap]m|\d{1,2}:\d{2}`
const scheduled = new RegExp(String.raw`^(?:${daily}|${weekly})[,:]? (?:at )?(${time})(?![\w.])(.*)$`, 'i')

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/**
 * Reads `Fridays 18:00: MTN 5GB for Ama`, `every Fri 6pm 0241234567 5GB`, `daily 8 am Ama 2GB`. The time needs
 * minutes or am or pm, because a bare number may be a size. A single day, such as in `Fri 18:00: Ama 2GB`, needs a
 * mark after the time: without one, it may be when a copied message was sent.
 * @returns null if the text is anything but one line with a schedule and an order for one number or name
 */
export const readReminder = (text: string): WrittenReminder | null => {
  const found = read(text)
  if (!found || !(found.isRepeated || /^\s*[:;,–—-]/.test(found.rest))) return null
  const order = found.rest.replace(/^\s*[:;,–—-]?\s*/, '')
  const meant = recognize(order)
  const isOrder =
    (meant.kind === 'one' && !meant.isUnclear) || (meant.kind === 'named' && meant.request.hasUnit)
  return isOrder ? { ...found.schedule, order } : null
}

/** Reads a schedule without an order: `Fridays 18:00`, `daily 6pm`. */
export const readSchedule = (text: string): Schedule | null => {
  const found = read(text)
  return found?.rest === '' ? found.schedule : null
}

const read = (text: string): { schedule: Schedule; isRepeated: boolean; rest: string } | null => {
  const line = text.trim()
  if (line.length > longest || line.includes('\n')) return null
  const found = scheduled.exec(normalized(line).replace(/ +/g, ' ')) ?? []
  const [whole, every, day, plural, clock = '', rest = ''] = found
  const minutes = whole === undefined ? null : readTime(clock)
  if (minutes === null) return null
  const weekday = day === undefined ? everyDay : weekdays.indexOf(day.slice(0, 3).toLowerCase())
  const isRepeated = day === undefined || every !== undefined || plural !== undefined
  return { schedule: { weekday, minutes }, isRepeated, rest }
}
