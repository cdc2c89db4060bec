import { z } from 'zod'
import type { AnswerMeta } from './answer.ts'
import { isJsonObject, type JsonObject, optional, readDate, readWord, required } from './field.ts'
import type { Pesewas } from './money.ts'
import { networks } from './network.ts'
import { type Phone, phoneFromAnswer } from './phone.ts'

/** The statuses of API §3. Any other word in an answer is passed through. */
export const orderStatuses = ['placed', 'processing', 'delivered', 'failed', 'cancelled', 'refunded'] as const

/** A single order in the answer to its POST (API §4.2). Only its reference is sure to be there. */
export interface PlacedOrder {
  id: number | null
  reference: string
  network: string | null
  volume: string | null
  phone: Phone | null
  pricePesewas: Pesewas | null
  /** `processing` if the answer has no status (API §3.1). */
  status: string
  placedAt: Date | null
}

/** A bulk order in the answer to its POST (API §4.3). */
export interface PlacedBulkOrder {
  id: number | null
  reference: string
  bundleId: number | null
  /** How many recipients the provider counted. Compare it with how many were sent. */
  totalQuantity: number | null
  totalPricePesewas: Pesewas | null
  /**
   * The phones that the answer lists. The API does not document such a list, so there may be none, or only some of
   * them.
   */
  phones: Phone[]
  status: string
  placedAt: Date | null
}

/** The state of one recipient of a bulk order. */
export interface RecipientStatus {
  phone: Phone
  status: string | null
  deliveredAt: Date | null
}

/** The record of a single or bulk order (API §4.4). The API does not document the record of a bulk order. */
export interface OrderStatus {
  reference: string
  /** `single`, or any other word. */
  type: string | null
  network: string | null
  volume: string | null
  phone: Phone | null
  pricePesewas: Pesewas | null
  totalPricePesewas: Pesewas | null
  totalQuantity: number | null
  status: string
  placedAt: Date | null
  deliveredAt: Date | null
  /** Null if the record lists no recipients. Nothing is known about a recipient who is missing from the list. */
  recipients: RecipientStatus[] | null
  /** How many entries of the recipients' list have no readable phone. */
  unreadableRecipients: number
  meta: AnswerMeta
}

const status = required.word(orderStatuses)
const statusOrProcessing = optional.word(orderStatuses).transform((word) => word ?? 'processing')

const placedOrder = z
  .object({
    id: optional.integer,
    reference: required.reference,
    network: optional.word(networks),
    volume: optional.text,
    phone: optional.phone,
    price: optional.money,
    status: statusOrProcessing,
    placed_at: optional.date,
  })
  .transform(
    ({ price, placed_at, ...order }): PlacedOrder => ({
      ...order,
      pricePesewas: price,
      placedAt: placed_at,
    }),
  )

const placedBulkOrder = z
  .object({
    id: optional.integer,
    reference: required.reference,
    bundle_id: optional.integer,
    total_quantity: optional.count,
    total_price: optional.money,
    status: statusOrProcessing,
    placed_at: optional.date,
  })
  .transform(
    (order): Omit<PlacedBulkOrder, 'phones'> => ({
      id: order.id,
      reference: order.reference,
      bundleId: order.bundle_id,
      totalQuantity: order.total_quantity,
      totalPricePesewas: order.total_price,
      status: order.status,
      placedAt: order.placed_at,
    }),
  )

const orderRecord = z
  .object({
    reference: optional.reference,
    type: optional.text,
    network: optional.word(networks),
    volume: optional.text,
    phone: optional.phone,
    price: optional.money,
    total_price: optional.money,
    total_quantity: optional.count,
    status,
    placed_at: optional.date,
    delivered_at: optional.date,
  })
  .transform(({ price, total_price, total_quantity, placed_at, delivered_at, ...record }) => ({
    ...record,
    pricePesewas: price,
    totalPricePesewas: total_price,
    totalQuantity: total_quantity,
    placedAt: placed_at,
    deliveredAt: delivered_at,
  }))

/**
 * Reads the answer of API §4.2. Null if it has no reference, because without one there is no evidence that the order
 * exists.
 */
export const placedOrderIn = (body: JsonObject): PlacedOrder | null => firstReadable(body, placedOrder)

/** Reads the answer of API §4.3; null if it has no reference. */
export const placedBulkOrderIn = (body: JsonObject): PlacedBulkOrder | null => {
  const order = firstReadable(body, placedBulkOrder)
  const { recipients } = recipientsIn(recordsIn(body))
  return order && { ...order, phones: recipients?.map(({ phone }) => phone) ?? [] }
}

const firstReadable = <T>(body: JsonObject, schema: z.ZodType<T>): T | null => {
  for (const record of recordsIn(body)) {
    const result = schema.safeParse(record)
    if (result.success) return result.data
  }
  return null
}

/**
 * Reads the status record of an order (API §4.4).
 *
 * @param reference the order that was asked about
 * @returns null if the answer has no record, or another order's record
 */
export const orderStatusIn = (body: JsonObject, reference: string): Omit<OrderStatus, 'meta'> | null => {
  const [record = body] = recordsIn(body)
  const result = orderRecord.safeParse(record)
  if (!result.success) return null
  const named = result.data.reference
  if (named !== null && named.toLowerCase() !== reference.toLowerCase()) return null
  return {
    ...result.data,
    reference: named ?? reference,
    ...recipientsIn([record, ...recordsIn(body), body]),
  }
}

/**
 * Where an answer may hold an order: under the documented names, under the same names below `data`, in `data`
 * itself, at the top level.
 */
const recordsIn = (body: JsonObject): JsonObject[] => {
  const data = isJsonObject(body.data) ? body.data : {}
  return [body.order, body.bulk_order, data.order, data.bulk_order, body.data, body].filter(isJsonObject)
}

/** API §2 does not document records of single recipients, so these are the names that other APIs give such lists. */
const listNames = [
  'recipients',
  'phones',
  'orders',
  'items',
  'numbers',
  'phone_numbers',
  'deliveries',
  'details',
  'results',
  'entries',
]
const phoneNames = ['phone', 'number', 'msisdn', 'phone_number', 'recipient', 'mobile', 'recipient_phone']
const statusNames = ['status', 'delivery_status', 'state']

type Recipients = Pick<OrderStatus, 'recipients' | 'unreadableRecipients'>

const recipientsIn = (records: readonly JsonObject[]): Recipients => {
  const lists = records.flatMap((record) => listNames.map((name) => entriesOf(record[name])))
  const list = lists.find((entries) => entries !== null)
  if (!list) return { recipients: null, unreadableRecipients: 0 }
  const recipients = list.map(recipientOf).filter((recipient) => recipient !== null)
  return { recipients, unreadableRecipients: list.length - recipients.length }
}

/** The entries of a list, or of an object whose keys are phones. */
const entriesOf = (value: unknown): readonly unknown[] | null => {
  if (Array.isArray(value)) return value
  if (!isJsonObject(value)) return null
  const byPhone = Object.entries(value).filter(([key]) => phoneFromAnswer(key) !== null)
  if (byPhone.length === 0) return null
  return byPhone.map(([phone, entry]) =>
    isJsonObject(entry) ? { ...entry, phone } : { phone, status: entry },
  )
}

const recipientOf = (entry: unknown): RecipientStatus | null => {
  if (!isJsonObject(entry)) {
    const phone = phoneFromAnswer(entry)
    return phone && { phone, status: null, deliveredAt: null }
  }
  const phone = firstOf(entry, phoneNames, phoneFromAnswer)
  if (!phone) return null
  const status = firstOf(entry, statusNames, (value) => readWord(value, orderStatuses))
  return { phone, status, deliveredAt: readDate(entry.delivered_at) }
}

const firstOf = <T>(entry: JsonObject, names: readonly string[], read: (value: unknown) => T | null) => {
  for (const name of names) {
    const value = read(entry[name])
    if (value !== null) return value
  }
  return null
}
