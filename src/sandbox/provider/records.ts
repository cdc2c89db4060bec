import type { Account } from './accounts.ts'
import type { ProviderBundleState, ProviderTransactionState } from './control.ts'
import { deliveredAtMs, type Order, orderStatus, totalPesewas } from './orders.ts'
import { apiTimestamp } from './timestamp.ts'

/** An amount as the API writes it: a JSON number in GHS. The nearest double prints as its two decimals. */
export const ghs = (amountPesewas: number): number => amountPesewas / 100

/** API §2, Bundle. */
export const bundleRecord = (bundle: ProviderBundleState) => ({
  id: bundle.id,
  network: bundle.network,
  volume: bundle.volume,
  price: ghs(bundle.pricePesewas),
  offer_slug: bundle.offerSlug,
  status: 'active',
})

/** API §2, Single order: as returned when placed. */
export const placedRecord = (order: Order) => ({
  id: order.id,
  reference: order.reference,
  network: order.bundle.network,
  volume: order.bundle.volume,
  phone: order.recipients[0]?.phone,
  price: ghs(order.pricePesewas),
  // The status of the moment of placing: a delivery may have overtaken a slow answer.
  status: 'processing',
  placed_at: apiTimestamp(order.placedAtMs),
})

/** API §2, Bulk order: as returned when placed. */
export const placedBulkRecord = (order: Order) => ({
  id: order.id,
  reference: order.reference,
  bundle_id: order.bundle.id,
  total_quantity: order.recipients.length,
  total_price: ghs(totalPesewas(order)),
  status: 'processing',
  placed_at: apiTimestamp(order.placedAtMs),
})

/**
 * API §2, Order status record. For a bulk order, whose record the document does not show: the same without
 * `phone`, with the fields of the placed bulk order, and with `recipients` where these are asked for.
 */
export const statusRecord = (order: Order, withRecipients: boolean) => {
  const common = {
    reference: order.reference,
    type: order.type,
    network: order.bundle.network,
    volume: order.bundle.volume,
    price: ghs(order.pricePesewas),
    status: orderStatus(order),
    placed_at: apiTimestamp(order.placedAtMs),
    ...deliveredField(deliveredAtMs(order)),
  }
  if (order.type === 'single') return { ...common, phone: order.recipients[0]?.phone }
  const { bundle_id, total_quantity, total_price } = placedBulkRecord(order)
  return {
    ...common,
    bundle_id,
    total_quantity,
    total_price,
    ...(withRecipients ? { recipients: recipientRecords(order) } : {}),
  }
}

const recipientRecords = (order: Order) =>
  order.recipients.map(({ phone, status, deliveredAtMs }) => ({
    phone,
    status,
    ...deliveredField(deliveredAtMs),
  }))

/** Present while the order is delivered, absent otherwise (API §2). */
const deliveredField = (ms: number | null) => (ms === null ? {} : { delivered_at: apiTimestamp(ms) })

/** API §2, Wallet balance. */
export const balanceRecord = (account: Account, balancePesewas: number, nowMs: number) => ({
  balance: ghs(balancePesewas),
  currency: 'GHS',
  account_type: account.accountType,
  timestamp: apiTimestamp(nowMs),
})

/** API §2, Transaction. */
export const transactionRecord = (transaction: ProviderTransactionState) => ({
  id: transaction.id,
  type: transaction.type,
  amount: ghs(transaction.amountPesewas),
  description: transaction.description,
  reference: transaction.reference,
  balance_after: ghs(transaction.balanceAfterPesewas),
  created_at: transaction.createdAt,
})
