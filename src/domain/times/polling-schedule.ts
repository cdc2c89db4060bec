import { nextTryAt, type RetrySchedule } from './retry-schedule.ts'

/**
 * An order's status is polled 30 s, 75 s, and 2, 4, 8, 15, 30 and 60 min after it was placed, then hourly until 24
 * h and daily until 7 days. Then polling ends (`stale`). If the account's callbacks have worked lately, the first
 * poll is at 3 min, because callbacks are faster and cost no request.
 */
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const early = [30_000, 75_000, 2 * minute, 4 * minute, 8 * minute, 15 * minute, 30 * minute, hour]
const firstWithCallbacks = 3 * minute
const lastHourly = day
const lastDaily = 7 * day
/** How long an order without a final status is polled. */
export const polledMs = lastDaily

/**
 * If the last poll of the schedule fails, it is retried for another day. After that, the order is `stale` even if no
 * poll has succeeded.
 */
export const givenUpMs = lastDaily + day

/** The longest wait before a failed poll is retried, even if the next regular poll is further off. */
export const pollAgainAtLatestMs = 15 * minute

/** The provider's record should confirm a callback's status within this time. After that, it may never do so. */
const confirmedWithinMs = 30 * minute

/**
 * Whether the status was reported by a callback so long ago that the provider's record should have confirmed it by
 * now.
 */
export const isLongReported = (
  { statusReported, statusAt }: { statusReported: boolean; statusAt: Date | null },
  at: Date,
): boolean => statusReported && statusAt !== null && at.getTime() - statusAt.getTime() >= confirmedWithinMs

/** How recent an account's last callback must be for the bot to rely on callbacks. */
const callbacksSeenLatelyMs = day

export const callbacksSeenLately = (account: { callbackSeenAt: Date | null } | null, now: Date): boolean => {
  const seen = account?.callbackSeenAt ?? null
  return seen !== null && now.getTime() - seen.getTime() < callbacksSeenLatelyMs
}

const afterEarly = [
  { every: hour, until: lastHourly },
  { every: day, until: lastDaily },
]
const polls: RetrySchedule = { ages: early, multiples: afterEarly, unknownAge: pollAgainAtLatestMs }
const pollsWithCallbacks: RetrySchedule = {
  ages: [firstWithCallbacks, ...early.filter((age) => age > firstWithCallbacks)],
  multiples: afterEarly,
  unknownAge: pollAgainAtLatestMs,
}

/**
 * The time of the next regular poll after `now`, or null if the schedule has ended.
 * @param answeredAt when the order's reference became known, by our clock
 */
export const nextPoll = (answeredAt: Date, now: Date, callbacksSeen: boolean): Date | null =>
  nextTryAt(callbacksSeen ? pollsWithCallbacks : polls, answeredAt, now)

/**
 * The wait until the next attempt to confirm a status that a callback reported, in ms.
 * @param tries how many attempts there were so far
 */
export const confirmAgainMs = (tries: number): number => Math.min(10 * minute, 5_000 * 2 ** tries)
