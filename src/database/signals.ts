/** Work that another process may have to do soon. With a signal it looks at once, not at its next round. */
export const topics = ['placing', 'applying', 'polling', 'settling', 'sending', 'erasing', 'leasing'] as const
/** The work that a signal is about. */
export type Topic = (typeof topics)[number]

/**
 * Signals to the other processes on a database. Nothing relies on them: a process that misses one finds the work in its
 * next round.
 */
export interface Signals {
  /**
   * Sends a signal; many within a moment go as one.
   * @param to the token of the only process that it concerns (default: all others).
   */
  send(topic: Topic, to?: string): void
  /** Listens. @param listen called for each signal of another process, with its `to`. */
  onSignal(listen: (topic: Topic, to?: string) => void): void
  close(): Promise<void>
}

/** Signals nobody: each process on a file looks by itself, once a second. */
export const processAlone: Signals = {
  send: () => {},
  onSignal: () => {},
  close: async () => {},
}
