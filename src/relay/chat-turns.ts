import { setTimeout as wait } from 'node:timers/promises'

/** Locks by name that all processes on a database respect. */
export interface Locks {
  /** @returns whether it is held now, for so many ms unless it is given back before. */
  take(name: string, token: string, ms: number): Promise<boolean>
  give(name: string, token: string): Promise<void>
}

/** Lets updates of one chat be handled one at a time, by whichever processes. */
export type InChatTurn = <T>(chatId: number | undefined, work: () => Promise<T>) => Promise<T>

/** A handler commits and returns; one that has not by then stands still, and its chat goes on without it. */
const turnMs = 15_000
/** Whoever waits looks again after this, and then less and less often. */
const lookAgainMs = 15
const mostLookAgainMs = 120

/** @param locks null: no other process handles updates, and those of one chat are in order by themselves. */
export const createChatTurns = (locks: Locks | null, newToken: () => string): InChatTurn => {
  if (!locks) return (_chatId, work) => work()

  return async (chatId, work) => {
    if (chatId === undefined) return work()
    const [name, token] = [`chat ${chatId}`, newToken()]
    let pauseMs = lookAgainMs
    while (!(await locks.take(name, token, turnMs))) {
      await wait(pauseMs)
      pauseMs = Math.min(mostLookAgainMs, pauseMs * 1.5)
    }
    try {
      return await work()
    } finally {
      // One that is not given back runs out.
      await locks.give(name, token).catch(() => {})
    }
  }
}
