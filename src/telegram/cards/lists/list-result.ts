import type { Purchase } from '../../../domain/order/order.ts'
import { countsOf } from '../../../domain/order/progress.ts'
import { count } from '../../../exports/cell-value.ts'
import { type ExportFormat, fileBytes } from '../../../exports/export-file.ts'
import { dayIn } from '../../../messaging/time-zone.ts'
import type { Queries } from '../../../store/store.ts'
import type { FileToSend } from '../../chat/sender.ts'
import * as exportTexts from '../../words/column-headings.ts'
import { orderCells, orderColumnsFor } from '../order-columns.ts'
import type { View } from '../viewer.ts'
import * as listTexts from '../words/list.ts'
import { namesFor } from './list-numbers.ts'

/** The result of each number of a list, as a file with what its reader may see. */
export const listResult = async (
  queries: Queries,
  purchase: Purchase,
  format: ExportFormat,
  { userId, view }: { userId: number; view: View },
): Promise<FileToSend> => {
  const { id, createdAt } = purchase
  const orders = (await queries.orders.ofPurchase(id)).filter(({ placement }) => placement !== 'superseded')
  const phones = orders.flatMap(({ recipients }) => recipients.map(({ phone }) => phone))
  const names = await namesFor(queries, purchase, phones, userId)
  const columns = orderColumnsFor(view)
  const rows = orders
    .flatMap((order) => {
      const recipients = order.recipients.map((each) => ({ ...each, name: names.get(each.phone) ?? null }))
      const cells = orderCells({ ...order, recipients }, { userId, view })
      return order.recipients.map(({ position }, index) => ({ position, cells: cells[index] }))
    })
    .sort((a, b) => a.position - b.position)
    .map(({ position, cells }) => [count(position + 1), ...columns.map((column) => cells?.[column] ?? null)])
  const { timeZone } = await queries.preferences.of(userId)
  const sheet = exportTexts.sheetOf(exportTexts.listSheetName, ['position', ...columns], timeZone)
  return {
    name: exportTexts.namedFile(exportTexts.listFileName, dayIn(timeZone, createdAt), format),
    content: await fileBytes(format, sheet, rows),
    caption: listTexts.resultCaption(countsOf(orders)),
  }
}
