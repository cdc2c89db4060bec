import { draftMs } from './draft.ts'

/** What a person asked for that the provider has not answered yet. It is tried again by itself, for a while. */
export const unansweredKinds = ['order', 'balance', 'transactions', 'bundles'] as const

/** An order's words, or a view. */
export type UnansweredKind = (typeof unansweredKinds)[number]

const minuteMs = 60_000
const firstTryMs = 10_000
const lastTryMs = 2 * minuteMs
/** After a limit is over, its last requests may still count for a moment. */
const afterLimitMs = 1_000

/** For how long it is tried: an order as long as a draft stands, a view as long as somebody may look for it. */
export const keptMs: Record<UnansweredKind, number> = {
  order: draftMs,
  balance: 15 * minuteMs,
  transactions: 15 * minuteMs,
  bundles: 15 * minuteMs,
}

/**
 * When it is tried next: after half of its age, at least every two minutes; or when the provider's limit ends. One of
 * them costs the account at most 35 requests an hour.
 * @param retryAfterMs how long the limit lasts; null: the provider did not answer.
 * @returns null: not before its time is over.
 */
export const nextTry = (
  { createdAt, until }: { createdAt: Date; until: Date },
  retryAfterMs: number | null,
  now: Date,
): Date | null => {
  const ageMs = now.getTime() - createdAt.getTime()
  const restMs =
    retryAfterMs === null
      ? Math.min(lastTryMs, Math.max(firstTryMs, ageMs / 2))
      : Math.max(firstTryMs, retryAfterMs + afterLimitMs)
  const at = new Date(now.getTime() + restMs)
  return at < until ? at : null
}
