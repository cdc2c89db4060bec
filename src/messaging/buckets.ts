/** A token bucket: it gives out at most `burst` tokens together, then one more every `costMs`. */
export interface Bucket {
  costMs: number
  burst: number
}

export interface NamedBucket extends Bucket {
  name: string
}

export interface BothTaken {
  /** In how many ms the first bucket will be full again. */
  fullInMs: number
  /** Whether a token of the second bucket was taken too. If so, neither token has to be waited for. */
  isBoth: boolean
}

/** Token buckets by name. */
export interface Rates {
  /**
   * Takes a token, which may be used after the wait that `waitOf` gives. @returns in how many ms the bucket will be
   * full again.
   */
  take(name: string, bucket: Bucket): Promise<number>
  /** Takes a token if one is free now. @returns 0, or the ms until one is free. */
  tryTake(name: string, bucket: Bucket): Promise<number>
  /** Takes a token from the first bucket, and one from the second if both are free now. */
  takeBoth(first: NamedBucket, second: NamedBucket): Promise<BothTaken>
  drain(name: string, bucket: Bucket, ms: number): Promise<void>
}

/**
 * Takes a token. The state of a bucket is the time at which it will be full again. Each token moves that time `costMs`
 * further into the future. A pure function. @returns the next state, and how long to wait before the token may be used.
 */
export const take = (
  fullAtMs: number,
  nowMs: number,
  bucket: Bucket,
): { fullAtMs: number; waitMs: number } => {
  const next = Math.max(fullAtMs, nowMs) + bucket.costMs
  return { fullAtMs: next, waitMs: waitOf(next - nowMs, bucket) }
}

/** How long to wait, ms, before the token taken last may be used, if the bucket will be full in `fullInMs`. */
export const waitOf = (fullInMs: number, { costMs, burst }: Bucket): number =>
  Math.max(0, fullInMs - costMs * burst)

/** If there are more buckets than this, the full ones are forgotten. */
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

  // Each function updates its bucket before it awaits anything, so that concurrent callers get different tokens.
  return {
    take: async (name, bucket) => takeFrom(name, bucket),
    tryTake: async (name, bucket) => tryTakeFrom(name, bucket),
    takeBoth: async (first, second) => {
      const fullInMs = takeFrom(first.name, first)
      return { fullInMs, isBoth: waitOf(fullInMs, first) === 0 && tryTakeFrom(second.name, second) === 0 }
    },
    drain: async (name, { costMs, burst }, ms) => {
      // Set so that `take` makes the next token wait `ms`: `take` adds one `costMs`, and the wait is whatever exceeds
      // a full burst (`costMs * burst`).
      const fullAtMs = now() + ms + costMs * (burst - 1)
      keep(name, Math.max(buckets.get(name) ?? 0, fullAtMs))
    },
  }
}
