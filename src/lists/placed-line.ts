import { type Columns, itemsOfRow, readColumns } from './column.ts'
import type { PlacedLine } from './entry.ts'
import { itemsOf } from './item.ts'
import { plain } from './plain.ts'
import type { Problem } from './reading.ts'
import { begun, isSeam, lostAt, seamed } from './seam.ts'
import { readStamp } from './stamp.ts'
import { type WrittenLine, writtenLine } from './written-line.ts'

/** Characters: enough for thousands of numbers, few enough that its tokens fit in memory. */
const longestLine = 100_000

/** What holds from line to line: the columns of a table, and who is writing in a copied chat. */
interface Place {
  columns: Columns | null
  sender: string | null
}

/** Reads each line by itself, as the lines above it let it be read: by columns, and apart from chat stamps. */
export const placedLines = (texts: readonly string[]): PlacedLine[] => {
  const place: Place = { columns: null, sender: null }
  return texts.map((text, index) => {
    const before = place.sender
    const lost = lostAt(texts, index, bare)
    const written = isSeam(text) ? seamed(bare(text)) : lineAt(text, place)
    return { index, written, begins: begun(text) || place.sender !== before, lost }
  })
}

/** What a line says alone. */
export const bare = (text: string): WrittenLine => lineAt(text, { columns: null, sender: null })

const lineAt = (text: string, place: Place): WrittenLine => {
  if (text.length > longestLine) return faulty({ code: 'too_long', longest: longestLine })
  if (text === '') return talk
  const line = plain(text)
  const stamp = readStamp(line)
  if (!stamp) return tableLine(line, place)
  if (stamp.sender !== null) place.sender = stamp.sender
  if (stamp.isSystem) return talk
  const written = tableLine(stamp.rest, place)
  const isOwn = stamp.byPhone && written.phones === 0 && written.kind !== 'comment'
  return isOwn ? faulty({ code: 'unclear', written: stamp.sender ?? '' }) : written
}

const tableLine = (line: string, place: Place): WrittenLine => {
  const columns = readColumns(line)
  if (columns) {
    place.columns = columns
    return talk
  }
  const items = (place.columns && itemsOfRow(line, place.columns)) ?? itemsOf(line)
  return writtenLine(items, line)
}

const talk: WrittenLine = writtenLine([], '')

const faulty = (problem: Problem): WrittenLine => ({
  ...writtenLine([], ''),
  kind: 'comment',
  problems: [problem],
})
