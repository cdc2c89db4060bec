import type { Pesewas } from '../provider/money.ts'

/** A cell of an exported file, before it becomes one of a CSV or an Excel file. */
export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'money'; pesewas: Pesewas }
  | { kind: 'count'; count: number }
  | { kind: 'time'; at: Date }
  | null

/** The cells of one row, and the time to which the row belongs. */
export interface ExportRow {
  at: Date | null
  values: Value[]
}

/** A cell of text; null is an empty cell. */
export const text = (written: string | null): Value =>
  written === null ? null : { kind: 'text', text: written }
/** A cell with an amount; null is an empty cell. */
export const money = (pesewas: Pesewas | null): Value =>
  pesewas === null ? null : { kind: 'money', pesewas }
/** A cell with a whole number. */
export const count = (whole: number): Value => ({ kind: 'count', count: whole })
/** A cell with a time; null is an empty cell. */
export const time = (at: Date | null): Value => at && { kind: 'time', at }

/** `23.50` */
export const plainGhs = (pesewas: Pesewas): string => {
  const absolute = Math.abs(pesewas)
  const sign = pesewas < 0 ? '-' : ''
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}
