import { money, type Row, text, time, type Value } from '../exports/row.ts'
import type { Sheet } from '../exports/workbook.ts'
import { explain } from '../orders/explanation.ts'
import { chargeOf } from '../orders/order.ts'
import { type RecipientState, stateOf } from '../orders/progress.ts'
import type { Transaction } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { inPricesOf } from '../shop/agent-prices.ts'
import type { ExportCursor, ExportedOrder, ExportedRecipient, ExportScope } from '../store/exports.ts'
import type { WholeStore } from '../store/store.ts'
import type { ExportSubject } from './buttons/export.ts'
import * as exportTexts from './texts/export.ts'
import { numberCell } from './texts/removed.ts'
import { placementWord } from './texts/status.ts'
import type { View } from './viewer.ts'

/** What the columns of an export hold, and in which order they stand. */
type Columns = Record<string, readonly [heading: string, width: number]>

export const sheetOf = (subject: ExportSubject, view: View): Sheet => {
  const columns: Columns = subject === 'orders' ? orderColumnsOf(view) : exportTexts.entryColumns
  const all = Object.values(columns)
  return {
    name: exportTexts.sheetNames[subject],
    headings: all.map(([heading]) => heading),
    widths: all.map(([, width]) => width),
  }
}

/** What an agent is not shown. */
const ofOwners = new Set(['selling', 'profit', 'orderedBy'])

/** What who sees no prices is not shown either. */
const ofPrices = new Set(['price', 'cost'])

const orderColumnsOf = ({ role, prices }: View): Columns =>
  Object.fromEntries(
    Object.entries(exportTexts.orderColumns).filter(
      ([name]) => (role === 'owner' || !ofOwners.has(name)) && (prices !== 'none' || !ofPrices.has(name)),
    ),
  )

type Store = Pick<WholeStore, 'customers' | 'exports' | 'wallets'>

/** So many orders are held at a time, one of which may have a hundred recipients: few, so that they are young when they go. */
const ordersAtOnce = 50

/** A row for each recipient, newest orders first. */
export async function* orderRows(
  store: Pick<Store, 'exports'>,
  { scope, userId, view }: { scope: ExportScope; userId: number; view: View },
): AsyncGenerator<Row> {
  const columns = Object.keys(orderColumnsOf(view))
  for (let after: ExportCursor | null = null; ; ) {
    const orders: ExportedOrder[] = await store.exports.page(scope, after, ordersAtOnce)
    for (const order of orders) {
      for (const recipient of order.recipients) {
        const cells = orderCells(order, recipient, { userId, view })
        yield { at: order.createdAt, values: columns.map((column) => cells[column as keyof typeof cells]) }
      }
    }
    const last = orders.at(-1)
    if (!last || orders.length < ordersAtOnce) return
    after = { createdAt: last.createdAt, id: last.id }
  }
}

type OrderCells = Record<keyof typeof exportTexts.orderColumns, Value>

const orderCells = (
  order: ExportedOrder,
  recipient: ExportedRecipient,
  { userId, view }: { userId: number; view: View },
): OrderCells => {
  const priced = inPricesOf(order, view.prices)
  const state = stateOf(order, recipient)
  const isDelivered = state.kind === 'status' && state.status === 'delivered'
  const cost = order.placement === 'placed' && priced ? costOf(priced) : null
  const { sellUnitPesewas } = order
  const profit = isDelivered && cost !== null && sellUnitPesewas !== null ? sellUnitPesewas - cost : null
  return {
    ordered: time(order.createdAt),
    reference: text(order.reference),
    network: text(order.network),
    size: text(order.volume),
    phone: text(numberCell(recipient.phone)),
    customer: text(recipient.name),
    price: money(priced?.unitPricePesewas ?? null),
    cost: money(cost),
    selling: money(sellUnitPesewas),
    profit: money(profit as Pesewas | null),
    placement: text(placementWord(order.placement)),
    status: text(statusOf(state)),
    reported: text(state.kind === 'status' && state.reported ? exportTexts.reportedWord : null),
    sent: time(order.sentAt),
    placed: time(order.placedAt),
    changed: time(state.kind === 'status' ? changedAt(order, recipient, state) : null),
    orderedBy: text(order.agentName ?? exportTexts.orderedByOwner(order.userId === userId)),
  }
}

/** What one recipient was charged with. */
const costOf = (order: ExportedOrder): Pesewas =>
  Math.round(chargeOf(order) / Math.max(1, order.acceptedQuantity ?? order.quantity)) as Pesewas

const statusOf = (state: RecipientState): string | null => {
  if (state.kind === 'not_known') return exportTexts.statusNotKnown
  return state.kind === 'status' ? state.status : null
}

const changedAt = (
  order: ExportedOrder,
  recipient: ExportedRecipient,
  state: Extract<RecipientState, { kind: 'status' }>,
): Date | null => (state.of === 'recipient' ? (recipient.statusAt ?? order.statusAt) : order.statusAt)

/** A row for each entry of the wallet, with the order that it belongs to. */
export async function* entryRows(
  store: Store,
  accountId: string,
  pages: AsyncIterable<Transaction[]>,
): AsyncGenerator<Row> {
  for await (const page of pages) {
    const explained = await explain(store.wallets, accountId, page)
    const phones = explained.flatMap(({ by }) =>
      by.kind === 'order' ? (by.order.recipients[0]?.phone ?? []) : [],
    )
    const names = await store.customers.names({ accountId, agentId: 0 }, phones)
    for (const { entry, by } of explained) {
      const order = by.kind === 'order' ? by.order : null
      const phone = order?.recipients[0]?.phone ?? null
      const cells: Record<keyof typeof exportTexts.entryColumns, Value> = {
        time: time(entry.createdAt),
        type: text(entry.type),
        amount: money(entry.amountPesewas),
        after: money(entry.balanceAfterPesewas),
        reference: text(entry.reference),
        description: text(entry.description),
        network: text(order?.network ?? null),
        size: text(order?.volume ?? null),
        phone: text(phone && numberCell(phone)),
        recipients: text(order && String(order.recipients.length)),
        customer: text((phone && names.get(phone)) ?? null),
        known: text(exportTexts.knownWords[by.kind] || null),
      }
      yield { at: entry.createdAt, values: Object.values(cells) }
    }
  }
}
