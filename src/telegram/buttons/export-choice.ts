import { type ExportPeriod, isDay, namedPeriods } from '../../exports/export-period.ts'
import type { Codec } from './codec.ts'

export const exportSubjects = ['orders', 'transactions'] as const

export type ExportSubject = (typeof exportSubjects)[number]

/** A period in one word: its days (`20260101-20260331`) or its name. */
export const period: Codec<ExportPeriod> = {
  write: (value) => [
    typeof value === 'string'
      ? value
      : `${value.from}-${value.to}`.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$1$2$3'),
  ],
  read: ([text = '']) => namedPeriods.find((name) => name === text) ?? readDays(text),
}

const readDays = (text: string): ExportPeriod | undefined => {
  const [, from = '', to = ''] = /^(\d{8})-(\d{8})$/.exec(text) ?? []
  const [first = '', last = ''] = [from, to].map((day) => day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
  return isDay(first) && isDay(last) && first <= last ? { from: first, to: last } : undefined
}
