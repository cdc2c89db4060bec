import type { Order } from './order.ts'

/** A recipient whose order was refused or not placed: nothing was charged. */
export interface Refused {
  orderId: string
  phone: string
  position: number
  /**
   * The provider has named this number as the one with a pending order; the others of the order were refused
   * with it.
   */
  isPending: boolean
  retryId: string | null
}

/** The recipients of orders that the provider refused, or that are known not to have been placed. */
export const refusedOf = (orders: readonly Order[]): Refused[] =>
  orders
    .filter(({ placement }) => placement === 'rejected' || placement === 'not_placed')
    .flatMap((order) => {
      const pending = new Set(pendingPhones(order))
      return order.recipients.map(({ phone, position, retryId }) => ({
        orderId: order.id,
        phone,
        position,
        isPending: pending.has(phone),
        retryId,
      }))
    })
    .sort((a, b) => a.position - b.position)

/**
 * The numbers of an order that the message of its 409 names. The refusal of a bulk order is not documented (API
 * §4.3).
 */
export const pendingPhones = ({
  reason,
  providerMessage,
  recipients,
}: Pick<Order, 'reason' | 'providerMessage' | 'recipients'>): string[] =>
  reason === 'pending'
    ? phonesIn(
        providerMessage ?? '',
        recipients.map(({ phone }) => phone),
      )
    : []

/** The numbers that a text names, in any form. */
export const phonesIn = <T extends string>(text: string, phones: readonly T[]): T[] => {
  const digits = text.replace(/[^\d,;]+/g, ' ')
  const named = new Set(digits.match(/\d+/g)?.map((word) => word.replace(/^(00)?233(?=\d{9}$)/, '0')))
  return phones.filter((phone) => named.has(phone))
}
