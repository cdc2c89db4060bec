import { draftMs } from './draft.ts'
import { nextTryAt, type RetrySchedule } from './retry-schedule.ts'

/** What a person asked for and the provider has not answered yet. The bot retries it for a while. */
export const unansweredKinds = ['order', 'balance', 'transactions', 'bundles'] as const

/** `order` is the text of an order; the others are views. */
export type UnansweredKind = (typeof unansweredKinds)[number]

const minuteMs = 60_000
const firstTryMs = 10_000
const tries: RetrySchedule = {
  growing: { share: 1 / 2, least: firstTryMs, most: 2 * minuteMs },
  unknownAge: firstTryMs,
}
/** Added to a limit's wait, because its last requests may still count for a moment. */
const afterLimitMs = 1_000

/**
 * How long the bot retries: for an order as long as a draft lasts, for a view as long as somebody may still want to
 * see it.
 */
export const keptMs: Record<UnansweredKind, number> = {
  order: draftMs,
  balance: 15 * minuteMs,
  transactions: 15 * minuteMs,
  bundles: 15 * minuteMs,
}

/**
 * When to retry: after half of the request's age, but at least every two minutes, or when the provider's limit
 * ends. One request costs the account at most 35 calls an hour.
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
