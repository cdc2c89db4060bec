import { type Cell, csvOf } from '../lists/csv.ts'
import type { Order, Purchase, Recipient } from '../orders/order.ts'
import { countsOf, type RecipientState, stateOf } from '../orders/progress.ts'
import { inPricesOf } from '../shop/agent-prices.ts'
import type { Queries } from '../store/store.ts'
import type { FileToSend } from './sender.ts'
import * as listTexts from './texts/list.ts'
import { numberCell } from './texts/removed.ts'
import { placementWord } from './texts/status.ts'
import type { View } from './viewer.ts'

/** What became of each number of a list, as a file. */
export const listResult = async (
  queries: Queries,
  { id, createdAt }: Purchase,
  view: View,
): Promise<FileToSend> => {
  const orders = (await queries.orders.ofPurchase(id)).filter(({ placement }) => placement !== 'superseded')
  const rows = orders
    .flatMap((order) => order.recipients.map((recipient) => ({ order, recipient })))
    .sort((a, b) => a.recipient.position - b.recipient.position)
    .map(({ order, recipient }) => rowOf(order, recipient, view))
  return {
    name: listTexts.resultFile(createdAt.toISOString().slice(0, 10)),
    content: csvOf([listTexts.resultColumns, ...rows]),
    caption: listTexts.resultCaption(countsOf(orders)),
  }
}

const rowOf = (order: Order, recipient: Recipient, { prices }: View): Cell[] => {
  const priced = inPricesOf(order, prices)
  const sold = prices === 'none' ? null : order.sellUnitPesewas
  const state = stateOf(order, recipient)
  return [
    recipient.position + 1,
    numberCell(recipient.phone),
    order.network,
    order.volume,
    priced && (priced.unitPricePesewas / 100).toFixed(2),
    sold && (sold / 100).toFixed(2),
    order.reference,
    placementWord(order.placement),
    statusOf(state),
    state.kind === 'status' && state.reported ? listTexts.reportedWord : null,
    timeOf(order.createdAt),
    timeOf(order.sentAt),
    timeOf(order.placedAt),
    state.kind === 'status'
      ? timeOf(state.of === 'recipient' ? (recipient.statusAt ?? order.statusAt) : order.statusAt)
      : null,
  ]
}

const statusOf = (state: RecipientState): string | null => {
  if (state.kind === 'not_known') return listTexts.notKnown
  return state.kind === 'status' ? state.status : null
}

/** ISO 8601 without fractions, in UTC: what spreadsheets read as a time. */
const timeOf = (at: Date | null): string | null => at?.toISOString().replace(/\.\d+Z$/, 'Z') ?? null
