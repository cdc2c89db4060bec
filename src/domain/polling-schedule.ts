/**
 * When an order's status is polled: 30 s, 75 s, 2, 4, 8, 15, 30, 60 min after placing, hourly to 24 h, daily to
 * 7 days, then no more (`stale`). If callbacks were seen lately, the first poll is at 3 min: callbacks are
 * faster and cost no request.
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

/** Polls that fail at the end of the schedule are tried again for a day. Then the order is `stale` all the same. */
export const givenUpMs = lastDaily + day

/** A failed poll is tried again after this time at the latest, however far off the next regular poll is. */
export const pollAgainAtLatestMs = 15 * minute

/** A status that only a callback has told is confirmed within this time, or the provider may never confirm it. */
const confirmedWithinMs = 30 * minute

/** Whether the provider's record should have confirmed the reported status by then. */
export const isLongReported = (
  { statusReported, statusAt }: { statusReported: boolean; statusAt: Date | null },
  at: Date,
): boolean => statusReported && statusAt !== null && at.getTime() - statusAt.getTime() >= confirmedWithinMs

/** How recent an account's last callback must be for callbacks to be relied on. */
const callbacksSeenLatelyMs = day

/** Whether the account's callbacks can be relied on. */
export const callbacksSeenLately = (account: { callbackSeenAt: Date | null } | null, now: Date): boolean => {
  const seen = account?.callbackSeenAt ?? null
  return seen !== null && now.getTime() - seen.getTime() < callbacksSeenLatelyMs
}

/**
 * The time of the next regular poll after `now`, or null when the schedule has ended.
 * @param answeredAt when its reference became known, by our clock. If that is still to come, the clock was set back.
 */
export const nextPoll = (answeredAt: Date, now: Date, callbacksSeen: boolean): Date | null => {
  const age = now.getTime() - answeredAt.getTime()
  if (age < 0) return new Date(now.getTime() + pollAgainAtLatestMs)
  const due = nextAge(age, callbacksSeen)
  return due === null ? null : new Date(answeredAt.getTime() + due)
}

const nextAge = (age: number, callbacksSeen: boolean): number | null => {
  const steps = callbacksSeen
    ? [firstWithCallbacks, ...early.filter((step) => step > firstWithCallbacks)]
    : early
  const step = steps.find((candidate) => candidate > age)
  if (step !== undefined) return step
  if (age < lastHourly) return (Math.floor(age / hour) + 1) * hour
  if (age < lastDaily) return (Math.floor(age / day) + 1) * day
  return null
}

/**
 * The wait until the next try to confirm a status that a callback reported, in ms, by the number of earlier
 * tries.
 */
export const confirmAgainMs = (tries: number): number => Math.min(10 * minute, 5_000 * 2 ** tries)
