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

/** Buckets by name, kept by one process or by all on a database. */
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
