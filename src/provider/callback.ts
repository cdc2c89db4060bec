import { isJsonObject, readDate, readReference, readText, readWord } from './field.ts'
import { networks } from './network.ts'
import { orderStatuses } from './order-answer.ts'
import { type Phone, phoneFromAnswer } from './phone.ts'

/** The content of a webhook callback (API §6). Nothing authenticates its sender, so it is a hint, not proof. */
export interface Callback {
  /** `order.status.updated`, or any other word. */
  event: string | null
  reference: string
  status: string
  network: string | null
  volume: string | null
  phone: Phone | null
  deliveredAt: Date | null
  timestamp: Date | null
}

/**
 * Reads a callback's parsed body, leniently: any field except reference and status may be missing or of the wrong type,
 * and unknown fields are ignored.
 *
 * @returns null if the body is not a JSON object, or its `reference` or `status` is blank or not a string.
 */
export const parseCallback = (body: unknown): Callback | null => {
  if (!isJsonObject(body)) return null
  const reference = readReference(body.reference)
  const status = readWord(body.status, orderStatuses)
  if (reference === null || status === null) return null
  return {
    event: readText(body.event),
    reference,
    status,
    network: readWord(body.network, networks),
    volume: readText(body.volume),
    phone: phoneFromAnswer(body.phone),
    deliveredAt: readDate(body.delivered_at),
    timestamp: readDate(body.timestamp),
  }
}
