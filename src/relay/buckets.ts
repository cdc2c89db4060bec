import type { Bucket, Rates } from '../database/rates.ts'

/**
 * Takes one from a bucket. A bucket is the time at which it will be full again, and taking one moves that time on by
 * the cost of one. Pure: it is given the time, and returns the next state and how long to wait.
 */
export const take = (
  fullAtMs: number,
  nowMs: number,
  bucket: Bucket,
): { fullAtMs: number; waitMs: number } => {
  const next = Math.max(fullAtMs, nowMs) + bucket.costMs
  return { fullAtMs: next, waitMs: waitOf(next - nowMs, bucket) }
}

/** How long to wait for the last one taken, if the bucket will be full in so many ms. */
export const waitOf = (fullInMs: number, { costMs, burst }: Bucket): number =>
  Math.max(0, fullInMs - costMs * burst)

/** Above this number, buckets that have been full for long are forgotten. */
const maxRemembered = 10_000

/** The rates of a process that shares them with no other. */
export const ratesAlone = (now: () => number = Date.now): Rates => {
  const buckets = new Map<string, number>()

  const forget = () => {
    for (const [name, fullAt] of buckets) if (fullAt < now()) buckets.delete(name)
  }

  const keep = (name: string, fullAtMs: number): void => {
    if (buckets.size > maxRemembered) forget()
    buckets.set(name, fullAtMs)
  }

  const takeFrom = (name: string, bucket: Bucket): number => {
    const { fullAtMs } = take(buckets.get(name) ?? 0, now(), bucket)
    keep(name, fullAtMs)
    return fullAtMs - now()
  }

  const tryTakeFrom = (name: string, bucket: Bucket): number => {
    const { fullAtMs, waitMs } = take(buckets.get(name) ?? 0, now(), bucket)
    if (waitMs === 0) keep(name, fullAtMs)
    return waitMs
  }

  // A bucket is written before anything is awaited, so that several at once each get their own place.
  return {
    take: async (name, bucket) => takeFrom(name, bucket),
    tryTake: async (name, bucket) => tryTakeFrom(name, bucket),
    takeBoth: async (first, second) => {
      const fullInMs = takeFrom(first.name, first)
      return { fullInMs, isBoth: waitOf(fullInMs, first) === 0 && tryTakeFrom(second.name, second) === 0 }
    },
    drain: async (name, { costMs, burst }, ms) => {
      // The next message takes one more, and waits for everything above the burst.
      const fullAtMs = now() + ms + costMs * (burst - 1)
      keep(name, Math.max(buckets.get(name) ?? 0, fullAtMs))
    },
  }
}

/** Uses the shared rates, or this process's own if the shared ones fail: answers that people wait for still go out. */
export const ratesWithFallback = (shared: Rates, alone: Rates): Rates => ({
  take: (name, bucket) => shared.take(name, bucket).catch(() => alone.take(name, bucket)),
  tryTake: (name, bucket) => shared.tryTake(name, bucket).catch(() => alone.tryTake(name, bucket)),
  takeBoth: (first, second) => shared.takeBoth(first, second).catch(() => alone.takeBoth(first, second)),
  drain: (name, bucket, ms) => shared.drain(name, bucket, ms).catch(() => alone.drain(name, bucket, ms)),
})
