import type { Problem } from '../reading-result.ts'
import type { Pair, WrittenLine } from './written-line.ts'

/** Phones that are read together, with what their lines say about them. These lines share one verdict. */
export interface Entry {
  /** The numbers of the lines, counted from 1. The line with the phones comes first. */
  lines: number[]
  pairs: readonly Pair[]
  problems: readonly Problem[]
}

/** One line of a block. The lines of a block are read together. */
export interface BlockLine {
  line: PlacedLine
  /** The entry of a line with phones; null for other lines. */
  entry: Entry | null
  /**
   * What became of the size or network on a line without phones: it is `part` of an entry, a `heading`, or not used
   * (`none`). Null until that is decided.
   */
  use: 'part' | 'heading' | 'none' | null
  /** The line is a heading whose size was given to a phone. */
  serves?: boolean
}

/** A line with its place in the list. */
export interface PlacedLine {
  /** Counts from 0. */
  index: number
  written: WrittenLine
  /** In a copied chat, another person writes from here on, so the headings above no longer apply. */
  begins: boolean
  /** Which headings the joining of two messages may have lost. */
  lost: { size: boolean; network: boolean } | null
}
