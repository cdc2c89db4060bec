import { count, text } from '../../../exports/cell-value.ts'
import { fileBytes } from '../../../exports/export-file.ts'
import { namesIn } from '../../../lists/names/names-in.ts'
import { readSize, type Size } from '../../../lists/size.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import type { Button } from '../../chat/screen.ts'
import type { FileToSend } from '../../chat/sender.ts'
import * as words from '../words/network-file.ts'
import type { Act } from './list-view.ts'

/**
 * The file that a network's own portal takes: the way out while the provider is down. It has the columns of the
 * template that MTN gives its customers, which `lists` reads too.
 */

interface FileRow {
  phone: string
  network: string
  size: Size
}

/**
 * The numbers of an unconfirmed list that belong in the file. If a network is down, these are only the numbers that the
 * list leaves out for that reason, so that Confirm and the file never share a number. If there is no price list, they
 * are the numbers that lack nothing but a price.
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
  const recipients = selection.down.length > 0 ? selection.down : selection.send
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
          text(names.get(phone as Parameters<typeof names.get>[0]) ?? null),
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
