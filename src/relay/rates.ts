/** At most `burst` at once, and one more for each `costMs` that passes. */
export interface Bucket {
  costMs: number
  burst: number
}

/**
 * A bucket as the time at which it will be full again: taking one moves that time on by the cost of one.
 * Pure: it is given the time and returns the next state and how long to wait.
 */
export const take = (
  fullAtMs: number,
  nowMs: number,
  bucket: Bucket,
): { fullAtMs: number; waitMs: number } => {
  const next = Math.max(fullAtMs, nowMs) + bucket.costMs
  return { fullAtMs: next, waitMs: waitOf(next - nowMs, bucket) }
}

/** How long to wait for what was taken last of a bucket that will be full in so many ms. */
export const waitOf = (fullInMs: number, { costMs, burst }: Bucket): number =>
  Math.max(0, fullInMs - costMs * burst)

/** Buckets by name, kept by one process or by all on a database. */
export interface Rates {
  /** Takes one, which is had after a wait. @returns in how many ms the bucket will be full. */
  take(name: string, bucket: Bucket): Promise<number>
  /** Takes one if it can be had at once. @returns 0, or in how many ms it could be. */
  tryTake(name: string, bucket: Bucket): Promise<number>
  /** For so many ms nothing is to be had. */
  drain(name: string, bucket: Bucket, ms: number): Promise<void>
}

/** Buckets that have been full for long are forgotten above this number. */
const mostRemembered = 10_000

/** The rates of a process that shares them with no other. */
export const ratesAlone = (now: () => number = Date.now): Rates => {
  const buckets = new Map<string, number>()

  const forget = () => {
    for (const [name, fullAt] of buckets) if (fullAt < now()) buckets.delete(name)
  }

  const keep = (name: string, fullAtMs: number): void => {
    if (buckets.size > mostRemembered) forget()
    buckets.set(name, fullAtMs)
  }

  // What is taken is taken before anything is awaited, so that of several in one turn each has its own place.
  return {
    take: async (name, bucket) => {
      const { fullAtMs } = take(buckets.get(name) ?? 0, now(), bucket)
      keep(name, fullAtMs)
      return fullAtMs - now()
    },
    tryTake: async (name, bucket) => {
      const { fullAtMs, waitMs } = take(buckets.get(name) ?? 0, now(), bucket)
      if (waitMs === 0) keep(name, fullAtMs)
      return waitMs
    },
    drain: async (name, { costMs, burst }, ms) => {
      // The next one takes one more, and waits for what is above the burst.
      const fullAtMs = now() + ms + costMs * (burst - 1)
      keep(name, Math.max(buckets.get(name) ?? 0, fullAtMs))
    },
  }
}

/** The shared rates as long as they can be had, else those of this process: what people wait for still goes out. */
export const ratesWithFallback = (shared: Rates, alone: Rates): Rates => ({
  take: (name, bucket) => shared.take(name, bucket).catch(() => alone.take(name, bucket)),
  tryTake: (name, bucket) => shared.tryTake(name, bucket).catch(() => alone.tryTake(name, bucket)),
  drain: (name, bucket, ms) => shared.drain(name, bucket, ms).catch(() => alone.drain(name, bucket, ms)),
})
