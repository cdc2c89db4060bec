import { leftMs } from './draft.ts'
import { sendLeaseMs } from './placement.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A time of day may be an hour more than a day away, where the clock changes for winter. */
const nextTimeOfDay = day + hour

/**
 * How far ahead of now each stored time can be by its own rule, ms.
 *
 * A time that is further ahead was written by a clock that ran ahead and was set right since. It counts as over: what
 * waits for it is due, and what lasts until then has ended. Otherwise work would wait until the clock has caught up,
 * and a freeze or an invitation would outlast its rule by as much.
 */
export const maxAheadMs = {
  /** `Retry-After` counts for an hour at most. */
  frozenUntil: hour,
  verifyAt: hour,
  /** Until the account's requests of a day leave room for one more. */
  queuedUntil: day,
  /** A minute more than the lease: a send that goes on is not to be taken for an interrupted one. */
  leaseUntil: sendLeaseMs + minute,
  pollAt: day,
  /** For outcomes and refunds: at least one an hour. */
  readAt: hour + minute,
  /** Telegram may name a longer time, and says so again when the message is tried. */
  noticeNotBefore: day,
  quietUntil: nextTimeOfDay,
  summaryAt: nextTimeOfDay,
  /** The rest of a list lasts longest. */
  draft: leftMs,
  /** An operator's lasts a day. A minute more, as for the others here: a clock may be set back by some seconds. */
  invitation: day + minute,
  agentInvitation: hour + minute,
  typedCredentials: 10 * minute + minute,
  unanswered: hour,
} as const

/** A rule of the table above. */
export type AheadRule = keyof typeof maxAheadMs

/** The latest time that the rule allows. */
export const latest = (rule: AheadRule, now: Date): Date => new Date(now.getTime() + maxAheadMs[rule])

/** Whether the time is still to come: false if it lies further ahead than the rule allows. */
export const isAhead = (at: Date, rule: AheadRule, now: Date): boolean => at > now && at <= latest(rule, now)

/** The condition of a query that a column is still to come. */
export const aheadOf = (rule: AheadRule, now: Date): { gt: Date; lte: Date } => ({
  gt: now,
  lte: latest(rule, now),
})

/** The two conditions of a query of which one holds if a column is not null and over. */
export const overSince = (rule: AheadRule, now: Date): [{ lte: Date }, { gt: Date }] => [
  { lte: now },
  { gt: latest(rule, now) },
]
