import { type ExportFormat, fileBytes } from '../../exports/file.ts'
import { count, money, text, type Value } from '../../exports/row.ts'
import type { ReadLine, ReadRecipient } from '../../lists/reading.ts'
import { writtenSize } from '../../lists/size.ts'
import type { Preview } from '../../orders/list-preview.ts'
import { plainText } from '../chat/screen.ts'
import type { FileToSend } from '../chat/sender.ts'
import * as exportTexts from '../texts/export.ts'
import * as problemWords from '../texts/list-problem.ts'
import * as words from '../texts/preview.ts'

const columns = [
  ...(['line', 'written', 'result', 'phone', 'customer'] as const),
  ...(['network', 'size', 'price', 'remark'] as const),
] satisfies exportTexts.Column[]

/** Every line of a list with how it was read, as a file with a row for each number on it. */
export const readingFile = async (
  preview: Preview,
  names: ReadonlyMap<string, string>,
  format: ExportFormat,
  timeZone: string,
): Promise<FileToSend> => ({
  name: `${exportTexts.readingFileName}.${format}`,
  content: await fileBytes(
    format,
    exportTexts.sheetOf(exportTexts.readingSheetName, columns, timeZone),
    readingRows(preview, names),
  ),
  caption: words.readingCaption,
})

/** @param names with which numbers are saved. */
export const readingRows = (
  { reading, selection }: Preview,
  names: ReadonlyMap<string, string> = new Map(),
): Value[][] => {
  const repeats = new Map(selection.repeats.map(({ recipient, reference }) => [recipient, reference]))
  const sent = new Set(selection.send)
  const done = new Set(selection.done)
  const fate = (recipient: ReadRecipient): string =>
    sent.has(recipient)
      ? ''
      : words.leftOut(done.has(recipient), repeats.has(recipient), repeats.get(recipient) ?? null)
  return reading.lines.flatMap((line) => rowsOf(line, fate, names))
}

const rowsOf = (
  line: ReadLine,
  fate: (recipient: ReadRecipient) => string,
  names: ReadonlyMap<string, string>,
): Value[][] => {
  const { number, text: written, verdict } = line
  const head = [count(number), text(written), text(words.verdictWord(verdict))]
  const remarks = remarksOf(line)
  if (line.recipients.length > 0) {
    return line.recipients.map((recipient) => {
      const { phone, network, volume, pricePesewas } = recipient
      const remark = [...remarks, fate(recipient)].filter(Boolean).join('; ')
      return [
        ...head,
        text(phone),
        text(names.get(phone) ?? null),
        text(network),
        text(volume),
        money(pricePesewas),
        text(remark),
      ]
    })
  }
  const remark = text(remarks.join('; '))
  const numbers = line.written.map(({ phone, network, size }) => [
    ...head,
    text(phone),
    null,
    text(network),
    text(size && writtenSize(size)),
    null,
    remark,
  ])
  return numbers.length > 0 ? numbers : [[...head, null, null, null, null, null, remark]]
}

const remarksOf = ({ problems, notes }: ReadLine): string[] => [
  ...new Set([
    ...problems.map((problem) => plainText(problemWords.problemText(problem))),
    ...notes.map(noteWords),
  ]),
]

const noteWords = (note: ReadLine['notes'][number]): string => plainText(problemWords.noteText(note))
