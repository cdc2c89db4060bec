import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { isUnfinished } from '../store/orders.ts'
import { chargeOf, type Order, type Recipient } from './order.ts'
import type { Placement } from './placement.ts'
import { isTerminal } from './status.ts'

/**
 * Where a recipient stands: the placement of its order until that is placed, then its own status. Of an order of
 * which only the whole was told, that status is each recipient's as far as anybody knows; where some have a status
 * of their own, or fewer were accepted than sent, the others are `not known`.
 */
export type RecipientState =
  | { kind: 'placement'; placement: Exclude<Placement, 'placed'> }
  | { kind: 'status'; status: string; reported: boolean; of: 'recipient' | 'order' }
  | { kind: 'not_known' }

export const stateOf = (order: Order, recipient: Recipient): RecipientState => {
  if (order.placement !== 'placed') return { kind: 'placement', placement: order.placement }
  if (recipient.status !== null && (order.kind === 'bulk' || recipient.reported)) {
    return { kind: 'status', status: recipient.status, reported: recipient.reported, of: 'recipient' }
  }
  const ofOrder = { kind: 'status', status: order.status ?? 'processing', of: 'order' } as const
  if (order.kind === 'single') return { ...ofOrder, of: 'recipient', reported: order.statusReported }
  if (isAcceptedInPart(order)) return { kind: 'not_known' }
  const someTold = order.recipients.some(({ status }) => status !== null)
  if (someTold && isTerminal(order.status)) return { kind: 'not_known' }
  return { ...ofOrder, reported: order.statusReported }
}

/** The provider took the order for fewer recipients than were sent: whom it left out is not known by that. */
export const isAcceptedInPart = ({ acceptedQuantity, quantity }: Order): boolean =>
  acceptedQuantity !== null && acceptedQuantity < quantity

/** How a list stands. */
export interface Progress {
  total: number
  waiting: number
  /** Sent, and not at an end. */
  underWay: number
  delivered: number
  /** Failed, cancelled or refunded at the provider. */
  failed: Failure[]
  /** Of unknown outcome, being checked, or for a person to judge. */
  unconfirmed: number
  /** Refused, cancelled before sending, or known not to have been placed: nothing was charged. */
  notOrdered: number
  notKnown: number
  spentPesewas: Pesewas
  refundedPesewas: Pesewas
  /** Nothing of it is going to change any more, as far as it is followed. */
  isDone: boolean
}

export interface Failure {
  orderId: string
  phone: Phone
  position: number
  status: string
  /** A poll told it of this very recipient, or the money of the whole order is back. */
  isCertain: boolean
  retryId: string | null
}

const nothingYet = {
  total: 0,
  waiting: 0,
  underWay: 0,
  delivered: 0,
  unconfirmed: 0,
  notOrdered: 0,
  notKnown: 0,
  spentPesewas: 0 as Pesewas,
  refundedPesewas: 0 as Pesewas,
  isDone: true,
}

/** Adds up what became of a list. What was superseded is asked for again elsewhere, and counted there. */
export const progressOf = (orders: readonly Order[]): Progress => {
  const progress: Progress = { ...nothingYet, failed: [] }
  for (const order of orders) {
    if (order.placement === 'superseded') continue
    for (const recipient of order.recipients) count(progress, order, recipient)
    progress.isDone &&= !isUnfinished(order)
    if (order.placement !== 'placed') continue
    progress.spentPesewas = (progress.spentPesewas + chargeOf(order)) as Pesewas
    progress.refundedPesewas = (progress.refundedPesewas + (order.refundedPesewas ?? 0)) as Pesewas
  }
  progress.failed.sort((a, b) => a.position - b.position)
  return progress
}

const count = (progress: Progress, order: Order, recipient: Recipient): void => {
  progress.total += 1
  const state = stateOf(order, recipient)
  switch (state.kind) {
    case 'not_known':
      progress.notKnown += 1
      return
    case 'placement':
      progress[groupOf[state.placement]] += 1
      return
    case 'status':
      if (!isTerminal(state.status)) progress.underWay += 1
      else if (state.status === 'delivered') progress.delivered += 1
      else progress.failed.push(failureOf(order, recipient, state))
  }
}

/** What a placement means for who watches the list. */
const groupOf = {
  queued: 'waiting',
  sending: 'underWay',
  unconfirmed: 'unconfirmed',
  review: 'unconfirmed',
  rejected: 'notOrdered',
  not_placed: 'notOrdered',
  cancelled: 'notOrdered',
  expired: 'notOrdered',
  superseded: 'notOrdered',
} as const

type StatusState = Extract<RecipientState, { kind: 'status' }>

const failureOf = (order: Order, recipient: Recipient, state: StatusState): Failure => ({
  orderId: order.id,
  phone: recipient.phone,
  position: recipient.position,
  status: state.status,
  isCertain: !state.reported && (state.of === 'recipient' || isWholeRefunded(order)),
  retryId: recipient.retryId,
})

/** The money of the whole order is back: whoever of it was meant has nothing. */
const isWholeRefunded = (order: Order): boolean => (order.refundedPesewas ?? 0) >= chargeOf(order)
