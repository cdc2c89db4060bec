import { type Cell, csvOf } from '../lists/csv.ts'
import type { ReadLine, ReadRecipient } from '../lists/reading.ts'
import type { Preview } from '../orders/lists.ts'
import { plainText } from './screen.ts'
import * as words from './texts/preview.ts'

/**
 * Every line of a list with how it was read, a row for each number on it.
 * @param names with which numbers are saved.
 */
export const readingCsv = (
  { reading, selection }: Preview,
  names: ReadonlyMap<string, string> = new Map(),
): string => {
  const repeats = new Map(selection.repeats.map(({ recipient, reference }) => [recipient, reference]))
  const sent = new Set(selection.send)
  const done = new Set(selection.done)
  const fate = (recipient: ReadRecipient): string =>
    sent.has(recipient)
      ? ''
      : words.leftOut(done.has(recipient), repeats.has(recipient), repeats.get(recipient) ?? null)
  return csvOf([words.readingColumns, ...reading.lines.flatMap((line) => rowsOf(line, fate, names))])
}

const rowsOf = (
  line: ReadLine,
  fate: (recipient: ReadRecipient) => string,
  names: ReadonlyMap<string, string>,
): Cell[][] => {
  const { number, text, verdict } = line
  const head = [number, text, words.verdictWord(verdict)]
  const remarks = remarksOf(line)
  if (line.recipients.length > 0) {
    return line.recipients.map((recipient) => {
      const { phone, network, volume, pricePesewas } = recipient
      const remark = [...remarks, fate(recipient)].filter(Boolean).join('; ')
      return [
        ...head,
        phone,
        names.get(phone) ?? null,
        network,
        volume,
        pricePesewas && pricePesewas / 100,
        remark,
      ]
    })
  }
  const written = line.written.map(({ phone, network, size }) => [
    ...head,
    phone,
    null,
    network,
    size && words.sizeText(size),
    null,
    remarks.join('; '),
  ])
  return written.length > 0 ? written : [[...head, null, null, null, null, null, remarks.join('; ')]]
}

const remarksOf = ({ problems, notes }: ReadLine): string[] => [
  ...new Set([...problems.map((problem) => plainText(words.problemText(problem))), ...notes.map(noteWords)]),
]

const noteWords = (note: ReadLine['notes'][number]): string => plainText(words.noteText(note))
