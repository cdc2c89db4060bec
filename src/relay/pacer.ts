import { setTimeout as wait } from 'node:timers/promises'
import { type Bucket, type Rates, ratesAlone, waitOf } from './rates.ts'

/** Rates that Telegram asks bots to keep. */
export interface PacerLimits {
  /** Messages to all chats together. */
  overall: Bucket
  /** Messages to one private chat. */
  chat: Bucket
  /** Messages to one group. */
  group: Bucket
  /** A redraw waits so long for the next ones of its card: together they are one edit (ms). */
  redrawMs: number
}

/**
 * Telegram's are 30 in a second, 1/s a chat with short bursts, and 20 a minute in a group. In any stretch of time
 * a burst and the rate add up, so it is their sum that stays within: 1 + 29 in a second, 4 + 15 in a minute.
 */
export const telegramLimits: PacerLimits = {
  overall: { costMs: 34, burst: 1 },
  chat: { costMs: 1000, burst: 16 },
  group: { costMs: 4000, burst: 4 },
  redrawMs: 250,
}

/** A reply is what somebody waits for at this moment; it goes before every notice. */
export type Urgency = 'reply' | 'notice'

/** Gives everyone who writes to Telegram their turn, so that nothing is refused in normal running. */
export interface Pacer {
  /** Resolves when a message may go to the chat. */
  turn(chatId: number, urgency?: Urgency): Promise<void>
  /** How long a message to the chat would wait for the chat's own limits, ms, as far as is known without asking. */
  chatWaitMs(chatId: number): number
  /** Telegram said `retry_after`: nothing goes to the chat until then. */
  hold(chatId: number, untilMs: number): void
}

/** Chats whose buckets have been full for long are forgotten above this number. */
const mostRemembered = 10_000

/**
 * Whose turn came so long ago takes another one: a process that stood still would else send at once what it had spread
 * over that time, on top of what others send.
 */
const latestMs = 250

/**
 * @param rates where the buckets are kept: by this process, or by all on a database.
 * @param sleep resolves after so many milliseconds.
 */
export const createPacer = (
  limits: PacerLimits = telegramLimits,
  now: () => number = Date.now,
  sleep: (ms: number) => Promise<void> = wait,
  rates: Rates = ratesAlone(now),
): Pacer => {
  /** By chat, when its bucket will be full, as far as this process knows. */
  const chats = new Map<number, number>()
  const holds = new Map<number, number>()
  const inLine: Record<Urgency, (() => void)[]> = { reply: [], notice: [] }

  const forget = () => {
    for (const [chatId, fullAt] of chats) if (fullAt < now()) chats.delete(chatId)
    for (const [chatId, until] of holds) if (until < now()) holds.delete(chatId)
  }

  const pause = async (ms: number) => {
    if (ms > 0) await sleep(ms)
  }

  const bucketOf = (chatId: number): Bucket => (chatId < 0 ? limits.group : limits.chat)

  const heldMs = (chatId: number) => Math.max(0, (holds.get(chatId) ?? 0) - now())

  const chatTurn = async (chatId: number): Promise<void> => {
    const bucket = bucketOf(chatId)
    const fullInMs = await rates.take(`chat ${chatId}`, bucket)
    chats.set(chatId, now() + fullInMs)
    await pause(waitOf(fullInMs, bucket))
  }

  /** Each in line has a time at which somebody goes; who that is, is decided then. */
  const overallTurn = async (urgency: Urgency): Promise<void> => {
    const mine = Promise.withResolvers<void>()
    inLine[urgency].push(mine.resolve)
    void timeToGo().then(() => (inLine.reply.shift() ?? inLine.notice.shift())?.())
    await mine.promise
  }

  const timeToGo = async (): Promise<void> => {
    for (;;) {
      const waitMs = waitOf(await rates.take('all chats', limits.overall), limits.overall)
      const dueMs = now() + waitMs
      await pause(waitMs)
      if (now() - dueMs < latestMs) return
    }
  }

  return {
    turn: async (chatId, urgency = 'reply') => {
      if (chats.size > mostRemembered) forget()
      await chatTurn(chatId)
      while (heldMs(chatId) > 0) {
        await pause(heldMs(chatId))
        // Of those that waited for it each has its own time: they must not all go when it ends.
        await chatTurn(chatId)
      }
      // Taken last, so that a chat that has to wait keeps no other waiting.
      await overallTurn(urgency)
    },
    chatWaitMs: (chatId) => {
      const bucket = bucketOf(chatId)
      const fullInMs = Math.max(0, (chats.get(chatId) ?? 0) - now())
      return Math.max(waitOf(fullInMs + bucket.costMs, bucket), heldMs(chatId))
    },
    hold: (chatId, untilMs) => {
      holds.set(chatId, Math.max(untilMs, holds.get(chatId) ?? 0))
      void rates.drain(`chat ${chatId}`, bucketOf(chatId), Math.max(0, untilMs - now()))
    },
  }
}

/** The same pace for whoever has time: replies go first. */
export const forNotices = (pacer: Pacer): Pacer => ({
  ...pacer,
  turn: (chatId) => pacer.turn(chatId, 'notice'),
})
