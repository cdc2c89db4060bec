import type { Locks } from '../database/locks.ts'
import { wait } from '../wait.ts'
import type { Claims } from './claims.ts'

/** Handles the updates of one chat one at a time, over all processes. */
export type InChatTurn = <T>(chatId: number, work: () => Promise<T>) => Promise<T>

/**
 * A handler commits and returns within this time. If it has not, it is taken to be suspended, and its chat goes on
 * without it.
 */
const turnMs = 15_000
/** An update that waits looks again after this, and then less and less often. */
const lookAgainMs = 15
const maxLookAgainMs = 120

/** For a database whose updates one process handles: it handles each chat in order already. */
export const turnsAlone: InChatTurn = (_chatId, work) => work()

/** For processes that share the updates out at random: each turn is given back at once. */
export const lockedTurns =
  (locks: Pick<Locks, 'take' | 'give'>, newToken: () => string): InChatTurn =>
  async (chatId, work) => {
    const [name, token] = [`chat ${chatId}`, newToken()]
    await until(() => locks.take(name, token, turnMs))
    try {
      return await work()
    } finally {
      // A lock that is not given back runs out.
      await locks.give(name, token).catch(() => {})
    }
  }

/** The next update of a chat often follows within this time. It is too short for a claim to be renewed. */
const keptMs = 3_000

/**
 * For updates that all come to one process, until another one takes its place: a turn is kept for a moment, and given
 * back together with others.
 * @param claims of the chats' turns.
 */
export const keptTurns = (claims: Pick<Claims<number>, 'take' | 'give'>): InChatTurn => {
  /** How many updates of each chat are handled. */
  const inside = new Map<number, number>()

  const enter = (chatId: number): void => void inside.set(chatId, (inside.get(chatId) ?? 0) + 1)

  const leave = (chatId: number): void => {
    const left = (inside.get(chatId) ?? 1) - 1
    if (left > 0) return void inside.set(chatId, left)
    inside.delete(chatId)
    claims.give(chatId, keptMs)
  }

  return async (chatId, work) => {
    await until(async () => (await claims.take([chatId])).has(chatId))
    enter(chatId)
    let isOver = false
    const end = () => {
      if (!isOver) leave(chatId)
      isOver = true
    }
    const timer = setTimeout(end, turnMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      end()
    }
  }
}

/** Asks until the answer is yes. */
const until = async (ask: () => Promise<boolean>): Promise<void> => {
  for (let pauseMs = lookAgainMs; !(await ask()); pauseMs = Math.min(maxLookAgainMs, pauseMs * 1.5))
    await wait(pauseMs)
}
