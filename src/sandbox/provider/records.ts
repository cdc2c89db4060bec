import type { Account } from './accounts.ts'
import type { ProviderBundleState, ProviderTransactionState } from './control.ts'
import { deliveredAtMs, type Order, orderStatus, totalPesewas } from './orders.ts'
import { apiTimestamp } from './timestamp.ts'

/**
 * An amount as the API writes it, a JSON number in GHS. Floating-point numbers are exact enough: they are printed
 * with the right two decimals.
 */
export const ghs = (amountPesewas: number): number => amountPesewas / 100

export const bundleRecord = (bundle: ProviderBundleState) => ({
  id: bundle.id,
  network: bundle.network,
  volume: bundle.volume,
  price: ghs(bundle.pricePesewas),
  offer_slug: bundle.offerSlug,
  status: 'active',
})

/** A single order, as in the answer to its POST (API §2). */
export const placedRecord = (order: Order) => ({
  id: order.id,
  reference: order.reference,
  network: order.bundle.network,
  volume: order.bundle.volume,
  phone: order.recipients[0]?.phone,
  price: ghs(order.pricePesewas),
  // The status when the order was placed. If the answer is slow, the order may be delivered by now.
  status: 'processing',
  placed_at: apiTimestamp(order.placedAtMs),
})

/** A bulk order, as in the answer to its POST (API §2). */
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
 * The status record of an order (API §2). The API document does not show that of a bulk order. Here it has no
 * `phone`, but the fields of a placed bulk order and, with `withRecipients`, the `recipients`.
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

/** The API leaves `delivered_at` out unless the order is delivered (API §2). */
const deliveredField = (ms: number | null) => (ms === null ? {} : { delivered_at: apiTimestamp(ms) })

export const balanceRecord = (account: Account, balancePesewas: number, nowMs: number) => ({
  balance: ghs(balancePesewas),
  currency: 'GHS',
  account_type: account.accountType,
  timestamp: apiTimestamp(nowMs),
})

export const transactionRecord = (transaction: ProviderTransactionState) => ({
  id: transaction.id,
  type: transaction.type,
  amount: ghs(transaction.amountPesewas),
  description: transaction.description,
  reference: transaction.reference,
  balance_after: ghs(transaction.balanceAfterPesewas),
  created_at: transaction.createdAt,
})
