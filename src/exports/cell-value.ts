import type { Pesewas } from '../provider/money.ts'

/** A cell of an exported file, whatever the file's format. Null means an empty cell. */
export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'money'; pesewas: Pesewas }
  | { kind: 'count'; count: number }
  | { kind: 'time'; at: Date }
  | null

/** `at` is the time of the order or wallet entry in the row; null if it is not known. */
export interface ExportRow {
  at: Date | null
  values: Value[]
}

export const text = (written: string | null): Value =>
  written === null ? null : { kind: 'text', text: written }
export const money = (pesewas: Pesewas | null): Value =>
  pesewas === null ? null : { kind: 'money', pesewas }
export const count = (whole: number): Value => ({ kind: 'count', count: whole })
export const time = (at: Date | null): Value => at && { kind: 'time', at }

/** An amount in GHS without a currency sign: `23.50`, `-4.00`. */
export const plainGhs = (pesewas: Pesewas): string => {
  const absolute = Math.abs(pesewas)
  const sign = pesewas < 0 ? '-' : ''
  return `${sign}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}
