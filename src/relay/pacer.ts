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
  /** Answers to all chats together, where several processes send them beside the one that sends notices. */
  answers: Bucket | null
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
  answers: null,
}

/** A third of the rate is left to notices, whatever other processes answer. */
export const sharedLimits = (limits: PacerLimits): PacerLimits => ({
  ...limits,
  answers: { costMs: limits.overall.costMs * 1.5, burst: 10 },
})

/** The answer to a member or an operator, the answer to anybody else, and what is owed to a chat. */
export type Urgency = 'reply' | 'stranger' | 'notice'

/** Gives everyone who writes to Telegram their turn, so that nothing is refused in normal running. */
export interface Pacer {
  /** Resolves when a message may go to the chat. */
  turn(chatId: number, urgency?: Urgency): Promise<void>
  /** How long a message to the chat would wait for the chat's own limits, ms, as far as is known without asking. */
  chatWaitMs(chatId: number): number
  /** Answers to strangers that wait for their slot. */
  strangersWaiting(): number
  /** Telegram said `retry_after`: nothing goes to the chat until then. */
  hold(chatId: number, untilMs: number): void
}

/** The bucket of all messages, by its name. */
export const allChats = 'all chats'

/** Chats whose buckets have been full for long are forgotten above this number. */
const mostRemembered = 10_000

/**
 * Whose turn came so long ago takes another one: a process that stood still would else send at once what it had spread
 * over that time, on top of what others send.
 */
const latestMs = 250

/**
 * Slots that are asked for ahead of their time. Who goes in one is decided when it has come, so that nobody stands
 * behind a long line; and of several processes each asks for a few, so that none of them waits for all that others owe.
 */
const mostAhead = 3

/**
 * Who goes first in each of six slots in turn: while all of them wait, notices have a third, and of the answers those
 * to members three of four. A slot that its own have no use for goes to the next in this order: members, notices,
 * strangers.
 */
const slots: readonly Urgency[] = ['reply', 'notice', 'reply', 'stranger', 'reply', 'notice']
const otherwise: readonly Urgency[] = ['reply', 'notice', 'stranger']

/** Those who wait for a slot. @param timeToGo resolves when the next slot has come. */
const createLine = (timeToGo: () => Promise<void>) => {
  const waiting: Record<Urgency, (() => void)[]> = { reply: [], notice: [], stranger: [] }
  let slot = 0
  let asked = 0

  const length = () => otherwise.reduce((sum, urgency) => sum + waiting[urgency].length, 0)

  const next = (): (() => void) | undefined => {
    const first = slots[slot % slots.length]
    slot += 1
    const urgency = [...(first ? [first] : []), ...otherwise].find((each) => waiting[each].length > 0)
    return urgency && waiting[urgency].shift()
  }

  const ask = (): void => {
    while (asked < Math.min(mostAhead, length())) {
      asked += 1
      void timeToGo().then(() => {
        asked -= 1
        next()?.()
        ask()
      })
    }
  }

  return {
    turn: (urgency: Urgency): Promise<void> => {
      const mine = Promise.withResolvers<void>()
      waiting[urgency].push(mine.resolve)
      ask()
      return mine.promise
    },
    waiting: (urgency: Urgency): number => waiting[urgency].length,
  }
}

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

  /** A slot of a bucket that all chats share. */
  const slotOf = (name: string, bucket: Bucket) => async (): Promise<void> => {
    for (;;) {
      const waitMs = waitOf(await rates.take(name, bucket), bucket)
      const dueMs = now() + waitMs
      await pause(waitMs)
      if (now() - dueMs < latestMs) return
    }
  }

  const all = createLine(slotOf(allChats, limits.overall))
  const answers = limits.answers && createLine(slotOf('all answers', limits.answers))

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
      if (urgency !== 'notice') await answers?.turn(urgency)
      await all.turn(urgency)
    },
    chatWaitMs: (chatId) => {
      const bucket = bucketOf(chatId)
      const fullInMs = Math.max(0, (chats.get(chatId) ?? 0) - now())
      return Math.max(waitOf(fullInMs + bucket.costMs, bucket), heldMs(chatId))
    },
    strangersWaiting: () => all.waiting('stranger') + (answers?.waiting('stranger') ?? 0),
    hold: (chatId, untilMs) => {
      holds.set(chatId, Math.max(untilMs, holds.get(chatId) ?? 0))
      void rates.drain(`chat ${chatId}`, bucketOf(chatId), Math.max(0, untilMs - now()))
    },
  }
}

/** The same pace for messages of another kind. */
export const paceOf = (pacer: Pacer, urgency: Urgency): Pacer => ({
  ...pacer,
  turn: (chatId) => pacer.turn(chatId, urgency),
})
