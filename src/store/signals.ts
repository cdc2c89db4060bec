/** What the processes on one database have to do soon: the one whose work it is looks at once, not at its next round. */
export const topics = ['placing', 'applying', 'polling', 'sending', 'erasing', 'leasing'] as const
export type Topic = (typeof topics)[number]

/** Tells the other processes on a database. Nothing relies on it: whoever misses one finds the work in its next round. */
export interface Signals {
  /** Many within a moment are told as one. */
  send(topic: Topic): void
  /** @param listen called for each that another process sent. */
  onSignal(listen: (topic: Topic) => void): void
  close(): Promise<void>
}

/** Nobody else is told: of processes on one file each looks by itself, once a second. */
export const processAlone: Signals = {
  send: () => {},
  onSignal: () => {},
  close: async () => {},
}
