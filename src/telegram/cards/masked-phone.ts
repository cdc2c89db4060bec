import type { Order } from '../../domain/order.ts'
import { isRedacted } from '../../domain/order.ts'
import { maskPhone } from '../../provider/phone.ts'
import { howMany } from '../words/recipients.ts'
import { numberOr } from '../words/removed.ts'

/** The recipients of an order as a stranger may know them: a masked number, or how many there are. */
export const maskedWhom = (order: Order): string => {
  const [first] = order.recipients
  if (!first || order.recipients.length > 1) return howMany(order.recipients.length)
  return isRedacted(order) ? numberOr(first.phone) : maskPhone(first.phone)
}
