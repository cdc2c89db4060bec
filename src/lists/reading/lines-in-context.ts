import { isAdded, isCut, lostAt, scissors, truncated } from '../meaning/truncation.ts'
import type { Problem } from '../reading-result.ts'
import { readChatStamp } from './chat-timestamp.ts'
import type { PlacedLine } from './entry.ts'
import {
  type Columns,
  cellsOf,
  delimiterOf,
  itemsOfRow,
  lacksPhone,
  readColumns,
  ruledBy,
  unitOf,
} from './grammar/columns.ts'
import type { Item } from './grammar/item.ts'
import { itemsOf } from './grammar/read-items.ts'
import { inUnit, type RulingUnit, unitHeadingIn, withoutFigures } from './grammar/unit.ts'
import { normalized } from './normalize.ts'
import { type ColumnSums, createColumnSums } from './sum-row.ts'
import { type WrittenLine, writtenLine } from './written-line.ts'

/**
 * The longest line that is read, in characters. It has room for thousands of phones, and its tokens still fit into
 * memory.
 */
const maxLineLength = 100_000

/** What carries over from line to line: the columns of a table, and the writer in a copied chat. */
interface Place {
  columns: Columns | null
  /** The unit that a heading gives to the bare numbers below it. */
  unit: RulingUnit | null
  sums: ColumnSums
  sender: string | null
  isLast: boolean
}

const newPlace = (unit: RulingUnit | null = null): Place => ({
  columns: null,
  unit,
  sums: createColumnSums(),
  sender: null,
  isLast: false,
})

/** Reads each line in the context of the lines above it: by the columns of a table, and without chat stamps. */
export const placedLines = (texts: readonly string[]): PlacedLine[] => {
  const place = newPlace()
  const lines = linesIn(texts, place)
  const below = unitBelow(texts, place)
  return below === null ? lines : linesIn(texts, newPlace(below))
}

const linesIn = (texts: readonly string[], place: Place): PlacedLine[] => {
  const isJoined = texts.some((text) => text.includes(scissors))
  const last = texts.findLastIndex((text) => text.trim() !== '')
  return texts.map((text, index) => {
    const before = place.sender
    place.isLast = index === last
    const written = isJoined ? joinedLine(texts, index, place) : lineAt(text, place)
    const lost = isJoined ? lostAt(texts, index, bare) : null
    return { index, written, begins: isAdded(text) || place.sender !== before, lost }
  })
}

/**
 * The unit in a line such as `All in MB` at the end of the list, which applies to the lines above it; null if there
 * is none.
 */
const unitBelow = (texts: readonly string[], { columns, unit, sender }: Place): RulingUnit | null => {
  if (unit === null || unit === 'GB' || columns || sender !== null) return null
  const last = texts.findLastIndex((text) => text.trim() !== '')
  const isOnly = texts.findIndex((text) => unitHeadingIn(normalized(text)) !== null) === last
  return isOnly ? unit : null
}

/** Reads a line of a list that was joined from several messages. If the line may be cut, it becomes a fault. */
const joinedLine = (texts: readonly string[], index: number, place: Place): WrittenLine => {
  const text = texts[index] ?? ''
  return isCut(texts, index, bare) ? truncated(bare(text)) : lineAt(text.replaceAll(scissors, ''), place)
}

export const bare = (text: string): WrittenLine => lineAt(text, newPlace())

const lineAt = (text: string, place: Place): WrittenLine => {
  if (text.length > maxLineLength) return faulty({ code: 'too_long', longest: maxLineLength })
  if (text === '') return talk
  const line = normalized(text)
  const stamp = readChatStamp(line)
  if (!stamp) return tableLine(line, place)
  if (stamp.sender !== null && stamp.sender !== place.sender) {
    place.sender = stamp.sender
    place.unit = null
  }
  if (stamp.isSystem) return talk
  const written = tableLine(stamp.rest, place)
  const isOwn = stamp.byPhone && written.phones === 0 && written.kind !== 'comment'
  return isOwn ? faulty({ code: 'unclear', written: stamp.sender ?? '' }) : written
}

const tableLine = (line: string, place: Place): WrittenLine => {
  const columns = readColumns(line)
  if (columns) return headLine(columns, place)
  const unit = unitHeadingIn(line)
  if (unit) return unitLine(line, unit, place)
  const row = place.columns && itemsOfRow(line, place.columns)
  const items = row ?? itemsOfFree(line, place.unit)
  const written = writtenLine(items, line)
  return rowOf(line, written, row ? items : null, place)
}

const headLine = (columns: Columns, place: Place): WrittenLine => {
  const unit = unitOf(columns)
  place.columns = unit === null && place.unit !== null ? ruledBy(columns, place.unit) : columns
  place.unit = unit ?? place.unit
  const { network } = columns
  return network ? { ...talk, kind: 'network', network: { ...network, isSure: true } } : talk
}

/**
 * Applies the unit that the line names to the lines below it. The rest of the line still counts: in `MTN (MB)`,
 * `MTN` is a heading too.
 */
const unitLine = (line: string, unit: RulingUnit, place: Place): WrittenLine => {
  place.unit = unit
  place.columns = place.columns && ruledBy(place.columns, unit)
  const items = itemsOf(withoutFigures(line)).filter(({ kind }) => kind !== 'unit')
  return writtenLine(items, line)
}

/**
 * The items of a line outside a table. Programs that export lists fill unused cells with zeros, which are dropped.
 */
const itemsOfFree = (line: string, unit: RulingUnit | null): Item[] => {
  const items = itemsOf(line).map((item) => inUnit(item, unit, false))
  const hasZeros = items.some(isZero) && items.some(({ kind }) => kind === 'size')
  return hasZeros && zeroCells.test(line) ? items.filter((item) => !isZero(item)) : items
}

const zeroCells = /[\t;|,]\s{0,3}0\s{0,3}(?:[\t;|,]|$)/

const isZero = (item: Item): boolean =>
  item.kind === 'fault' && item.problem.code === 'unclear' && item.problem.written === '0'

/**
 * Reads a row of a table. A row without a phone is a sum, or its phone is missing. Its size is never given to
 * another row.
 */
const rowOf = (
  line: string,
  written: WrittenLine,
  row: readonly Item[] | null,
  place: Place,
): WrittenLine => {
  const delimiter = row ? (place.columns?.delimiter ?? null) : delimiterOf(line)
  if (!row && delimiter === null) return written
  const cells = cellsOf(line, delimiter)
  if (written.phones > 0) place.sums.add(cells)
  if (written.phones > 0 || cells.length < 2) return written
  if (place.sums.are(cells, place.isLast)) return talk
  if (!row || !place.columns || !lacksPhone(line, place.columns)) return written
  const size = row.find((item) => item.kind === 'size')
  if (row.some(({ kind }) => kind === 'total')) return talk
  const fault = row.find((item) => item.kind === 'fault')
  if (!size) return fault ? faulty(fault.problem) : talk
  return { ...faulty({ code: 'no_number', size: size.size }), size, hasName: written.hasName }
}

const talk: WrittenLine = writtenLine([], '')

const faulty = (problem: Problem): WrittenLine => ({
  ...writtenLine([], ''),
  kind: 'comment',
  problems: [problem],
})
