import type { Order, Recipient } from '../../domain/order/order.ts'
import { type RecipientState, stateOf } from '../../domain/order/progress.ts'
import { inPricesOf } from '../../domain/selling/agent-prices.ts'
import { type Share, sharesOf } from '../../domain/selling/shares.ts'
import { money, text, time, type Value } from '../../exports/cell-value.ts'
import { minus } from '../../provider/money.ts'
import { offerName } from '../../shop/offer-name.ts'
import type { ExportedOrder } from '../../store/orders/exports.ts'
import * as exportTexts from '../words/column-headings.ts'
import { numberCell } from '../words/numbers.ts'
import { placementWord } from '../words/order-state.ts'
import type { View } from './viewer.ts'

/** The columns of a recipient's row, in the same order in every file. */
const orderColumns = [
  ...(['ordered', 'reference', 'network', 'size', 'offer', 'phone', 'contact', 'price'] as const),
  ...(['charged', 'refunded', 'net', 'sold', 'profit', 'placement', 'status', 'reported'] as const),
  ...(['sent', 'placed', 'changed', 'orderedBy'] as const),
] satisfies exportTexts.Column[]

export type OrderColumn = (typeof orderColumns)[number]

/** Columns that agents do not see. */
const ofOwners = new Set<OrderColumn>(['profit', 'orderedBy'])

/** Columns that members who see no prices do not see either. */
const ofPrices = new Set<OrderColumn>(['price', 'charged', 'refunded', 'net', 'sold'])

export const orderColumnsFor = ({ role, prices }: View): OrderColumn[] =>
  orderColumns.filter(
    (column) => (role === 'owner' || !ofOwners.has(column)) && (prices !== 'none' || !ofPrices.has(column)),
  )

/** What the rows of an exported order show. */
export type ToldOrder = Omit<ExportedOrder, 'recipients'> & {
  recipients: readonly (Pick<Recipient, 'phone' | 'status' | 'statusAt' | 'reported'> & {
    /** The name that the number is saved with. */
    name?: string | null
  })[]
}

/**
 * A row of cells for each recipient of an order, in the order's sequence. The amounts are in the view's prices and add
 * up to the order's amounts.
 * @param userId the person who gets the file.
 */
export const orderCells = (
  order: ToldOrder,
  { userId, view }: { userId: number; view: View },
): Record<OrderColumn, Value>[] => {
  const priced = inPricesOf(order, view.prices)
  const shares = priced && sharesOf(priced)
  const common = {
    ordered: time(order.createdAt),
    reference: text(order.reference),
    network: text(order.network),
    size: text(order.volume),
    offer: text(offerName(order.network, order.offerSlug) || null),
    price: money(priced?.unitPricePesewas ?? null),
    placement: text(placementWord(order.placement)),
    sent: time(order.sentAt),
    placed: time(order.placedAt),
    orderedBy: text(order.agentName ?? exportTexts.orderedByOwner(order.userId === userId)),
  }
  return order.recipients.map((recipient, index) => {
    const state = stateOf(order, recipient)
    return {
      ...common,
      phone: text(numberCell(recipient.phone)),
      contact: text(recipient.name ?? null),
      ...moneyCells(order, state, shares?.[index] ?? null),
      status: text(statusOf(state)),
      reported: text(state.kind === 'status' && state.reported ? exportTexts.reportedWord : null),
      changed: time(changedAt(order, recipient, state)),
    }
  })
}

/** A sale counts only once it is delivered, as in the statistics. */
const moneyCells = ({ sellUnitPesewas }: ToldOrder, state: RecipientState, share: Share | null) => {
  const isSold = state.kind === 'status' && state.status === 'delivered' && sellUnitPesewas !== null
  return {
    charged: money(share?.chargedPesewas ?? null),
    refunded: money(share?.refundedPesewas ?? null),
    net: money(share?.netPesewas ?? null),
    sold: money(isSold ? sellUnitPesewas : null),
    profit: money(isSold && share ? minus(sellUnitPesewas, share.netPesewas) : null),
  }
}

const statusOf = (state: RecipientState): string | null => {
  if (state.kind === 'not_known') return exportTexts.statusNotKnown
  return state.kind === 'status' ? state.status : null
}

const changedAt = (
  order: Pick<Order, 'statusAt'>,
  recipient: Pick<Recipient, 'statusAt'>,
  state: RecipientState,
): Date | null => {
  if (state.kind !== 'status') return null
  return state.of === 'recipient' ? (recipient.statusAt ?? order.statusAt) : order.statusAt
}
