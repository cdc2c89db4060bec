import type { Pesewas } from '../../../provider/money.ts'
import type { Network } from '../../../provider/network.ts'
import type { Phone } from '../../../provider/phone.ts'
import type { Problem } from '../../reading-result.ts'
import type { Size } from '../../size.ts'

/** One meaningful part of a line. Words without a meaning are not items. */
export type Item =
  | { kind: 'phone'; phone: Phone; zeroRestored: boolean }
  | SizeItem
  /** `isSure` is false for an `at` that may be the English word. */
  | { kind: 'network'; network: Network; isSure: boolean; written: string }
  /**
   * `isBetween`: there is a bare number on the other side of the currency too, so the currency may belong to that
   * number instead.
   */
  | { kind: 'amount'; pesewas: Pesewas; isBetween: boolean; written: string }
  /** `isPhone`: the fault is a phone that is damaged or badly written. */
  | { kind: 'fault'; problem: Problem; isPhone: boolean }
  | { kind: 'doubt'; written: string; isStrong: boolean }
  /** A unit without a number before it, as in the header of a column. */
  | { kind: 'unit'; unit: Size['unit'] }
  | { kind: 'share' }
  | { kind: 'total' }
  | { kind: 'name' }

/** A size on a line, or a bare number that may be one. */
export interface SizeItem {
  kind: 'size'
  size: Size
  /** False for a bare number, which may also be an amount or a line number. */
  hasUnit: boolean
  written: string
  /** The sign after the size, which separates a heading or a line number from the rest; empty if there is none. */
  mark: string
  touchesMark: boolean
  /** What has to be asked before the size counts: which unit is meant, or whether `5GB x 3` means 5GB for each. */
  doubt: 'unit' | 'times' | null
}
