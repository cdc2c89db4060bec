/**
 * When a GET to the provider is repeated. Each kind of GET has its own schedule; `src/README.md` lists them under
 * "Who retries what". All times are in milliseconds. An age is the time since the event that the schedule counts
 * from, such as the send of an order.
 */
export interface RetrySchedule {
  /** The first tries are made at these ages. */
  ages?: readonly number[]
  /** After `ages`, a try is made at each multiple of `every`, up to and including the age `until`. */
  multiples?: readonly { every: number; until: number }[]
  /**
   * After `ages` and `multiples`, tries are made forever. Each wait is `share` of the age, but at least `least` and
   * at most `most`.
   */
  growing?: { share: number; least: number; most: number }
  /** The wait if the event seems to be in the future. The clock was set back since then, so the age is unknown. */
  unknownAge: number
}

export type EndlessSchedule = RetrySchedule & Required<Pick<RetrySchedule, 'growing'>>

/**
 * The time of the next try, after `now`; null if the schedule has ended.
 * @param since the event that the schedule counts from, by our clock
 */
export function nextTryAt(schedule: EndlessSchedule, since: Date, now: Date): Date
export function nextTryAt(schedule: RetrySchedule, since: Date, now: Date): Date | null
export function nextTryAt(schedule: RetrySchedule, since: Date, now: Date): Date | null {
  const { ages = [], multiples = [], growing, unknownAge } = schedule
  const age = now.getTime() - since.getTime()
  if (age < 0) return new Date(now.getTime() + unknownAge)
  const multiple = multiples.find(({ until }) => age < until)
  const next =
    ages.find((each) => each > age) ?? (multiple && (Math.floor(age / multiple.every) + 1) * multiple.every)
  if (next !== undefined) return new Date(since.getTime() + next)
  if (!growing) return null
  const { share, least, most } = growing
  return new Date(now.getTime() + Math.min(most, Math.max(least, age * share)))
}
