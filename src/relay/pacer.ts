import { setTimeout as wait } from 'node:timers/promises'

/** At most `burst` at once, and one more for each `costMs` that passes. */
export interface Bucket {
  costMs: number
  burst: number
}

/** Rates that Telegram asks bots to keep. */
export interface PacerLimits {
  /** Messages to all chats together. */
  overall: Bucket
  /** Messages to one private chat. */
  chat: Bucket
  /** Messages to one group. */
  group: Bucket
}

/**
 * Telegram's are 30 in a second, 1/s a chat with short bursts, and 20 a minute in a group. In any stretch of time
 * a burst and the rate add up, so it is their sum that stays within: 1 + 29 in a second, 4 + 15 in a minute.
 */
export const telegramLimits: PacerLimits = {
  overall: { costMs: 34, burst: 1 },
  chat: { costMs: 1000, burst: 16 },
  group: { costMs: 4000, burst: 4 },
}

/**
 * A bucket as the time at which it will be full again: taking one moves that time on by the cost of one.
 * Pure: it is given the time and returns the next state and how long to wait.
 */
export const take = (
  fullAtMs: number,
  nowMs: number,
  bucket: Bucket,
): { fullAtMs: number; waitMs: number } => {
  const next = Math.max(fullAtMs, nowMs) + bucket.costMs
  return { fullAtMs: next, waitMs: Math.max(0, next - nowMs - bucket.costMs * bucket.burst) }
}

/** A reply is what somebody waits for at this moment; it goes before every notice. */
export type Urgency = 'reply' | 'notice'

/** Gives everyone who writes to Telegram their turn, so that nothing is refused in normal running. */
export interface Pacer {
  /** Resolves when a message may go to the chat. */
  turn(chatId: number, urgency?: Urgency): Promise<void>
  /** How long a message to the chat would wait for the chat's own limits, ms. */
  chatWaitMs(chatId: number): number
  /** Telegram said `retry_after`: nothing goes to the chat until then. */
  hold(chatId: number, untilMs: number): void
}

/** Chats whose buckets have been full for long are forgotten above this number. */
const mostRemembered = 10_000

/** @param sleep resolves after so many milliseconds. */
export const createPacer = (
  limits: PacerLimits = telegramLimits,
  now: () => number = Date.now,
  sleep: (ms: number) => Promise<void> = wait,
): Pacer => {
  const chats = new Map<number, number>()
  const holds = new Map<number, number>()
  const inLine: Record<Urgency, (() => void)[]> = { reply: [], notice: [] }
  let overallFullAt = 0

  const forget = () => {
    for (const [chatId, fullAt] of chats) if (fullAt < now()) chats.delete(chatId)
    for (const [chatId, until] of holds) if (until < now()) holds.delete(chatId)
  }

  const pause = async (ms: number) => {
    if (ms > 0) await sleep(ms)
  }

  const takeOfChat = (chatId: number) =>
    take(chats.get(chatId) ?? 0, now(), chatId < 0 ? limits.group : limits.chat)

  const heldMs = (chatId: number) => Math.max(0, (holds.get(chatId) ?? 0) - now())

  /** Each in line has a time at which somebody goes; who that is, is decided then. */
  const overallTurn = async (urgency: Urgency): Promise<void> => {
    const mine = Promise.withResolvers<void>()
    inLine[urgency].push(mine.resolve)
    const overall = take(overallFullAt, now(), limits.overall)
    overallFullAt = overall.fullAtMs
    void pause(overall.waitMs).then(() => (inLine.reply.shift() ?? inLine.notice.shift())?.())
    await mine.promise
  }

  return {
    turn: async (chatId, urgency = 'reply') => {
      if (chats.size > mostRemembered) forget()
      const chat = takeOfChat(chatId)
      chats.set(chatId, chat.fullAtMs)
      await pause(chat.waitMs)
      while (heldMs(chatId) > 0) await pause(heldMs(chatId))
      // Taken last, so that a chat that has to wait keeps no other waiting.
      await overallTurn(urgency)
    },
    chatWaitMs: (chatId) => Math.max(takeOfChat(chatId).waitMs, heldMs(chatId)),
    hold: (chatId, untilMs) => {
      holds.set(chatId, Math.max(untilMs, holds.get(chatId) ?? 0))
    },
  }
}

/** The same pace for whoever has time: replies go first. */
export const forNotices = (pacer: Pacer): Pacer => ({
  ...pacer,
  turn: (chatId) => pacer.turn(chatId, 'notice'),
})
