import type { Facts, Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

const hourMs = 60 * 60_000

/**
 * How long an order may stay in a placement: a queued order is asked about again after 15 minutes, a send takes
 * seconds, and the wallet is read for a day.
 */
const longestMs: Readonly<Record<string, number>> = {
  queued: 26 * hourMs,
  sending: hourMs,
  unconfirmed: 26 * hourMs,
}

/** No order waits forever, unless the provider refuses the key that is needed to learn its end. */
export const endingsReached: Check = (facts) => {
  const isRefused = facts.requests.some(
    ({ at, status }) => status === 401 && facts.endedMs - Date.parse(at) < 26 * hourMs,
  )
  return lookAt(isRefused ? [] : [...facts.orders.values()], breachIn(facts))
}

const breachIn =
  ({ endedMs }: Facts) =>
  ({ id, placement, sentAtMs, createdAtMs }: Order): string | null => {
    const longest = longestMs[placement]
    const waitedMs = endedMs - Math.max(createdAtMs, sentAtMs ?? 0)
    return longest !== undefined && waitedMs > longest
      ? `order ${id} is ${placement} for ${Math.round(waitedMs / hourMs)} h`
      : null
  }
