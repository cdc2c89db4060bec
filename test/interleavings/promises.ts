import type { State } from './state.ts'

/**
 * What must be true once nothing is in progress and nothing more can be learned.
 * @returns the broken promise; null if all are kept. Promises that hold at every moment are checked by the moves
 * (`State.broken`).
 */
export const restBreach = (state: State): string | null => {
  const { orders, charges, lied } = state
  const isMisled = lied.length > 0
  // If no more time may pass, an order that only has to wait longer is not at fault.
  const isOutOfTime = state.left.waits === 0
  for (const [index, charge] of charges.entries()) {
    const own = orders[charge.order]
    if (!own || isMisled) continue
    const holders = orders.filter(({ reference }) => reference === index)
    if (holders.length > 1) return `${holders.length} orders hold one debit`
    if (charge.isProven && own.reference !== index && own.otherReference !== index)
      return `order ${charge.order + 1} does not hold the reference of its own answer`
    if (!charge.isVisible || holders.length > 0) continue
    const isOpen =
      ['unconfirmed', 'review'].includes(own.placement) || (own.placement === 'sending' && isOutOfTime)
    if (!isOpen)
      return `the debit of order ${charge.order + 1}, which is ${own.placement}, is explained to nobody`
  }
  for (const [index, order] of orders.entries()) {
    if (order.placement === 'sending' && !isOutOfTime) return `order ${index + 1} is being sent for ever`
    const charge = order.reference === null ? null : charges[order.reference]
    if (!charge || isMisled) continue
    if (!order.inferred && charge.order !== index)
      return `order ${index + 1} holds as proven what is order ${charge.order + 1}'s`
    if (order.placement === 'placed' && order.status !== charge.status && !(order.reported && isOutOfTime))
      return `order ${index + 1} is said to be ${order.status}, and is ${charge.status}`
  }
  return null
}
