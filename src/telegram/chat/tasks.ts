/**
 * Work that continues after an update was handled: replies, one after another in each chat, and work beside them that
 * waits for the provider. A shutdown waits for all of it.
 */
export interface Tasks {
  /** Runs the work after all work that was given to `inOrder` for this chat before. */
  inOrder(chatId: number, work: () => Promise<void>): void
  /** Runs the work immediately. @param chatId the chat for which `waitingFor` counts it. */
  aside(work: () => Promise<void>, chatId?: number): void
  /** How many pieces of the chat's work are unfinished. */
  waitingFor(chatId: number): number
  /** Resolves when no work is in progress, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>
}

/** @param onError called with the error of failed work. Other work continues. */
export const createTasks = (onError: (error: unknown) => void): Tasks => {
  const underWay = new Set<Promise<void>>()
  const tails = new Map<number, Promise<void>>()
  const counts = new Map<number, number>()

  const count = (chatId: number, change: 1 | -1): void => {
    const waiting = (counts.get(chatId) ?? 0) + change
    if (waiting > 0) counts.set(chatId, waiting)
    else counts.delete(chatId)
  }

  const track = (work: Promise<void>, chatId?: number): Promise<void> => {
    if (chatId !== undefined) count(chatId, 1)
    const done = work.catch(onError).finally(() => {
      underWay.delete(done)
      if (chatId !== undefined) count(chatId, -1)
    })
    underWay.add(done)
    return done
  }

  return {
    inOrder: (chatId, work) => {
      const done = track((tails.get(chatId) ?? Promise.resolve()).then(work), chatId)
      tails.set(chatId, done)
      void done.then(() => {
        if (tails.get(chatId) === done) tails.delete(chatId)
      })
    },
    aside: (work, chatId) => {
      void track(work(), chatId)
    },
    waitingFor: (chatId) => counts.get(chatId) ?? 0,
    settled: async (timeoutMs) => {
      const deadline = AbortSignal.timeout(timeoutMs)
      const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()))
      while (underWay.size > 0 && !deadline.aborted) await Promise.race([Promise.all(underWay), late])
    },
  }
}
