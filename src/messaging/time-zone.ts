/** The time that a wall clock shows in an IANA time zone. Pure. */

interface WallTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  /** Minutes of the day. */
  minutes: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, format)
  return format
}

/** The wall time in the zone, without seconds. */
export const wallTime = (at: Date, zone: string): WallTime => {
  const shown = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => shown.get(type) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    minutes: part('hour') * 60 + part('minute'),
  }
}

/** The wall time as if its clock showed UTC, epoch ms. */
const asUtc = ({ year, month, day, minutes }: WallTime): number => Date.UTC(year, month - 1, day, 0, minutes)

/** How far the zone's clock is ahead of UTC, ms. */
const offsetAt = (ms: number, zone: string): number =>
  asUtc(wallTime(new Date(ms), zone)) - Math.floor(ms / minuteMs) * minuteMs

/**
 * When the clock shows that time, epoch ms, the earlier first: twice if it is set back over it. If it is set forward
 * over it, the moment at which that happens.
 */
const instantsOf = (wallMs: number, zone: string): number[] => {
  const offsets = new Set([offsetAt(wallMs - dayMs, zone), offsetAt(wallMs + dayMs, zone)])
  const candidates = [...offsets].map((offset) => wallMs - offset).sort((a, b) => a - b)
  const exact = candidates.filter((ms) => ms + offsetAt(ms, zone) === wallMs)
  const [first = wallMs, last = first] = candidates
  return exact.length > 0 ? exact : [changeBetween(first, last, zone)]
}

/** The minute at which the clock is changed. */
const changeBetween = (fromMs: number, toMs: number, zone: string): number => {
  const before = offsetAt(fromMs, zone)
  let [low, high] = [fromMs, toMs]
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  return high
}

/**
 * The next time at which the zone's clock shows those minutes of the day.
 * @returns a time after `after`, at most two days off.
 */
export const nextAt = (zone: string, minutes: number, after: Date): Date => {
  const { year, month, day } = wallTime(after, zone)
  for (let ahead = -1; ahead <= 2; ahead += 1) {
    const wallMs = Date.UTC(year, month - 1, day + ahead, 0, minutes)
    const found = instantsOf(wallMs, zone).find((ms) => ms > after.getTime())
    if (found !== undefined) return new Date(found)
  }
  return new Date(after.getTime() + dayMs)
}

/**
 * A clock that shows UTC where the zone's clock shows the same time: for tables, which hold times without a zone. The
 * offset is looked up once a quarter of an hour, because no zone changes its clock in between.
 */
export const clockIn = (zone: string): ((at: Date) => Date) => {
  let known = { quarter: Number.NaN, offset: 0 }
  return (at) => {
    const ms = at.getTime()
    const quarter = Math.floor(ms / quarterMs)
    if (quarter !== known.quarter) known = { quarter, offset: offsetAt(quarter * quarterMs, zone) }
    return new Date(ms + known.offset)
  }
}

const quarterMs = 15 * minuteMs

/** The day that the zone's calendar shows: `2026-11-21`. */
export const dayIn = (zone: string, at: Date): string => clockIn(zone)(at).toISOString().slice(0, 10)

/** When that day begins in the zone. @param day `2026-11-21` */
export const startOfDay = (zone: string, day: string): Date => {
  const wallMs = Date.parse(`${day}T00:00:00Z`)
  return new Date(instantsOf(wallMs, zone)[0] ?? wallMs)
}

/**
 * Finds a zone by its name: `lagos` and `Africa/Lagos` are the same place. @returns its IANA name; null if there is no
 * such zone.
 */
export const readTimeZone = (text: string): string | null => {
  const word = text.trim().replace(/\s+/g, '_')
  if (!/^[A-Za-z][\w+/-]{1,39}$/.test(word)) return null
  const lower = word.toLowerCase()
  if (lower === 'utc' || lower === 'gmt') return 'UTC'
  const named = Intl.supportedValuesOf('timeZone').find(
    (name) => name.toLowerCase() === lower || name.slice(name.lastIndexOf('/') + 1).toLowerCase() === lower,
  )
  return named ?? (word.includes('/') ? otherName(word) : null)
}

/** The engine's own name of a zone that it knows by another name. */
const otherName = (name: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
