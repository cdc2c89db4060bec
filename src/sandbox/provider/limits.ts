import type { ProviderSettings } from './control.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * Counts requests for each API key in sliding windows (API §8). Refused requests do not count, so a client that
 * waits as long as `Retry-After` says is not refused again.
 */
export class Limits {
  readonly #taken = new Map<string, number[]>()

  /** @returns 0 if the request is allowed and was counted; otherwise how long until the next one is allowed, ms */
  take(key: string, limits: ProviderSettings['limits'], nowMs: number): number {
    const taken = (this.#taken.get(key) ?? []).filter((at) => at > nowMs - dayMs)
    this.#taken.set(key, taken)
    const waitMs = Math.max(
      windowWait(taken, limits.perMinute, minuteMs, nowMs),
      windowWait(taken, limits.perHour, hourMs, nowMs),
      windowWait(taken, limits.perDay, dayMs, nowMs),
    )
    if (waitMs === 0) taken.push(nowMs)
    return waitMs
  }
}

/** How long until one more request fits into the window, which is when the `limit`-th latest request leaves it. */
const windowWait = (taken: readonly number[], limit: number, windowMs: number, nowMs: number): number => {
  if (limit <= 0) return windowMs
  const oldest = taken[taken.length - limit]
  return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - nowMs)
}
