import type { Pesewas } from '../provider/money.ts'
import type { Amounts } from '../shop/agent-prices.ts'
import { isUnfinished } from '../store/orders.ts'
import { chargeOf, type Order, type PricelessOrder, type Recipient, totalPesewas } from './order.ts'
import type { Placement } from './placement.ts'
import { isEachEndTold, owedRefund } from './recipients.ts'
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

export const stateOf = (order: Told, recipient: Pick<Recipient, 'status' | 'reported'>): RecipientState => {
  const { placement, status } = order
  if (placement !== 'placed') return { kind: 'placement', placement }
  const whole = { kind: 'status', status: status ?? 'processing', reported: order.statusReported } as const
  if (order.kind === 'single') return { ...whole, of: 'recipient' }
  // What was on its way when the order as a whole came to an end is told no further.
  if (recipient.status !== null && (isTerminal(recipient.status) || !isTerminal(status))) {
    return { kind: 'status', status: recipient.status, reported: recipient.reported, of: 'recipient' }
  }
  if (isAcceptedInPart(order)) return { kind: 'not_known' }
  const someEnded = order.recipients.some((each) => isTerminal(each.status))
  return someEnded && isTerminal(status) ? { kind: 'not_known' } : { ...whole, of: 'order' }
}

/** What tells where the recipients of an order stand. */
type Told = Pick<
  Order,
  'kind' | 'placement' | 'status' | 'statusReported' | 'acceptedQuantity' | 'quantity'
> & {
  recipients: readonly Pick<Recipient, 'status'>[]
}

/** Whether money may have been spent on the recipient, for what may still reach it. */
export const mayBeCharged = (order: Order, recipient: Recipient): boolean => {
  const state = stateOf(order, recipient)
  return state.kind !== 'status' || !isTerminal(state.status) || state.status === 'delivered'
}

/** The provider took the order for fewer recipients than were sent: whom it left out is not known by that. */
export const isAcceptedInPart = ({
  acceptedQuantity,
  quantity,
}: Pick<Order, 'acceptedQuantity' | 'quantity'>): boolean =>
  acceptedQuantity !== null && acceptedQuantity < quantity

/** How many numbers of a list stand where, and what all of it costs as it was confirmed. */
export interface Standing {
  total: number
  waiting: number
  /** Sent, and not at an end. */
  underWay: number
  delivered: number
  /** Failed, cancelled or refunded at the provider. */
  failed: { readonly length: number }
  /** Of unknown outcome, being checked, or for a person to judge. */
  unconfirmed: number
  /** Refused, cancelled before sending, or known not to have been placed: nothing was charged. */
  notOrdered: number
  notKnown: number
  confirmedPesewas: Pesewas
}

/** How a list stands, with its money and its failures one by one. */
export interface Progress extends Standing {
  failed: Failure[]
  spentPesewas: Pesewas
  refundedPesewas: Pesewas
  /** What has to come back for what failed. */
  owedPesewas: Pesewas
  /** Nothing of it is going to change any more, as far as it is followed. */
  isDone: boolean
}

export interface Failure {
  orderId: string
  phone: Recipient['phone']
  position: number
  status: string
  /** `surely`: a poll told it of this very recipient, or its money is back. `whole`: only of the order as a whole. */
  told: 'surely' | 'by_callback' | 'whole'
  isCertain: boolean
  /** What came back for this very number; null where nothing did, or nobody knows for which number. */
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
  confirmedPesewas: 0 as Pesewas,
}

const nothingYet = {
  ...nobodyYet,
  spentPesewas: 0 as Pesewas,
  refundedPesewas: 0 as Pesewas,
  owedPesewas: 0 as Pesewas,
  isDone: true,
}

/** Adds up what became of a list. What was superseded is asked for again elsewhere, and counted there. */
export const progressOf = (orders: readonly Order[]): Progress => {
  const progress: Progress = { ...nothingYet, failed: [] }
  for (const order of orders) {
    if (order.placement === 'superseded') continue
    for (const recipient of order.recipients) count(progress, order, recipient)
    progress.isDone &&= isEachEndTold(order) || !isUnfinished(order)
    progress.confirmedPesewas = (progress.confirmedPesewas + totalPesewas(order)) as Pesewas
    if (order.placement !== 'placed') continue
    progress.spentPesewas = (progress.spentPesewas + chargeOf(order)) as Pesewas
    progress.owedPesewas = (progress.owedPesewas + owedRefund(order)) as Pesewas
    progress.refundedPesewas = (progress.refundedPesewas + refundedOf(order)) as Pesewas
  }
  progress.failed.sort((a, b) => a.position - b.position)
  return progress
}

const count = (progress: Progress, order: Order, recipient: Recipient): void => {
  progress.total += 1
  const state = stateOf(order, recipient)
  const group = groupOf(state)
  if (group !== 'failed') progress[group] += 1
  else if (state.kind === 'status') progress.failed.push(failureOf(order, recipient, state))
}

/** An order of which the recipients were only counted, those that stand alike together. */
export interface CountedOrder extends Told, Amounts, Pick<Order, 'id' | 'purchaseId'> {
  recipients: readonly (Pick<Recipient, 'status' | 'reported'> & { count: number })[]
}

/** As `progressOf`, of orders whose recipients were only counted. */
export const standingOf = (orders: readonly CountedOrder[]): Standing => {
  const current = orders.filter(({ placement }) => placement !== 'superseded')
  const confirmedPesewas = current.reduce((sum, order) => sum + totalPesewas(order), 0) as Pesewas
  return { ...countsOf(orders), confirmedPesewas }
}

/** How many numbers stand where. */
export type Counts = Omit<Standing, 'confirmedPesewas'>

/** The same without any money. A recipient without a count is one. */
export const countsOf = (
  orders: readonly (Told & {
    recipients: readonly (Pick<Recipient, 'status' | 'reported'> & { count?: number })[]
  })[],
): Counts => {
  const { confirmedPesewas: _, ...nobody } = nobodyYet
  const counts = { ...nobody, failed: 0 }
  for (const order of orders) {
    if (order.placement === 'superseded') continue
    for (const alike of order.recipients) {
      counts.total += alike.count ?? 1
      counts[groupOf(stateOf(order, alike))] += alike.count ?? 1
    }
  }
  return { ...counts, failed: { length: counts.failed } }
}

/** Whether something else is said of the recipient than before: it was delivered, it failed, nobody knows. */
export const isToldOtherwise = (order: Order, before: Recipient, after: Recipient): boolean =>
  groupOf(stateOf(order, before)) !== groupOf(stateOf(withRecipient(order, after), after))

const withRecipient = (order: Order, recipient: Recipient): Order => ({
  ...order,
  recipients: order.recipients.map((each) => (each.phone === recipient.phone ? recipient : each)),
})

/** The numbers that failed, in the order of the list. */
export const failedNumbers = (order: PricelessOrder): Recipient['phone'][] =>
  order.recipients
    .filter((each) => groupOf(stateOf(order, each)) === 'failed')
    .sort((a, b) => a.position - b.position)
    .map(({ phone }) => phone)

const groupOf = (state: RecipientState): Exclude<keyof Standing, 'total' | 'confirmedPesewas'> => {
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

/** What a placement means for who watches the list. */
const groups = {
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

/** As much came back as all its failed numbers cost: of less nobody knows for which of them it is. */
const isEachRefunded = (order: Order): boolean => {
  const failed = order.recipients.filter((each) => groupOf(stateOf(order, each)) === 'failed')
  return refundedOf(order) >= failed.length * chargeForEach(order)
}

/** What one number was charged: not always the price that was confirmed. */
const chargeForEach = (order: Order): number => {
  if (order.kind === 'single') return chargeOf(order)
  if (order.chargedPesewas === null) return order.unitPricePesewas
  return order.chargedPesewas / (order.acceptedQuantity ?? order.quantity)
}

/** Null where the charge is no whole sum for each number: then nobody knows which of them has how much of it. */
const shareOf = (order: Order): Pesewas | null => {
  const share = chargeForEach(order)
  return Number.isInteger(share) ? (share as Pesewas) : null
}

/** The money of the whole order is back: whoever of it was meant has nothing. */
const isWholeRefunded = (order: Order): boolean => refundedOf(order) >= chargeOf(order)

/** What came back of it: as the wallet shows, or all where the provider's record calls it refunded. */
const refundedOf = (order: Order): number => {
  const isRefunded = order.status === 'refunded' && !order.statusReported
  return Math.max(order.refundedPesewas ?? 0, isRefunded ? chargeOf(order) : 0)
}
