import { isAhead } from '../times/ahead.ts'
import type { Order } from './order.ts'
import { isTerminal } from './status.ts'

/**
 * A complaint: somebody says that a delivered order has not arrived. The shop takes it up with the provider, who may
 * take it only for some time. A complaint changes neither the order nor any money.
 *
 * | from | to | when |
 * |---|---|---|
 * | (raised) | open | the seller, or a customer who follows the order, says so. One is open for each number |
 * | open | `solved` | the shop says so |
 * | open | `arrived` | the customer who raised it says so |
 * | open | `taken_back` | the provider now says that the order was not delivered, or was refunded |
 * | open | `expired` | the provider's deadline has passed, or three days if there is none |
 *
 * The shop and the person who raised it are told of each end. The shop is reminded once before a complaint expires.
 */
export type ComplaintEnd = 'solved' | 'arrived' | 'taken_back' | 'expired'

/** What is wrong. `unsaid`: the person skipped the question. */
export const complaintKinds = ['nothing', 'less', 'other_number', 'unsaid'] as const
export type ComplaintKind = (typeof complaintKinds)[number]

/** How long the provider takes complaints about a delivery: until 23:59 of its day, for 24 hours, or for three days. */
export const complaintRules = ['day', '24h', '3d'] as const
export type ComplaintRule = (typeof complaintRules)[number]

/** The times of a complaint. */
export interface ComplaintTimes {
  /** Until when the provider takes it; null: not known. */
  deadlineAt: Date | null
  /** When it ends by itself. */
  expiresAt: Date
  /** When the shop is reminded; null: it was, or there is too little time. */
  remindAt: Date | null
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** How long a complaint stays open if the provider's deadline is not known, or had passed before. */
const openMs = 3 * dayMs
/** How long before the end the shop is reminded, ms, unless that is more than half of the time. */
const remindMs = 3 * hourMs
/** A complaint that lasts no longer than this, ms, needs no reminder. */
const briefMs = 30 * minuteMs

/** @param rule null: the operators have set none. */
export const complaintTimes = (rule: ComplaintRule | null, delivered: Date, now: Date): ComplaintTimes => {
  const deadlineAt = rule && deadlineOf(rule, delivered)
  const expiresAt = deadlineAt && deadlineAt > now ? deadlineAt : new Date(now.getTime() + openMs)
  const lengthMs = expiresAt.getTime() - now.getTime()
  const remindAt = new Date(expiresAt.getTime() - Math.min(remindMs, lengthMs / 2))
  return { deadlineAt, expiresAt, remindAt: lengthMs > briefMs ? remindAt : null }
}

/** Days are those of Accra, which is on UTC all year. */
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

type Delivered = Pick<Order, 'placement' | 'status' | 'statusReported' | 'recipients'>

/** The status of one number of an order, or of the whole. A number without a status of its own has the order's. */
const statusOf = (order: Delivered, position: number | null): string | null =>
  order.recipients.find((each) => position !== null && each.position === position)?.status ?? order.status

/** The numbers that a complaint is about. @param position the number's place; null: the whole order. */
export const complainedNumbers = ({ recipients }: Pick<Order, 'recipients'>, position: number | null) =>
  recipients.filter((each) => position === null || each.position === position)

/** Whether a complaint can be raised. @param position the number's place; null: the whole order. */
export const isComplainable = (order: Delivered, position: number | null): boolean =>
  order.placement === 'placed' &&
  statusOf(order, position) === 'delivered' &&
  complainedNumbers(order, position).length > 0

/** Whether a complaint can be raised about the order or one of its numbers. */
export const isComplainableAtAll = (order: Delivered): boolean =>
  [null, ...order.recipients.map(({ position }) => position)].some((each) => isComplainable(order, each))

/** What has to be done now about an open complaint. A reminder comes once, since it clears `remindAt`. */
export const complaintStep = (
  { position, expiresAt, remindAt }: ComplaintTimes & { position: number | null },
  order: Delivered,
  now: Date,
): 'taken_back' | 'expired' | 'remind' | null => {
  const status = statusOf(order, position)
  if (isTerminal(status) && status !== 'delivered' && !order.statusReported) return 'taken_back'
  if (!isAhead(expiresAt, 'complaint', now)) return 'expired'
  return remindAt && !isAhead(remindAt, 'complaint', now) ? 'remind' : null
}
