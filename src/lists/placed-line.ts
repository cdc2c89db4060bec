import { readCopyMark } from './chat-timestamp.ts'
import { type Columns, itemsOfRow, readColumns } from './column.ts'
import { itemsOf } from './items.ts'
import { plain } from './plain.ts'
import type { Problem } from './reading.ts'
import { begun, isCut, lostAt, scissors, seamed } from './seam.ts'
import type { PlacedLine } from './written-entry.ts'
import { type WrittenLine, writtenLine } from './written-line.ts'

/**
 * The longest line that is read, in characters: enough for thousands of numbers, few enough that its tokens fit
 * in memory.
 */
const maxLineLength = 100_000

/** The context that holds from line to line: the columns of a table, and the writer in a copied chat. */
interface Place {
  columns: Columns | null
  sender: string | null
}

/** Reads each line with the context of the lines above it: by the columns of a table, and without chat stamps. */
export const placedLines = (texts: readonly string[]): PlacedLine[] => {
  const place: Place = { columns: null, sender: null }
  const isJoined = texts.some((text) => text.includes(scissors))
  return texts.map((text, index) => {
    const before = place.sender
    const written = isJoined ? joinedLine(texts, index, place) : lineAt(text, place)
    const lost = isJoined ? lostAt(texts, index, bare) : null
    return { index, written, begins: begun(text) || place.sender !== before, lost }
  })
}

/** Reads a line of a list that was joined from messages. */
const joinedLine = (texts: readonly string[], index: number, place: Place): WrittenLine => {
  const text = texts[index] ?? ''
  return isCut(texts, index, bare) ? seamed(bare(text)) : lineAt(text.replaceAll(scissors, ''), place)
}

/** Reads a line without any context. */
export const bare = (text: string): WrittenLine => lineAt(text, { columns: null, sender: null })

const lineAt = (text: string, place: Place): WrittenLine => {
  if (text.length > maxLineLength) return faulty({ code: 'too_long', longest: maxLineLength })
  if (text === '') return talk
  const line = plain(text)
  const stamp = readCopyMark(line)
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
