import { type Pesewas, pesewas, plus, zero } from '../../provider/money.ts'
import { type ChargedOrder, type Charges, chargesOf, noCharges, refundOf } from '../debits/charge.ts'
import {
  chargeOf,
  isUnfinished,
  type Order,
  ownChargeOf,
  type PricelessOrder,
  type Recipient,
} from './order.ts'
import type { Placement } from './placement.ts'
import { haveAllRecipientsEnded, owedRefund } from './recipient-ends.ts'
import { isTerminal } from './status.ts'

/**
 * A recipient's state: the placement of the order until it is `placed`, then the recipient's own status. If only the
 * whole order has a status, it counts for each recipient. But if fewer recipients were accepted than sent, or if the
 * order has ended and only some recipients have a final status of their own, the others are `not_known`.
 */
export type RecipientState =
  | { kind: 'placement'; placement: Exclude<Placement, 'placed'> }
  | { kind: 'status'; status: string; reported: boolean; of: 'recipient' | 'order' }
  | { kind: 'not_known' }

export const stateOf = (
  order: KnownOutcome,
  recipient: Pick<Recipient, 'status' | 'reported'>,
): RecipientState => {
  const { placement, status } = order
  if (placement !== 'placed') return { kind: 'placement', placement }
  const whole = { kind: 'status', status: status ?? 'processing', reported: order.statusReported } as const
  if (order.kind === 'single') return { ...whole, of: 'recipient' }
  // Once the order as a whole has ended, a recipient's own unfinished status no longer counts.
  if (recipient.status !== null && (isTerminal(recipient.status) || !isTerminal(status))) {
    return { kind: 'status', status: recipient.status, reported: recipient.reported, of: 'recipient' }
  }
  if (isAcceptedInPart(order)) return { kind: 'not_known' }
  const someEnded = order.recipients.some((each) => isTerminal(each.status))
  return someEnded && isTerminal(status) ? { kind: 'not_known' } : { ...whole, of: 'order' }
}

type KnownOutcome = Pick<
  Order,
  'kind' | 'placement' | 'status' | 'statusReported' | 'acceptedQuantity' | 'quantity'
> & {
  recipients: readonly Pick<Recipient, 'status'>[]
}

/** Whether money may have been spent on a bundle that the recipient has, or may still get. */
export const mayBeCharged = (order: Order, recipient: Recipient): boolean => {
  const state = stateOf(order, recipient)
  return state.kind !== 'status' || !isTerminal(state.status) || state.status === 'delivered'
}

/**
 * Whether the provider accepted the bulk order for fewer recipients than were sent. It does not say which ones it left
 * out.
 */
export const isAcceptedInPart = ({
  acceptedQuantity,
  quantity,
}: Pick<Order, 'acceptedQuantity' | 'quantity'>): boolean =>
  acceptedQuantity !== null && acceptedQuantity < quantity

/** How many recipients are in each state. */
export interface Counts {
  total: number
  waiting: number
  /** Sent, but without a final status. */
  underWay: number
  delivered: number
  /** Failed, cancelled or refunded at the provider. */
  failed: { readonly length: number }
  /** The outcome is unknown: the bot is checking it, or a person has to decide. */
  unconfirmed: number
  /** Rejected, not placed, or ended before it was sent. */
  notOrdered: number
  notKnown: number
}

export interface ListProgress extends Counts {
  failed: Failure[]
  charges: Charges
  owedPesewas: Pesewas
  /** Nothing more is expected to change in the list. */
  isDone: boolean
}

/** A recipient whose order failed after it was placed. */
export interface Failure {
  orderId: string
  phone: Recipient['phone']
  position: number
  status: string
  /**
   * How the failure is known. `surely`: a poll named this very recipient, or the money is back. `by_callback`: only a
   * callback reported it. `whole`: only the order as a whole is known to have failed.
   */
  told: 'surely' | 'by_callback' | 'whole'
  isCertain: boolean
  /** The refund for this very number; null if there is none, or nobody knows which numbers it is for. */
  refundedPesewas: Pesewas | null
  retryId: string | null
}

const nobodyYet = {
  total: 0,
  waiting: 0,
  underWay: 0,
  delivered: 0,
  unconfirmed: 0,
  notOrdered: 0,
  notKnown: 0,
}

const nothingYet = {
  ...nobodyYet,
  charges: noCharges,
  owedPesewas: zero,
  isDone: true,
}

/** Adds up the results of a list. A superseded order is left out, because the draft that replaces it counts instead. */
export const progressOf = (orders: readonly Order[]): ListProgress => {
  const progress: ListProgress = { ...nothingYet, failed: [], charges: chargesOf(orders) }
  for (const order of orders) {
    if (order.placement === 'superseded') continue
    for (const recipient of order.recipients) count(progress, order, recipient)
    progress.isDone &&= haveAllRecipientsEnded(order) || !isUnfinished(order)
    if (order.placement === 'placed') progress.owedPesewas = plus(progress.owedPesewas, owedRefund(order))
  }
  progress.failed.sort((a, b) => a.position - b.position)
  return progress
}

const count = (progress: ListProgress, order: Order, recipient: Recipient): void => {
  progress.total += 1
  const state = stateOf(order, recipient)
  const group = groupOf(state)
  if (group !== 'failed') progress[group] += 1
  else if (state.kind === 'status') progress.failed.push(failureOf(order, recipient, state))
}

/** An order whose recipients were counted by state in the database, not read one by one. */
export interface CountedOrder extends KnownOutcome, ChargedOrder, Pick<Order, 'id' | 'purchaseId'> {
  recipients: readonly (Pick<Recipient, 'status' | 'reported'> & { count: number })[]
}

/** Counts recipients by state, without money. A recipient without `count` counts as one. */
export const countsOf = (
  orders: readonly (KnownOutcome & {
    recipients: readonly (Pick<Recipient, 'status' | 'reported'> & { count?: number })[]
  })[],
): Counts => {
  const counts = { ...nobodyYet, failed: 0 }
  for (const order of orders) {
    if (order.placement === 'superseded') continue
    for (const alike of order.recipients) {
      counts.total += alike.count ?? 1
      counts[groupIn(order, alike)] += alike.count ?? 1
    }
  }
  return { ...counts, failed: { length: counts.failed } }
}

/** Whether the change puts the recipient into another group, as a delivery or a failure does, so that it is news. */
export const changesGroup = (order: Order, before: Recipient, after: Recipient): boolean =>
  groupIn(order, before) !== groupIn(withRecipient(order, after), after)

const withRecipient = (order: Order, recipient: Recipient): Order => ({
  ...order,
  recipients: order.recipients.map((each) => (each.phone === recipient.phone ? recipient : each)),
})

export const failedNumbers = (order: PricelessOrder): Recipient['phone'][] =>
  order.recipients
    .filter((each) => groupIn(order, each) === 'failed')
    .sort((a, b) => a.position - b.position)
    .map(({ phone }) => phone)

/** The group in which a recipient is counted. */
export type Group = Exclude<keyof Counts, 'total'>

/** The group in which a recipient of the order is counted. */
export const groupIn = (order: KnownOutcome, recipient: Pick<Recipient, 'status' | 'reported'>): Group =>
  groupOf(stateOf(order, recipient))

const groupOf = (state: RecipientState): Group => {
  switch (state.kind) {
    case 'not_known':
      return 'notKnown'
    case 'placement':
      return groups[state.placement]
    case 'status':
      if (!isTerminal(state.status)) return 'underWay'
      return state.status === 'delivered' ? 'delivered' : 'failed'
  }
}

/** How each placement counts for a person who watches the list. */
const groups = {
  queued: 'waiting',
  sending: 'underWay',
  unconfirmed: 'unconfirmed',
  review: 'unconfirmed',
  rejected: 'notOrdered',
  not_placed: 'notOrdered',
  cancelled: 'notOrdered',
  superseded: 'notOrdered',
} as const

type StatusState = Extract<RecipientState, { kind: 'status' }>

const failureOf = (order: Order, recipient: Recipient, state: StatusState): Failure => {
  const told = toldBy(order, state)
  const { phone, position, retryId } = recipient
  return {
    orderId: order.id,
    phone,
    position,
    status: state.status,
    told,
    isCertain: told === 'surely',
    refundedPesewas: isEachRefunded(order) ? shareOf(order) : null,
    retryId,
  }
}

const toldBy = (order: Order, { reported, of }: StatusState): Failure['told'] => {
  if (isWholeRefunded(order)) return 'surely'
  if (reported) return 'by_callback'
  return of === 'recipient' ? 'surely' : 'whole'
}

/** Whether the refund covers all failed numbers. If it covers fewer, nobody knows which ones. */
const isEachRefunded = (order: Order): boolean => {
  const failed = order.recipients.filter((each) => groupIn(order, each) === 'failed')
  return refundOf(order) >= failed.length * chargeForEach(order)
}

/** The charge per number, which may differ from the confirmed price. */
const chargeForEach = (order: Order): number => {
  if (order.kind === 'single') return ownChargeOf(order)
  if (order.chargedPesewas === null) return order.unitPricePesewas
  return ownChargeOf(order) / (order.acceptedQuantity ?? order.quantity)
}

/**
 * The share of each number in the charge; null if the charge cannot be split evenly into whole pesewas, because the
 * shares are then unknown.
 */
const shareOf = (order: Order): Pesewas | null => {
  const share = chargeForEach(order)
  return Number.isInteger(share) ? pesewas(share) : null
}

/** Whether the whole charge was refunded, so that none of the recipients got a bundle. */
const isWholeRefunded = (order: Order): boolean => refundOf(order) >= chargeOf(order)
