/**
 * Work that goes on after an update was handled: replies of one chat in order, and whatever waits for the
 * provider beside them. The shutdown waits for all of it.
 */
export interface Tasks {
  /** Runs after the chat's earlier work of this kind. */
  inOrder(chatId: number, work: () => Promise<void>): void
  /** Runs at once. */
  aside(work: () => Promise<void>): void
  /** Resolves when nothing is under way, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>
}

export const createTasks = (onError: (error: unknown) => void): Tasks => {
  const underWay = new Set<Promise<void>>()
  const tails = new Map<number, Promise<void>>()

  const track = (work: Promise<void>): Promise<void> => {
    const done = work.catch(onError).finally(() => underWay.delete(done))
    underWay.add(done)
    return done
  }

  return {
    inOrder: (chatId, work) => {
      const done = track((tails.get(chatId) ?? Promise.resolve()).then(work))
      tails.set(chatId, done)
      void done.then(() => {
        if (tails.get(chatId) === done) tails.delete(chatId)
      })
    },
    aside: (work) => {
      void track(work())
    },
    settled: async (timeoutMs) => {
      const deadline = AbortSignal.timeout(timeoutMs)
      const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()))
      while (underWay.size > 0 && !deadline.aborted) await Promise.race([Promise.all(underWay), late])
    },
  }
}
