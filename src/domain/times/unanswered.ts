import { draftMs } from './draft-lifetime.ts'
import { nextTryAt, type RetrySchedule } from './retry-schedule.ts'

/** The requests that the bot repeats for a while if the provider has not answered them. */
export const unansweredKinds = ['order', 'balance', 'transactions', 'bundles'] as const

/** `order` repeats an order from its text; the others only show something. */
export type UnansweredKind = (typeof unansweredKinds)[number]

const minuteMs = 60_000
const firstTryMs = 10_000
const tries: RetrySchedule = {
  growing: { share: 1 / 2, least: firstTryMs, most: 2 * minuteMs },
  unknownAge: firstTryMs,
}
/** Added to the provider's wait, because the last requests may count against the limit a moment longer. */
const afterLimitMs = 1_000

/**
 * How long the bot retries: an order for as long as a draft lasts, a view for as long as somebody may still want to see
 * it.
 */
export const keptMs: Record<UnansweredKind, number> = {
  order: draftMs,
  balance: 15 * minuteMs,
  transactions: 15 * minuteMs,
  bundles: 15 * minuteMs,
}

/**
 * When to retry. The wait is half of the request's age so far, but at most two minutes; if a limit was reached, it
 * lasts until the limit ends. One request costs the account at most 35 calls an hour.
 * @param retryAfterMs how long the limit lasts; null if the provider did not answer
 * @returns null if the next attempt would be after `until`
 */
export const nextTry = (
  { createdAt, until }: { createdAt: Date; until: Date },
  retryAfterMs: number | null,
  now: Date,
): Date | null => {
  const at =
    retryAfterMs === null
      ? nextTryAt(tries, createdAt, now)
      : new Date(now.getTime() + Math.max(firstTryMs, retryAfterMs + afterLimitMs))
  return at && at < until ? at : null
}
