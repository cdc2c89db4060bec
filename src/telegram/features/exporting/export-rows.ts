import { count, type ExportRow, money, text, time, type Value } from '../../../exports/cell-value.ts'
import type { Sheet } from '../../../exports/written-workbook.ts'
import { explain, orderIn } from '../../../orders/reconciling/explanation.ts'
import type { Transaction } from '../../../provider/index.ts'
import { offerName } from '../../../shop/offer-name.ts'
import type { ExportCursor, ExportedOrder, ExportScope } from '../../../store/orders/exports.ts'
import type { Store } from '../../../store/store.ts'
import type { ExportSubject } from '../../buttons/export-choice.ts'
import { orderCells, orderColumnsFor } from '../../cards/order-columns.ts'
import type { View } from '../../cards/viewer.ts'
import { type Column, sheetOf } from '../../words/column-headings.ts'
import { numberCell } from '../../words/numbers.ts'
import * as exportTexts from './words.ts'

const entryColumns = [
  ...(['time', 'type', 'amount', 'after', 'reference', 'description', 'network', 'size'] as const),
  ...(['offer', 'phone', 'recipients', 'contact', 'known'] as const),
] satisfies Column[]

/** The sheet of an export, with the columns that a person with this view may see. */
export const exportSheet = (subject: ExportSubject, view: View, timeZone: string): Sheet =>
  sheetOf(
    exportTexts.sheetNames[subject],
    subject === 'orders' ? orderColumnsFor(view) : entryColumns,
    timeZone,
  )

/**
 * How many orders are in memory at a time, each with up to a hundred recipients. Few orders are freed early, before the
 * garbage collector treats them as long-lived and keeps them.
 */
const ordersAtOnce = 50

/** A row for each recipient, the newest orders first. */
export async function* orderRows(
  store: Pick<Store, 'exports'>,
  { scope, userId, view }: { scope: ExportScope; userId: number; view: View },
): AsyncGenerator<ExportRow> {
  const columns = orderColumnsFor(view)
  for (let after: ExportCursor | null = null; ; ) {
    const orders: ExportedOrder[] = await store.exports.page(scope, after, ordersAtOnce)
    for (const order of orders) {
      for (const cells of orderCells(order, { userId, view })) {
        yield { at: order.createdAt, values: columns.map((column) => cells[column]) }
      }
    }
    const last = orders.at(-1)
    if (!last || orders.length < ordersAtOnce) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}

/** A row for each entry of the wallet, with the order that explains it. */
export async function* entryRows(
  store: Store,
  accountId: string,
  pages: AsyncIterable<Transaction[]>,
): AsyncGenerator<ExportRow> {
  for await (const page of pages) {
    const explained = await explain(store, accountId, page)
    const phones = explained.flatMap(({ by }) => orderIn(by)?.recipients[0]?.phone ?? [])
    const names = await store.contacts.names({ accountId, agentId: 0 }, phones)
    for (const { entry, by } of explained) {
      const order = orderIn(by)
      const phone = order?.recipients[0]?.phone ?? null
      const cells: Record<(typeof entryColumns)[number], Value> = {
        time: time(entry.createdAt),
        type: text(entry.type),
        amount: money(entry.amountPesewas),
        after: money(entry.balanceAfterPesewas),
        reference: text(entry.reference),
        description: text(entry.description),
        network: text(order?.network ?? null),
        size: text(order?.volume ?? null),
        offer: text((order && offerName(order.network, order.offerSlug)) || null),
        phone: text(phone && numberCell(phone)),
        recipients: order && count(order.recipients.length),
        contact: text((phone && names.get(phone)) ?? null),
        known: text(exportTexts.knownWords[by.kind] || null),
      }
      yield { at: entry.createdAt, values: entryColumns.map((column) => cells[column]) }
    }
  }
}
