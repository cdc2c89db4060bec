/** Locks by name that all processes on a database respect. */

export interface Locks {
  /** Takes the lock for that many ms, unless it is released before. @returns whether the caller holds it now. */
  take(name: string, token: string, ms: number): Promise<boolean>
  give(name: string, token: string): Promise<void>
  /**
   * Takes as many of the locks as are free, and renews those that the token holds already.
   * @param taker.ended tokens of processes that are gone: their locks are free.
   * @returns who holds each lock now, as far as is known.
   */
  takeAll(
    names: readonly string[],
    taker: { token: string; ms: number; ended: readonly string[] },
  ): Promise<ReadonlyMap<string, string>>
  giveAll(names: readonly string[], token: string): Promise<void>
}
