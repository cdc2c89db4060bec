import { isAhead } from '../times/ahead.ts'
import type { Order } from './order.ts'
import { stateOf } from './progress.ts'
import { isTerminal } from './status.ts'

/**
 * A complaint: somebody says that a delivered order has not arrived. The shop then complains to the provider, who may
 * accept that only for some time. A complaint changes neither the order nor any money.
 *
 * | from | to | when |
 * |---|---|---|
 * | (raised) | open | the seller, or a customer who follows the order, complains. One can be open for each number |
 * | open | `solved` | the shop says that it is solved |
 * | open | `arrived` | the customer who raised it says that the bundle has arrived |
 * | open | `taken_back` | the provider's record says that the order failed or was refunded |
 * | open | `expired` | the provider's deadline has passed, or three days if no deadline is known |
 *
 * The shop and the person who raised the complaint are told how it ends. The shop is reminded once before it expires.
 */
export type ComplaintEnd = 'solved' | 'arrived' | 'taken_back' | 'expired'

/**
 * What is wrong: nothing arrived, less than was ordered, or the bundle went to another number. `unsaid`: the person
 * skipped the question.
 */
export const complaintKinds = ['nothing', 'less', 'other_number', 'unsaid'] as const
export type ComplaintKind = (typeof complaintKinds)[number]

/**
 * How long the provider accepts complaints about a delivery: until 23:59 of the same day, for 24 hours, or for three
 * days.
 */
export const complaintRules = ['day', '24h', '3d'] as const
export type ComplaintRule = (typeof complaintRules)[number]

/** The times of a complaint. */
export interface ComplaintTimes {
  /** Until when the provider accepts the complaint; null if that is not known. */
  deadlineAt: Date | null
  /** When the complaint expires. */
  expiresAt: Date
  /** When to remind the shop; null if it was reminded already, or if the complaint is too short for a reminder. */
  remindAt: Date | null
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** How long a complaint stays open if the provider's deadline is unknown, or has passed when somebody complains. */
const openMs = 3 * dayMs
/** In ms. The shop is reminded this long before a complaint expires, but never before half of its time is over. */
const remindMs = 3 * hourMs
/** In ms. A complaint that lasts no longer than this needs no reminder. */
const briefMs = 30 * minuteMs

/** The times of a complaint that is raised now. @param rule null if the operators have set no rule for the network. */
export const complaintTimes = (rule: ComplaintRule | null, delivered: Date, now: Date): ComplaintTimes => {
  const deadlineAt = rule && deadlineOf(rule, delivered)
  const latest = new Date(now.getTime() + openMs)
  const expiresAt = deadlineAt && deadlineAt > now && deadlineAt < latest ? deadlineAt : latest
  const lengthMs = expiresAt.getTime() - now.getTime()
  const remindAt = new Date(expiresAt.getTime() - Math.min(remindMs, lengthMs / 2))
  return { deadlineAt, expiresAt, remindAt: lengthMs > briefMs ? remindAt : null }
}

/** Days begin and end as in Accra, whose time is UTC all year. */
const deadlineOf = (rule: ComplaintRule, delivered: Date): Date => {
  switch (rule) {
    case 'day':
      return new Date(Math.floor(delivered.getTime() / dayMs) * dayMs + dayMs - minuteMs)
    case '24h':
      return new Date(delivered.getTime() + dayMs)
    case '3d':
      return new Date(delivered.getTime() + 3 * dayMs)
  }
}

type Delivered = Omit<Parameters<typeof stateOf>[0], 'recipients'> & Pick<Order, 'recipients'>

/** The status of a number of an order, or of the whole order (null), and whether only a callback reported it. */
const stateAt = (order: Delivered, position: number | null): { status: string | null; reported: boolean } => {
  const recipient = order.recipients.find((each) => each.position === position)
  const state = recipient && stateOf(order, recipient)
  return state?.kind === 'status' ? state : { status: order.status, reported: order.statusReported }
}

/** The numbers that a complaint is about. @param position the number's place in the order; null means all numbers. */
export const complainedNumbers = ({ recipients }: Pick<Order, 'recipients'>, position: number | null) =>
  recipients.filter((each) => position === null || each.position === position)

/** Whether a complaint can be raised. @param position the number's place in the order; null means the whole order. */
export const isComplainable = (order: Delivered, position: number | null): boolean =>
  order.placement === 'placed' &&
  stateAt(order, position).status === 'delivered' &&
  complainedNumbers(order, position).length > 0

/** Whether a complaint can be raised about the order or one of its numbers. */
export const isComplainableAtAll = (order: Delivered): boolean =>
  [null, ...order.recipients.map(({ position }) => position)].some((each) => isComplainable(order, each))

/**
 * What has to be done now about an open complaint; null if nothing. There is only one reminder, because `remindAt` is
 * cleared with it.
 */
export const complaintStep = (
  { position, expiresAt, remindAt }: ComplaintTimes & { position: number | null },
  order: Delivered,
  now: Date,
): 'taken_back' | 'expired' | 'remind' | null => {
  const { status, reported } = stateAt(order, position)
  if (isTerminal(status) && status !== 'delivered' && !reported) return 'taken_back'
  if (!isAhead(expiresAt, 'complaint', now)) return 'expired'
  return remindAt && !isAhead(remindAt, 'complaint', now) ? 'remind' : null
}
