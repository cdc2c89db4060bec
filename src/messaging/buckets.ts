/** At most `burst` at once, and one more for each `costMs` that passes. */
export interface Bucket {
  costMs: number
  burst: number
}

/** A bucket with its name. */
export interface NamedBucket extends Bucket {
  name: string
}

/** One taken from each of two buckets. */
export interface BothTaken {
  /** In how many ms the first bucket will be full. */
  fullInMs: number
  /** Whether one of the second was taken: neither has to be waited for. */
  isBoth: boolean
}

/** Buckets by name. */
export interface Rates {
  /** Takes one, to be used after a wait. @returns in how many ms the bucket will be full. */
  take(name: string, bucket: Bucket): Promise<number>
  /** Takes one if none has to be waited for. @returns 0, or the ms until one is free. */
  tryTake(name: string, bucket: Bucket): Promise<number>
  /**
   * Takes one from the first bucket, to be used after a wait, and one from the second if neither has to be waited for.
   */
  takeBoth(first: NamedBucket, second: NamedBucket): Promise<BothTaken>
  /** Empties the bucket for that many ms. */
  drain(name: string, bucket: Bucket, ms: number): Promise<void>
}

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

export const createRates = (now: () => number = Date.now): Rates => {
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
