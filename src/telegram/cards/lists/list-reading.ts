import type { Selection } from '../../../domain/list-draft.ts'
import { count, money, text, type Value } from '../../../exports/cell-value.ts'
import { type ExportFormat, fileBytes } from '../../../exports/export-file.ts'
import type { ReadLine, ReadRecipient } from '../../../lists/reading-result.ts'
import { writtenSize } from '../../../lists/size.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import { plainText } from '../../chat/screen.ts'
import type { FileToSend } from '../../chat/sender.ts'
import * as exportTexts from '../../words/column-headings.ts'
import * as words from '../words/list-preview.ts'
import * as problemWords from '../words/list-problem.ts'

const columns = [
  ...(['line', 'written', 'result', 'phone', 'contact'] as const),
  ...(['network', 'size', 'price', 'remark'] as const),
] satisfies exportTexts.Column[]

/** A file with every line of a list and how it was read. Each number on a line has its own row. */
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

/** @param names the saved names, by number. */
export const readingRows = (
  { reading, selection }: Preview,
  names: ReadonlyMap<string, string> = new Map(),
): Value[][] => {
  const left = whyLeftOut(selection)
  const fate = (recipient: ReadRecipient): string => left.get(recipient) ?? ''
  return reading.lines.flatMap((line) => rowsOf(line, fate, names))
}

/** For each number that is ready but not ordered, the reason. */
const whyLeftOut = ({ send, done, repeats, barred, down, cut }: Selection) => {
  const why = new Map<ReadRecipient, string>()
  for (const { recipient, reference } of repeats) why.set(recipient, words.skippedRepeat(reference))
  for (const recipient of barred) why.set(recipient, words.leftOut('barred'))
  for (const recipient of down) why.set(recipient, words.leftOut('down'))
  for (const recipient of cut) why.set(recipient, words.leftOut('cut'))
  for (const { recipient, fate } of done) why.set(recipient, words.doneBefore(fate))
  // The numbers in `send` are ordered after all, even if they are repeats.
  for (const recipient of send) why.delete(recipient)
  return why
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
