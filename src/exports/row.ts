import type { Pesewas } from '../provider/money.ts'

/** A cell of an exported file, before it is one of a CSV or an Excel file. */
export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'money'; pesewas: Pesewas }
  | { kind: 'time'; at: Date }
  | null

/** What is written as one row, and the day that it is of. */
export interface Row {
  at: Date | null
  values: Value[]
}

export const text = (written: string | null): Value =>
  written === null ? null : { kind: 'text', text: written }
export const money = (pesewas: Pesewas | null): Value =>
  pesewas === null ? null : { kind: 'money', pesewas }
export const time = (at: Date | null): Value => at && { kind: 'time', at }

/** `23.50` */
export const plainGhs = (pesewas: Pesewas): string => {
  const absolute = Math.abs(pesewas)
  const sign = pesewas < 0 ? '-' : ''
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}
