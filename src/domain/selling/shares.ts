import { minus, type Pesewas, pesewas, plus, sum, zero } from '../../provider/money.ts'
import { chargeKnownOf, refundOf } from '../debits/charge.ts'
import { chargeOf, type Order, type Recipient } from '../order/order.ts'
import { type RecipientState, stateOf } from '../order/progress.ts'
import { isTerminal } from '../order/status.ts'
import type { Amounts } from './agent-prices.ts'

/** One recipient's share of an order's money. The shares of all recipients add up to the order's totals. */
export interface Share {
  chargedPesewas: Pesewas
  refundedPesewas: Pesewas
  netPesewas: Pesewas
}

export interface SharedOrder
  extends Amounts,
    Pick<Order, 'kind' | 'placement' | 'reason' | 'status' | 'statusReported'> {
  recipients: readonly Pick<Recipient, 'status' | 'reported'>[]
}

/**
 * One share for each of the order's recipients, in the same sequence; null if the order is not known to be charged. A
 * refund goes to the failed recipients first. If the provider accepted fewer recipients and does not say which, those
 * whose state is not known share the rest of the charge.
 */
export const sharesOf = (order: SharedOrder): Share[] | null => {
  if (chargeKnownOf(order) !== 'charged') return null
  const states = order.recipients.map((recipient) => stateOf(order, recipient))
  const charged = split(chargeOf(order), weightsOf(order, states))
  const refunded = refundsOf(refundOf(order), charged, states)
  return charged.map((chargedPesewas, index) => {
    const refundedPesewas = refunded[index] ?? zero
    return { chargedPesewas, refundedPesewas, netPesewas: minus(chargedPesewas, refundedPesewas) }
  })
}

/**
 * What the wallet finally paid for some of the recipients: their charge less their refund. The selling price less
 * this amount is their profit, on cards, in files and in statistics.
 * @param isMeant chooses the recipients by their state
 * @returns null if the order is not known to be charged
 */
export const paidFor = (order: SharedOrder, isMeant: (state: RecipientState) => boolean): Pesewas | null => {
  // Shares are rounded to whole pesewas from the first recipient to the last. Sorting the recipients by state makes the
  // sum independent of their order in the list.
  const recipients = order.recipients.toSorted((a, b) => kindOf(a).localeCompare(kindOf(b)))
  const shares = sharesOf({ ...order, recipients })
  const meant = shares?.filter((_, index) => {
    const recipient = recipients[index]
    return recipient !== undefined && isMeant(stateOf(order, recipient))
  })
  return meant ? sum(meant.map(({ netPesewas }) => netPesewas)) : null
}

const kindOf = ({ status, reported }: SharedOrder['recipients'][number]): string => `${status} ${reported}`

/**
 * How much each recipient counts when the charge is split: usually 1. If the provider took only some of the recipients,
 * those whose state is not known count less.
 */
const weightsOf = (
  { acceptedQuantity, quantity }: SharedOrder,
  states: readonly RecipientState[],
): number[] => {
  const unknown = states.filter(({ kind }) => kind === 'not_known').length
  const accepted = acceptedQuantity ?? quantity
  const left = Math.min(unknown, Math.max(0, accepted - (states.length - unknown)))
  return states.map(({ kind }) => (kind === 'not_known' ? left / unknown : 1))
}

const refundsOf = (
  refund: Pesewas,
  charged: readonly Pesewas[],
  states: readonly RecipientState[],
): Pesewas[] => {
  const ofFailed = charged.map((each, index) => (isFailed(states[index]) ? each : zero))
  const owed = ofFailed.reduce(plus, zero)
  if (refund <= owed) return split(refund, ofFailed)
  const rest = split(
    minus(refund, owed),
    charged.map((each, index) => minus(each, ofFailed[index] ?? zero)),
  )
  return ofFailed.map((each, index) => plus(each, rest[index] ?? zero))
}

const isFailed = (state: RecipientState | undefined): boolean =>
  state?.kind === 'status' && isTerminal(state.status) && state.status !== 'delivered'

/** Splits an amount by weights into whole pesewas that add up to it. If all weights are 0, the parts are equal. */
const split = (amount: Pesewas, weights: readonly number[]): Pesewas[] => {
  const whole = weights.reduce((total, weight) => total + weight, 0)
  const used = whole > 0 ? weights : weights.map(() => 1)
  const most = whole > 0 ? whole : weights.length
  let passed = 0
  let given = 0
  return used.map((weight) => {
    passed += weight
    const upTo = Math.round((amount * passed) / most)
    const part = upTo - given
    given = upTo
    return pesewas(part)
  })
}
