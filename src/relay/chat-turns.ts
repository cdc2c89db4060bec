import { setTimeout as wait } from 'node:timers/promises'
import type { Locks } from '../database/locks.ts'

/** Handles the updates of one chat one at a time, over all processes. */
export type InChatTurn = <T>(chatId: number | undefined, work: () => Promise<T>) => Promise<T>

/**
 * A handler commits and returns within this time. If it has not, it is taken to be suspended, and its chat goes on
 * without it.
 */
const turnMs = 15_000
/** An update that waits looks again after this, and then less and less often. */
const lookAgainMs = 15
const maxLookAgainMs = 120

/** @param locks null if no other process handles updates: one process already handles each chat in order. */
export const createChatTurns = (locks: Locks | null, newToken: () => string): InChatTurn => {
  if (!locks) return (_chatId, work) => work()

  return async (chatId, work) => {
    if (chatId === undefined) return work()
    const [name, token] = [`chat ${chatId}`, newToken()]
    let pauseMs = lookAgainMs
    while (!(await locks.take(name, token, turnMs))) {
      await wait(pauseMs)
      pauseMs = Math.min(maxLookAgainMs, pauseMs * 1.5)
    }
    try {
      return await work()
    } finally {
      // A lock that is not given back runs out.
      await locks.give(name, token).catch(() => {})
    }
  }
}
