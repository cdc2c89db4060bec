import { sendLeaseMs } from '../order/placement.ts'
import { restOfListMs } from './draft-lifetime.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The longest wait for a time of day: a day, or an hour more when the clocks change for winter. */
const nextTimeOfDay = day + hour

/**
 * How far ahead of now each stored time can be by its own rule, in ms.
 *
 * A time further ahead was written while the clock was wrong, before it was set back. Such a time counts as over: work
 * that waits for it is due, and whatever lasts until then has ended. Otherwise, work would wait until the clock catches
 * up, and a freeze or an invitation would last too long.
 */
export const maxAheadMs = {
  /** `Retry-After` is honoured for an hour at most. */
  frozenUntil: hour,
  verifyAt: hour,
  /** An order waits at most until the account's daily request limit leaves room for one more. */
  queuedUntil: day,
  /** A minute more than the lease, so that a running send is not taken for an interrupted one. */
  leaseUntil: sendLeaseMs + minute,
  pollAt: day,
  /** For outcomes and refunds, the wallet is read at least once an hour. */
  readAt: hour + minute,
  /** Capped at a day. If Telegram wants a longer wait, it will say so again when the message is retried. */
  noticeNotBefore: day,
  quietUntil: nextTimeOfDay,
  summaryAt: nextTimeOfDay,
  /** A weekly reminder; an hour more when the clocks change for winter. */
  reminderAt: 7 * day + hour,
  dailyReminderAt: nextTimeOfDay,
  /** The draft for the rest of a list lasts longest. */
  draft: restOfListMs,
  /**
   * An operator's invitation lasts a day. Here and in the next two, a minute is added because a clock may be set
   * back by some seconds.
   */
  invitation: day + minute,
  agentInvitation: hour + minute,
  typedCredentials: 10 * minute + minute,
  unanswered: hour,
  /** A complaint lasts three days at most. */
  complaint: 3 * day + minute,
} as const

export type AheadRule = keyof typeof maxAheadMs

export const latest = (rule: AheadRule, now: Date): Date => new Date(now.getTime() + maxAheadMs[rule])

/** Whether the time is in the future, but no further than the rule allows. */
export const isAhead = (at: Date, rule: AheadRule, now: Date): boolean => at > now && at <= latest(rule, now)

/** The query condition for a column whose time is in the future, within the rule. */
export const aheadOf = (rule: AheadRule, now: Date): { gt: Date; lte: Date } => ({
  gt: now,
  lte: latest(rule, now),
})

/** Two query conditions, to be joined by OR, for a column whose time is over. Neither matches null. */
export const overSince = (rule: AheadRule, now: Date): [{ lte: Date }, { gt: Date }] => [
  { lte: now },
  { gt: latest(rule, now) },
]
