import { dayIn, startOfDay } from '../messaging/time-zone.ts'

/**
 * The period of an export, in whole days of a time zone. The dates of a named period are computed when the file is
 * made, so that a button still means what it says if it is pressed days later.
 */
export type ExportPeriod = NamedPeriod | { from: string; to: string }

/** The periods that buttons offer. */
export const namedPeriods = ['today', '7d', '30d', 'month', 'last_month', 'all'] as const
export type NamedPeriod = (typeof namedPeriods)[number]

/** The time from `since` (inclusive) to `until` (exclusive). Null means from the beginning, or up to now. */
export interface ExportSpan {
  since: Date | null
  until: Date | null
}

const dayMs = 24 * 60 * 60_000

/** The time that a period covers. @param zone the IANA time zone in which its days begin. */
export const spanOf = (period: ExportPeriod, now: Date, zone: string): ExportSpan => {
  const today = dayIn(zone, now)
  const from = (day: string): Date => startOfDay(zone, day)
  if (typeof period === 'object') {
    const until = from(daysAfter(period.to, 1))
    return { since: from(period.from), until: until < now ? until : null }
  }
  switch (period) {
    case 'today':
      return { since: from(today), until: null }
    case '7d':
      return { since: from(daysAfter(today, -6)), until: null }
    case '30d':
      return { since: from(daysAfter(today, -29)), until: null }
    case 'month':
      return { since: from(firstOfMonth(today, 0)), until: null }
    case 'last_month':
      return { since: from(firstOfMonth(today, -1)), until: from(firstOfMonth(today, 0)) }
    case 'all':
      return { since: null, until: null }
  }
}

const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`)
const dayOf = (midnight: Date): string => midnight.toISOString().slice(0, 10)
const daysAfter = (day: string, days: number): string =>
  dayOf(new Date(midnight(day).getTime() + days * dayMs))
export const dayAfter = (day: string): string => daysAfter(day, 1)
const firstOfMonth = (day: string, by: number): string => {
  const at = midnight(day)
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + by, 1)))
}

export type WrittenPeriod =
  | { kind: 'period'; period: { from: string; to: string } }
  | { kind: 'refused'; fault: 'unreadable' | 'no_such_day' | 'reversed' | 'future' }

const yearFirst = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g
const dayFirst = /\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b/g

/** Matches a date with the name of a month: `1 Nov`, `1st November 2026`. */
const withMonth =
  /\b(\d{1,2})(?:st|nd|rd|th)?\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+(\d{4})\b)?/gi
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Replaces months by their numbers in the dates of a text. If the first date has no year, it is the latest such date
 * in the past; if the second has none, it is the next such date after the first.
 */
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

/**
 * Reads a period as people type it: `2026-01-01 2026-03-31`, `1/1/2026 - 31/3/2026` (the day first, as in Ghana), `1
 * Nov to 21 Nov`, or one day.
 */
export const readPeriod = (text: string, now: Date, zone: string): WrittenPeriod => {
  const today = dayIn(zone, now)
  const written = withNumbers(text.slice(0, 200), midnight(today))
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
  return from > today ? refused('future') : { kind: 'period', period: { from, to } }
}

const refused = (fault: Extract<WrittenPeriod, { kind: 'refused' }>['fault']): WrittenPeriod => ({
  kind: 'refused',
  fault,
})

/** Whether the date exists (unlike `2026-02-30`) and is in the year 2000 or later. */
export const isDay = (day: string): boolean => {
  const at = midnight(day)
  return !Number.isNaN(at.getTime()) && dayOf(at) === day && at.getUTCFullYear() >= 2000
}
