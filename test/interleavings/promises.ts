import { nameOf } from './order.ts'
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
    if (holders.length > 1) return `${holders.length} orders have the same debit`
    if (charge.isProven && own.reference !== index && own.otherReference !== index)
      return `${nameOf(charge.order)} does not have the reference that its own answer named`
    if (!charge.isVisible || holders.length > 0) continue
    const isOpen =
      ['unconfirmed', 'review'].includes(own.placement) || (own.placement === 'sending' && isOutOfTime)
    if (!isOpen)
      return `the debit of ${nameOf(charge.order)}, which is ${own.placement}, is neither matched nor reported`
  }
  for (const [index, order] of orders.entries()) {
    if (order.placement === 'sending' && !isOutOfTime) return `${nameOf(index)} stays in sending for ever`
    const charge = order.reference === null ? null : charges[order.reference]
    if (!charge || isMisled) continue
    if (!order.inferred && charge.order !== index)
      return `${nameOf(index)} has the reference of ${nameOf(charge.order)}, and it counts as proven`
    if (order.placement === 'placed' && order.status !== charge.status && !(order.reported && isOutOfTime))
      return `${nameOf(index)} is shown as ${order.status}, but at the provider it is ${charge.status}`
  }
  return null
}
