import { takenKey } from '../../../domain/list-draft.ts'
import { count, text } from '../../../exports/cell-value.ts'
import { fileBytes } from '../../../exports/export-file.ts'
import { namesIn } from '../../../lists/names/names-in.ts'
import { readSize, type Size } from '../../../lists/size.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import type { Phone } from '../../../provider/phone.ts'
import type { Button } from '../../chat/screen.ts'
import type { FileToSend } from '../../chat/sender.ts'
import * as words from '../words/network-file.ts'
import type { Act } from './list-view.ts'

/**
 * The file that a network's own portal takes: the way out while the provider is down. It has the columns of the
 * template that MTN gives its customers, which `lists` reads too.
 */

interface FileRow {
  phone: Phone
  network: string
  size: Size
}

/**
 * The numbers of an unconfirmed list that belong in the file. If a network is down, these are only the numbers that the
 * list leaves out for that reason. If there is no price list, they are the numbers that lack nothing but a price. Those
 * that were taken before are in each later file too.
 */
const rowsOf = ({ reading, selection, list }: Preview): FileRow[] => {
  if (list.shown.bundles.length === 0)
    return reading.lines
      .filter(({ number, together }) => number === together[0])
      .flatMap(({ problems }) => problems)
      .flatMap((problem) =>
        problem.code === 'not_sold' && problem.network !== null
          ? [{ phone: problem.phone, network: problem.network, size: problem.size }]
          : [],
      )
  const untaken = selection.down.length > 0 ? selection.down : selection.send
  const taken = selection.done.filter(({ fate }) => fate === 'taken').map(({ recipient }) => recipient)
  const chosen = new Set([...untaken, ...taken])
  const recipients = reading.recipients.filter((recipient) => chosen.has(recipient))
  return recipients.flatMap(({ phone, network, volume }) => {
    const size = readSize(volume)
    return size ? [{ phone, network, size }] : []
  })
}

/** A button for the file; none if the list has no number for it. */
export const networkFileButtons = (preview: Preview, act: Act): Button[] => {
  const networks = [...new Set(rowsOf(preview).map(({ network }) => network))]
  return networks.length > 0 ? [act(words.fileLabel(networks), { act: 'network_file' })] : []
}

/** The numbers in the file (`ListAnswers.taken`). Confirm leaves them out from then on, so that nobody gets it twice. */
export const takenIn = (preview: Preview): string[] =>
  rowsOf(preview).map(({ phone, size }) => takenKey(phone, size))

/** A button that orders the taken numbers here after all; none if none were taken. */
export const putBackButtons = ({ list: { answers } }: Preview, act: Act): Button[] =>
  answers.taken ? [act(words.putBackLabel(answers.taken.length), { act: 'put_back' })] : []

export const networkFiles = async (preview: Preview): Promise<FileToSend[]> => {
  const names = namesIn(preview.list.text)
  const byNetwork = [...Map.groupBy(rowsOf(preview), ({ network }) => network)]
  return Promise.all(
    byNetwork.map(async ([network, rows]) => ({
      name: `${words.fileName(network)}.xlsx`,
      content: await fileBytes(
        'xlsx',
        { name: words.sheetName, headings: words.headings, widths: words.widths, timeZone: 'UTC' },
        rows.map(({ phone, size }) => [
          text(phone),
          text(names.get(phone) ?? null),
          count(0),
          count(megabytesIn(size)),
          count(0),
        ]),
      ),
      caption: words.fileCaption(network, rows.length),
    })),
  )
}

/** As the heading of the column says: 1024MB = 1GB. */
const megabytesIn = ({ amount, unit }: Size): number => (unit === 'GB' ? Math.round(amount * 1024) : amount)
