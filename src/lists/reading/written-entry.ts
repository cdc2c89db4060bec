import type { Problem } from '../reading.ts'
import type { Pair, WrittenLine } from './written-line.ts'

/** Numbers that stand together, with everything that the lines say of them. Its lines share one verdict. */
export interface Entry {
  /** Numbers of the lines, which count from 1; the line with the phones comes first. */
  lines: number[]
  pairs: readonly Pair[]
  problems: readonly Problem[]
}

/** A line among those that are read together. */
export interface BlockLine {
  line: PlacedLine
  /** The entry of a line with numbers. */
  entry: Entry | null
  /** The use that was made of a size or a network on a line of its own. */
  use: 'part' | 'heading' | 'none' | null
  /** The line is a heading, and a number got its size. */
  serves?: boolean
}

/** A line in its place, with the writer's change in a copied chat. */
export interface PlacedLine {
  /** Counts from 0. */
  index: number
  written: WrittenLine
  /** Another person writes from here on, so headings above no longer apply. */
  begins: boolean
  /** The heading that a join of two messages may have lost. */
  lost: { size: boolean; network: boolean } | null
}
