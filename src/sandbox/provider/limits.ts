import type { ProviderSettings } from './control.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * Counts requests per API key in sliding windows (API §8). Refused requests do not count, so it is enough for the
 * client to wait as long as `Retry-After` says.
 */
export class Limits {
  readonly #taken = new Map<string, number[]>()

  /** @returns 0 if the request is allowed and was counted, otherwise the milliseconds until the next one is allowed */
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

/** The time until the `limit`-th latest request leaves the window. */
const windowWait = (taken: readonly number[], limit: number, windowMs: number, nowMs: number): number => {
  if (limit <= 0) return windowMs
  const oldest = taken[taken.length - limit]
  return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - nowMs)
}
