import type { SizeItem } from './item.ts'
import { readNetworks } from './network-heading.ts'
import type { Problem } from './reading.ts'
import { readSizes } from './size-heading.ts'
import type { Pair, WrittenLine } from './written-line.ts'

/** A line in its place, and what the chat that it was copied from says of it. */
export interface PlacedLine {
  /** From 0. */
  index: number
  written: WrittenLine
  /** Headings above do not hold from here on: another person writes. */
  begins: boolean
  /** What a heading that stood at a join of two messages may have said. */
  lost: { size: boolean; network: boolean } | null
}

/** Numbers that stand together, with all that the lines say of them. Its lines share one verdict. */
export interface Entry {
  /** Indices, the one with the numbers first. */
  lines: number[]
  pairs: readonly Pair[]
  problems: readonly Problem[]
}

/** A line among those that are read together. */
export interface Step {
  line: PlacedLine
  /** Of a line with numbers. */
  entry: Entry | null
  /** What became of a size or a network on a line of its own. */
  use: 'part' | 'heading' | 'none' | null
  /** It is a heading whose size a number got. */
  serves?: boolean
}

export interface Entries {
  entries: Entry[]
  /** Sizes that may be for one number or for several, by the index of their line. */
  unused: Map<number, SizeItem>
}

/** Gives each number the size and network that its own lines, and the headings above it, say. */
export const entriesOf = (lines: readonly PlacedLine[]): Entries => {
  const result: Entries = { entries: [], unused: new Map() }
  let block: Step[] = []
  for (const line of lines) {
    if (line.begins || line.lost) {
      readBlock(block, result)
      block = []
    }
    if (line.written.kind !== 'comment' || line.written.problems.length > 0 || block.length === 0)
      block.push({ line, entry: entryOf(line), use: null })
  }
  readBlock(block, result)
  return result
}

const entryOf = ({ index, written }: PlacedLine): Entry | null => {
  const isTalk = written.kind === 'comment' && written.problems.length > 0
  if (written.phones === 0 && !isTalk) return null
  return { lines: [index], pairs: written.pairs, problems: written.problems }
}

const readBlock = (block: readonly Step[], result: Entries): void => {
  if (block.length === 0) return
  readSizes(block)
  readNetworks(block)
  for (const { line, entry, use, serves } of block) {
    if (entry) result.entries.push(entry)
    if (use === 'none' || (use === 'heading' && !serves && isForSomebody(line))) leaveUnused(line, result)
  }
}

/** A size that is nobody's is named; one with a fault of its own is to fix where it is no price list. */
const leaveUnused = ({ index, written }: PlacedLine, { entries, unused }: Entries): void => {
  const { problems, size, digits } = written
  const isFault = problems.some(
    ({ code }) => faults.has(code) || (code === 'unclear' && digits >= mostDigits),
  )
  if (isFault) entries.push({ lines: [index], pairs: [], problems })
  else if (size && isForSomebody({ written }))
    entries.push({ lines: [index], pairs: [], problems: [{ code: 'no_number', size: size.size }] })
  else if (size) unused.set(index, size)
}

/** `Kofi 5gb`: a size for somebody whose number is not there. */
const isForSomebody = ({ written }: Pick<PlacedLine, 'written'>): boolean =>
  written.kind === 'size' && written.hasName && written.size?.hasUnit === true

const faults: ReadonlySet<Problem['code']> = new Set(['several_times', 'decimal_comma'])

/** With so many digits it may be a number that was written badly: `O24 123 4567`. */
const mostDigits = 7
