import type { TallySpan } from '../store/shop/tallies.ts'

/**
 * Periods of statistics: today, or the 7 or 30 days that end with today. Days are days in Accra, which are UTC days.
 */
export const periods = ['today', 'week', 'month'] as const
export type StatsPeriod = (typeof periods)[number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const daysOf: Record<StatsPeriod, number> = { today: 1, week: 7, month: 30 }

/** The parts of a period, in order: the hours of today, or the days of a longer period. */
export const spansOf = (period: StatsPeriod, now: Date): [TallySpan, ...TallySpan[]] => {
  const dayEndMs = Math.floor(now.getTime() / dayMs + 1) * dayMs
  const stepMs = period === 'today' ? hourMs : dayMs
  const firstMs = dayEndMs - daysOf[period] * dayMs
  const span = (index: number): TallySpan => ({
    from: new Date(firstMs + index * stepMs),
    to: new Date(firstMs + (index + 1) * stepMs),
  })
  const count = (dayEndMs - firstMs) / stepMs
  return [span(0), ...Array.from({ length: count - 1 }, (_, index) => span(index + 1))]
}
