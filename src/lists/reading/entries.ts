import type { Problem } from '../reading-result.ts'
import type { BlockLine, Entry, PlacedLine } from './entry.ts'
import type { SizeItem } from './grammar/item.ts'
import { readNetworks } from './network-heading.ts'
import { readSizes } from './size-heading.ts'
import type { Pair, WrittenLine } from './written-line.ts'

export interface Entries {
  entries: Entry[]
  /**
   * Sizes that were given to no phone, because they may be for one phone or for several. By the index of their line.
   */
  unused: Map<number, SizeItem>
}

/** Gives each phone the size and network from its own lines and the headings above it. */
export const entriesOf = (lines: readonly PlacedLine[]): Entries => {
  const result: Entries = { entries: [], unused: new Map() }
  let block: BlockLine[] = []
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
  return { lines: [index + 1], pairs: written.pairs, problems: written.problems }
}

const readBlock = (block: readonly BlockLine[], result: Entries): void => {
  if (block.length === 0) return
  readSizes(block)
  readNetworks(block)
  const areServed = block.every(({ entry }) => entry === null || entry.pairs.every(hasSize))
  for (const { line, entry, use, serves } of block) {
    if (entry) result.entries.push(entry)
    if (use === 'none' || (use === 'heading' && !serves && isForSomebody(line))) leaveUnused(line, result)
    else if (use === 'heading' && !serves && areServed && isOrderOfNobody(line.written))
      result.entries.push(withoutNumber(line, line.written.size))
  }
}

const hasSize = ({ sizes }: Pair): boolean => sizes.length > 0

/**
 * Whether the line orders for a phone that is missing, such as `Need 4gb` in a list where every other phone has its
 * size. A size next to an amount is part of a price list instead.
 */
const isOrderOfNobody = (line: WrittenLine): line is WrittenLine & { size: SizeItem } =>
  line.kind === 'size' && line.size?.hasUnit === true && !line.hasAmount && line.problems.length === 0

const withoutNumber = ({ index, written: { name } }: PlacedLine, { size }: SizeItem): Entry => ({
  lines: [index + 1],
  pairs: [],
  problems: [
    name === null ? { code: 'no_number', size } : { code: 'not_saved', name, size, line: index + 1 },
  ],
})

/**
 * Reports a size that belongs to no phone. If the size itself has a fault, its line has to be corrected, unless it
 * is part of a price list.
 */
const leaveUnused = (line: PlacedLine, { entries, unused }: Entries): void => {
  const { index, written } = line
  const { problems, size, digits } = written
  const isFault = problems.some(({ code }) => faults.has(code) || (code === 'unclear' && digits >= maxDigits))
  if (isFault) entries.push({ lines: [index + 1], pairs: [], problems })
  else if (size && isForSomebody(line)) entries.push(withoutNumber(line, size))
  else if (size) unused.set(index, size)
}

/** Whether the line has a size for a person whose phone is missing: `Kofi 5gb`. */
const isForSomebody = ({ written }: Pick<PlacedLine, 'written'>): boolean =>
  written.kind === 'size' && written.hasName && written.size?.hasUnit === true

const faults: ReadonlySet<Problem['code']> = new Set(['several_times', 'decimal_comma'])

/** A line with this many digits may be a badly written phone: `O24 123 4567`. */
const maxDigits = 7
