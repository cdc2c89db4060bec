import type { Order } from './order.ts'

/** A recipient whose order was rejected or not placed. */
export interface Refused {
  orderId: string
  phone: string
  position: number
  /**
   * The provider named this number as the one with a pending order, and rejected the other numbers of the order
   * with it.
   */
  isPending: boolean
  retryId: string | null
}

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
 * The order's numbers that the message of its 409 names. The API does not document what that message says for a bulk
 * order (API §4.3).
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

/** The given phones that occur in a text, in any written form. */
export const phonesIn = <T extends string>(text: string, phones: readonly T[]): T[] => {
  const digits = text.replace(/[^\d,;]+/g, ' ')
  const named = new Set(digits.match(/\d+/g)?.map((word) => word.replace(/^(00)?233(?=\d{9}$)/, '0')))
  return phones.filter((phone) => named.has(phone))
}
