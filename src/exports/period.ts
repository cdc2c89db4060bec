/**
 * The time that an export is of, in whole days of Africa/Accra, which are those of UTC. Named periods are worked out
 * when the file is made, so that an old button means what it says.
 */
export type Period = NamedPeriod | { from: string; to: string }

export const namedPeriods = ['today', '7d', '30d', 'month', 'last_month', 'all'] as const
export type NamedPeriod = (typeof namedPeriods)[number]

/** From then to before then; null: from the beginning, up to now. */
export interface Span {
  since: Date | null
  until: Date | null
}

const dayMs = 24 * 60 * 60_000

/** `2026-11-21` */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

export const spanOf = (period: Period, now: Date): Span => {
  const today = midnight(dayOf(now))
  if (typeof period === 'object') {
    const until = new Date(midnight(period.to).getTime() + dayMs)
    return { since: midnight(period.from), until: until < now ? until : null }
  }
  switch (period) {
    case 'today':
      return { since: today, until: null }
    case '7d':
      return { since: daysBefore(today, 6), until: null }
    case '30d':
      return { since: daysBefore(today, 29), until: null }
    case 'month':
      return { since: firstOfMonth(now, 0), until: null }
    case 'last_month':
      return { since: firstOfMonth(now, -1), until: firstOfMonth(now, 0) }
    case 'all':
      return { since: null, until: null }
  }
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`)
const daysBefore = (day: Date, days: number): Date => new Date(day.getTime() - days * dayMs)
const firstOfMonth = (now: Date, by: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + by, 1))

export type WrittenPeriod =
  | { kind: 'period'; period: { from: string; to: string } }
  | { kind: 'refused'; fault: 'unreadable' | 'no_such_day' | 'reversed' | 'future' }

const yearFirst = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g
const dayFirst = /\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b/g

/** `1 Nov`, `1st November 2026` */
const withMonth =
  /\b(\d{1,2})(?:st|nd|rd|th)?\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+(\d{4})\b)?/gi
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Months as numbers; without a year the first day is the last of that date, and the second the next after it. */
const withNumbers = (text: string, now: Date): string => {
  let first: { year: number; atMs: number } | null = null
  return text.replace(withMonth, (_, day: string, name: string, written?: string) => {
    const month = months.indexOf(name.toLowerCase())
    const atMs = (year: number) => Date.UTC(year, month, Number(day))
    const present = now.getUTCFullYear()
    const near = first
      ? first.year + (atMs(first.year) < first.atMs ? 1 : 0)
      : present - (atMs(present) > now.getTime() ? 1 : 0)
    const year = written === undefined ? near : Number(written)
    first ??= { year, atMs: atMs(year) }
    return `${day}/${month + 1}/${year}`
  })
}

/** Reads `2026-01-01 2026-03-31`, `1/1/2026 - 31/3/2026` (the day first, as in Ghana), `1 Nov to 21 Nov`, or one day. */
export const readPeriod = (text: string, now: Date): WrittenPeriod => {
  const written = withNumbers(text.slice(0, 200), now)
  const dates = [
    ...Array.from(written.matchAll(yearFirst), ([found, y, m, d]) => ({ found, y, m, d })),
    ...Array.from(written.replace(yearFirst, ' ').matchAll(dayFirst), ([found, d, m, y]) => ({
      found,
      y,
      m,
      d,
    })),
  ].sort((a, b) => written.indexOf(a.found) - written.indexOf(b.found))
  const rest = dates.reduce((left, { found }) => left.replace(found, ' '), written)
  if (dates.length < 1 || dates.length > 2 || !/^(?:\s|[-–—,]|to|until|from)*$/i.test(rest))
    return refused('unreadable')
  const [from, to = from] = dates.map(
    ({ y = '', m = '', d = '' }) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`,
  )
  if (!from || !to || !isDay(from) || !isDay(to)) return refused('no_such_day')
  if (from > to) return refused('reversed')
  return from > dayOf(now) ? refused('future') : { kind: 'period', period: { from, to } }
}

const refused = (fault: Extract<WrittenPeriod, { kind: 'refused' }>['fault']): WrittenPeriod => ({
  kind: 'refused',
  fault,
})

/** Whether the calendar has it: `2026-02-30` it has not. */
export const isDay = (day: string): boolean => {
  const at = midnight(day)
  return !Number.isNaN(at.getTime()) && dayOf(at) === day && at.getUTCFullYear() >= 2000
}
