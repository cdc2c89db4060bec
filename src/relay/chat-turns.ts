import type { Locks, Taker } from '../database/locks.ts'
import { wait } from '../wait.ts'
import type { Claims } from './claims.ts'

/** What an update reads first. */
export interface FirstRead<Read> {
  /** Called when the chat's turn is had. */
  read(): Promise<Read>
  /** Claims the chat, and reads in the same statement unless another process may have written meanwhile. */
  claim(taker: Taker): Promise<{ holder: string; read?: Read }>
}

/** Handles the updates of one chat one at a time, over all processes. Each begins with what it reads then. */
export type InChatTurn = <Read, T>(
  chatId: number,
  first: FirstRead<Read>,
  work: (read: Read) => Promise<T>,
) => Promise<T>

/**
 * A handler commits and returns within this time. If it has not, it is taken to be suspended, and its chat goes on
 * without it.
 */
const turnMs = 15_000
/** An update that waits looks again after this, and then less and less often. */
const lookAgainMs = 15
const maxLookAgainMs = 120

/** The name of a chat's turn among claims and locks. */
export const chatTurnName = (chatId: number): string => `chat ${chatId}`

/** For a database whose updates one process handles: it handles each chat in order already. */
export const turnsAlone: InChatTurn = async (_chatId, { read }, work) => work(await read())

/** For processes that share the updates out at random: each turn is given back at once. */
export const lockedTurns =
  (locks: Pick<Locks, 'take' | 'give'>, newToken: () => string): InChatTurn =>
  async (chatId, { read }, work) => {
    const [name, token] = [chatTurnName(chatId), newToken()]
    await until(() => locks.take(name, token, turnMs))
    try {
      return await work(await read())
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
export const keptTurns = (claims: Pick<Claims<number>, 'take' | 'find' | 'holds' | 'give'>): InChatTurn => {
  /** How many updates of each chat are handled. */
  const inside = new Map<number, number>()

  const enter = (chatId: number): void => void inside.set(chatId, (inside.get(chatId) ?? 0) + 1)

  const leave = (chatId: number): void => {
    const left = (inside.get(chatId) ?? 1) - 1
    if (left > 0) return void inside.set(chatId, left)
    inside.delete(chatId)
    claims.give(chatId, keptMs)
  }

  /** @returns what was read with the claim, if anything; null: another process has the turn. */
  const take = async <Read>(chatId: number, { claim }: FirstRead<Read>): Promise<{ read?: Read } | null> => {
    if (claims.holds(chatId)) return (await claims.take([chatId])).has(chatId) ? {} : null
    const { mine } = await claims.find(async (taker) =>
      taker ? [{ key: chatId, ...(await claim(taker)) }] : [],
    )
    return mine[0] ?? null
  }

  return async (chatId, first, work) => {
    const taken = await until(() => take(chatId, first))
    enter(chatId)
    let isOver = false
    const end = () => {
      if (!isOver) leave(chatId)
      isOver = true
    }
    const timer = setTimeout(end, turnMs)
    try {
      return await work(taken.read ?? (await first.read()))
    } finally {
      clearTimeout(timer)
      end()
    }
  }
}

/** Asks until the answer is one. */
const until = async <T>(ask: () => Promise<T | null | false>): Promise<T> => {
  for (let pauseMs = lookAgainMs; ; pauseMs = Math.min(maxLookAgainMs, pauseMs * 1.5)) {
    const answer = await ask()
    if (answer) return answer
    await wait(pauseMs)
  }
}
