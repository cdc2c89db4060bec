/** A date and time as a wall clock shows it. */
interface WallTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  /** Minutes since midnight. */
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

/** The date and time that the zone's clock shows, without seconds. */
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

/** In ms since 1970. */
const asUtc = ({ year, month, day, minutes }: WallTime): number => Date.UTC(year, month - 1, day, 0, minutes)

/** In ms. */
const offsetAt = (ms: number, zone: string): number =>
  asUtc(wallTime(new Date(ms), zone)) - Math.floor(ms / minuteMs) * minuteMs

/**
 * The moments, in ms since 1970, at which the zone's clock shows this wall time, the earlier first. There are two if
 * the clock is set back over that time. If the clock is set forward over it, the moment of the change is returned.
 */
const instantsOf = (wallMs: number, zone: string): number[] => {
  const offsets = new Set([offsetAt(wallMs - dayMs, zone), offsetAt(wallMs + dayMs, zone)])
  const candidates = [...offsets].map((offset) => wallMs - offset).sort((a, b) => a - b)
  const exact = candidates.filter((ms) => ms + offsetAt(ms, zone) === wallMs)
  const [first = wallMs, last = first] = candidates
  return exact.length > 0 ? exact : [changeBetween(first, last, zone)]
}

/** The minute between two times in which the zone's clock is set forward or back. */
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
 * The next moment at which the zone's clock shows `minutes` since midnight.
 * @returns a time later than `after`, at most two days later.
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
 * Makes a function that converts a time to the date whose UTC fields are what the zone's clock shows. It is for tables,
 * whose times have no zone. The difference to UTC is looked up once for each quarter of an hour, because no zone
 * changes its clock within one.
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

/** The date in the zone, as `2026-11-21`. */
export const dayIn = (zone: string, at: Date): string => clockIn(zone)(at).toISOString().slice(0, 10)

/** The moment at which a day begins in the zone. @param day as `2026-11-21` */
export const startOfDay = (zone: string, day: string): Date => momentOn(zone, day, 0)

/**
 * The first moment of a day at which the zone's clock shows `minutes` since midnight. If the clock is set forward over
 * that time, the moment of the change. @param day as `2026-11-21`
 */
export const momentOn = (zone: string, day: string, minutes: number): Date => {
  const wallMs = Date.parse(`${day}T00:00:00Z`) + minutes * minuteMs
  return new Date(instantsOf(wallMs, zone)[0] ?? wallMs)
}

/** Where people in Ghana say they are. No zone is named after these places. */
const inGhana = new Set(
  'ghana kumasi tamale takoradi sekondi tema cape_coast ho koforidua sunyani techiman obuasi bolgatanga wa'.split(
    ' ',
  ),
)

/**
 * Reads a zone's name that somebody typed, e.g. `lagos` or `Africa/Lagos`. @returns its IANA name; null if there is no
 * such zone.
 */
export const readTimeZone = (text: string): string | null => {
  const word = text.trim().replace(/\s+/g, '_')
  if (!/^[A-Za-z][\w+/-]{1,39}$/.test(word)) return null
  const lower = word.toLowerCase()
  if (lower === 'utc' || lower === 'gmt') return 'UTC'
  if (inGhana.has(lower)) return 'Africa/Accra'
  const named = Intl.supportedValuesOf('timeZone').find(
    (name) => name.toLowerCase() === lower || name.slice(name.lastIndexOf('/') + 1).toLowerCase() === lower,
  )
  return named ?? (word.includes('/') ? otherName(word) : null)
}

/** The JavaScript engine's own name for a zone that was typed under another name; null if the zone is unknown. */
const otherName = (name: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
