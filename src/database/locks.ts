/** Locks by name that all processes on a database respect. */

/** Whoever takes several locks at once. */
export interface Taker {
  token: string
  /** How long the locks are taken for, ms. */
  ms: number
  /** Tokens of processes that are gone: their locks are free. */
  ended: readonly string[]
}

export interface Locks {
  /** Takes the lock for that many ms, unless it is released before. @returns whether the caller holds it now. */
  take(name: string, token: string, ms: number): Promise<boolean>
  give(name: string, token: string): Promise<void>
  /**
   * Takes as many of the locks as are free, and renews those that the token holds already.
   * @returns who holds each lock now, as far as is known.
   */
  takeAll(names: readonly string[], taker: Taker): Promise<ReadonlyMap<string, string>>
  giveAll(names: readonly string[], token: string): Promise<void>
}
