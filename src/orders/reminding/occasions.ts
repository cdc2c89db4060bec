import { everyDay, type Schedule } from '../../lists/written-reminder.ts'
import { dayIn, momentOn } from '../../messaging/time-zone.ts'

const dayMs = 24 * 60 * 60_000

/** If the bot did not run at an occasion, the occasion is skipped once it is more than this long past, ms. */
export const latestMs = 6 * 60 * 60_000

/**
 * The first occasion of a schedule later than `after`. Each day of the zone's calendar has at most one, even if the
 * clock is set back over it. If the clock is set forward over it, the occasion is at the moment of the change.
 */
export const nextOccasion = ({ weekday, minutes }: Schedule, zone: string, after: Date): Date => {
  const today = Date.parse(`${dayIn(zone, after)}T00:00:00Z`)
  for (let ahead = 0; ; ahead += 1) {
    const day = new Date(today + ahead * dayMs)
    if (weekday !== everyDay && day.getUTCDay() !== weekday) continue
    const at = momentOn(zone, day.toISOString().slice(0, 10), minutes)
    if (at > after) return at
  }
}

/**
 * The occasion after a planned one. It is computed from the planned time, so that a late or early run does not shift
 * the schedule. Occasions that are already too late are skipped.
 */
export const occasionAfter = (schedule: Schedule, zone: string, planned: Date, now: Date): Date =>
  nextOccasion(schedule, zone, new Date(Math.max(planned.getTime(), now.getTime() - latestMs)))
