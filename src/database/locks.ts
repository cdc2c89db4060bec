/** Locks by name that all processes on a database respect. */

export interface Locks {
  /** Takes the lock for that many ms, unless it is released before. @returns whether the caller holds it now. */
  take(name: string, token: string, ms: number): Promise<boolean>
  give(name: string, token: string): Promise<void>
}

/** Locks by name that all processes on a database respect. */
export interface Locks {
  /** @returns whether it is held now, for so many ms unless it is given back before. */
  take(name: string, token: string, ms: number): Promise<boolean>
  give(name: string, token: string): Promise<void>
}
