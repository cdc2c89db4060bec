import * as z from 'zod'
import { type Account, bundlesFor } from './accounts.ts'
import { isLoopback } from './callback-sender.ts'
import { networks } from './catalogue.ts'
import { type Answer, jsonAnswer, refusalAnswer } from './http-answer.ts'
import type { Order } from './orders.ts'
import {
  balanceRecord,
  bundleRecord,
  ghs,
  placedBulkRecord,
  placedRecord,
  statusRecord,
  transactionRecord,
} from './records.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import type { Simulator } from './simulator.ts'

/** The parts of a request that an operation reads. */
export interface Call {
  query: unknown
  params: unknown
  /** The parsed body, or its text if it is not JSON. */
  body: unknown
}

/** One endpoint of API §4, for a caller whose credentials and limits have been checked. */
export type Operation = (simulator: Simulator, account: Account, call: Call) => Promise<Answer>

/** In the form that the API accepts (API §8.3). */
export const phone = z.string().regex(/^0\d{9}$/, 'must have the format 0XXXXXXXXX')
const webhookUrl = z.url({ protocol: /^https?$/ }).nullish()
const bundleId = z.int().positive()

const singleOrder = z.object({ bundle_id: bundleId, phone, webhook_url: webhookUrl })
const bulkOrder = z.object({
  bundle_id: bundleId,
  phones: z.array(phone).min(1).max(100),
  webhook_url: webhookUrl,
})
const bundleFilter = z.object({ network: z.enum(networks).optional() })
/** A `per_page` above 100 counts as 100, because API §8 does not say what the provider does then. */
const paging = z.object({
  page: z.coerce.number().int().positive().default(1),
  per_page: z.coerce
    .number()
    .int()
    .positive()
    .default(20)
    .transform((perPage) => Math.min(perPage, 100)),
})
const statusPath = z.object({ reference: z.string() })

/** GET /bundles (API §4.1). */
export const listBundles: Operation = async (_simulator, account, { query }) => {
  const filter = parsed(bundleFilter, query)
  if (isRefusal(filter)) return refusalAnswer(filter)
  const bundles = bundlesFor(account).filter(({ network }) => (filter.network ?? network) === network)
  return jsonAnswer(200, {
    success: true,
    account_type: account.accountType,
    bundles: bundles.map(bundleRecord),
  })
}

/** POST /order (API §4.2). */
export const placeOrder: Operation = async (simulator, account, { body }) => {
  const wish = parsed(singleOrder, body)
  if (isRefusal(wish)) return refusalAnswer(wish)
  const phones = [wish.phone]
  const order = await place(simulator, account, 'single', wish.bundle_id, phones, wish.webhook_url)
  if (isRefusal(order)) return refusalAnswer(order)
  return jsonAnswer(201, {
    success: true,
    message: 'Order placed successfully.',
    order: placedRecord(order),
    wallet_balance: ghs(simulator.ledger.balance(account.id)),
  })
}

/** POST /order/bulk (API §4.3). */
export const placeBulkOrder: Operation = async (simulator, account, { body }) => {
  const wish = parsed(bulkOrder, body)
  if (isRefusal(wish)) return refusalAnswer(wish)
  const order = await place(simulator, account, 'bulk', wish.bundle_id, wish.phones, wish.webhook_url)
  if (isRefusal(order)) return refusalAnswer(order)
  return jsonAnswer(201, {
    success: true,
    message: 'Bulk order placed successfully.',
    bulk_order: placedBulkRecord(order),
    wallet_balance: ghs(simulator.ledger.balance(account.id)),
  })
}

/**
 * GET /order/status/{reference} (API §4.4). `ProviderSettings.lookUp` says whether it finds the orders of all
 * accounts.
 */
export const orderStatusRecord: Operation = async (simulator, account, { params }) => {
  const path = parsed(statusPath, params)
  if (isRefusal(path)) return refusalAnswer(path)
  const order = simulator.orders.find(path.reference)
  const isTold = simulator.settings.lookUp === 'all' || order?.accountId === account.id
  if (!order || !isTold) {
    return refusalAnswer(refuse('NOT_FOUND', 'There is no order with this reference.'))
  }
  const record = statusRecord(order, simulator.settings.bulkRecipients)
  return jsonAnswer(200, { success: true, order: record })
}

/** GET /wallet/balance (API §4.5). */
export const walletBalance: Operation = async (simulator, account) => {
  const record = balanceRecord(account, simulator.ledger.balance(account.id), simulator.clock())
  return jsonAnswer(200, { success: true, ...record })
}

/** GET /transactions (API §4.6): newest first, unless a fault reverses the list. */
export const listTransactions: Operation = async (simulator, account, { query }) => {
  const pages = parsed(paging, query)
  if (isRefusal(pages)) return refusalAnswer(pages)
  const { page, per_page } = pages
  const visible = simulator.entries(account.id)
  return jsonAnswer(200, {
    success: true,
    transactions: visible.slice((page - 1) * per_page, page * per_page).map(transactionRecord),
    pagination: {
      current_page: page,
      per_page,
      total: visible.length,
      last_page: Math.max(1, Math.ceil(visible.length / per_page)),
    },
  })
}

const place = async (
  simulator: Simulator,
  account: Account,
  type: Order['type'],
  bundleId: number,
  phones: string[],
  webhook: string | null | undefined,
): Promise<Order | Refusal> => {
  if (webhook && !isLoopback(new URL(webhook))) {
    return refuse('UNPROCESSABLE', 'webhook_url: the sandbox can only call addresses on this machine.')
  }
  return simulator.place(account, { type, bundleId, phones, webhookUrl: webhook ?? null })
}

const parsed = <T extends object>(schema: z.ZodType<T>, value: unknown): T | Refusal => {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  return refuse('VALIDATION_ERROR', faults.join('; '))
}
