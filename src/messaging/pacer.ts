import { wait } from '../base/wait.ts'
import { type Bucket, createRates, type NamedBucket, type Rates, waitOf } from './buckets.ts'

/** The rates that Telegram asks bots to keep, and our own limit on replies. */
export interface PacerLimits {
  /** Announcements to all chats together. */
  bulk: Bucket
  /** Replies to all chats together. */
  replies: Bucket
  /** Messages to one private chat. */
  chat: Bucket
  /** Messages to one group. */
  group: Bucket
  /** How long a redraw of a card waits for further ones, ms. Together they become one edit. */
  redrawMs: number
}

/**
 * Telegram allows 30 bulk notifications a second, one message a second to a chat with short bursts, and 20 messages a
 * minute to a group. It documents no limit for replies to people who have just written or pressed. Our own limit for
 * these is twice the bulk limit, so that nobody can make the bot send an unlimited number of messages.
 *
 * Within any period, a burst and the steady rate add up. So each pair is chosen so that the sum stays within the limit:
 * 1 + 29 and 10 + 50 in a second, 4 + 15 in a minute.
 */
export const telegramLimits: PacerLimits = {
  bulk: { costMs: 34, burst: 1 },
  replies: { costMs: 20, burst: 10 },
  chat: { costMs: 1000, burst: 16 },
  group: { costMs: 4000, burst: 4 },
  redrawMs: 250,
}

/**
 * `reply`: an answer to a member or an operator. `stranger`: an answer to anybody else. `notice`: an announcement, for
 * which nobody is waiting.
 */
export type Urgency = 'reply' | 'stranger' | 'notice'

/** Delays messages and chat actions so that Telegram normally refuses none of them. */
export interface Pacer {
  /** Resolves when a message may be sent to the chat. */
  slot(chatId: number, urgency?: Urgency): Promise<void>
  /**
   * Takes a slot for something that may be skipped, such as “typing…”. Half of the chat's burst stays free for
   * messages. @returns false if no slot was free.
   */
  spare(chatId: number): Promise<boolean>
  /** How long, ms, a message to the chat would wait because of the limit for one chat. */
  chatWaitMs(chatId: number): number
  /** How many answers to strangers wait for a slot. */
  strangersWaiting(): number
  /** Called when Telegram answered with `retry_after`. Nothing is sent to the chat until `untilMs`. */
  block(chatId: number, untilMs: number): void
}

export const bulkBucket = 'bulk'
export const repliesBucket = 'replies'

/** If there are more chats than this, those with full buckets are forgotten. */
const maxRemembered = 10_000

/** A slot more than this late is given up, so that a suspended process does not send a burst when it continues. */
const latestMs = 250

/**
 * How many slots are reserved ahead of time. Which message gets a slot is decided only when the slot comes, so that an
 * urgent message need not wait behind many others.
 */
const maxAhead = 3

/**
 * Whose message goes first in each of four consecutive slots. While both members and strangers wait, members get three
 * quarters of the slots. A slot that one group does not need goes to the other.
 */
const replySlots = ['reply', 'reply', 'stranger', 'reply'] as const

/**
 * The messages that wait for a slot in one bucket.
 * @param slots which urgency goes first in each slot; after the last slot, it starts from the beginning.
 * @param timeToGo reserves a slot, and resolves when it has come.
 */
const createLine = <Kind extends Urgency>(slots: readonly Kind[], timeToGo: () => Promise<void>) => {
  const waiting = new Map<Kind, (() => void)[]>(slots.map((kind) => [kind, []]))
  const queues = [...waiting.values()]
  let slot = 0
  let asked = 0

  const length = () => queues.reduce((sum, queue) => sum + queue.length, 0)

  const next = (): (() => void) | undefined => {
    const first = slots[slot % slots.length]
    slot += 1
    const queue = [...(first ? [waiting.get(first) ?? []] : []), ...queues].find((each) => each.length > 0)
    return queue?.shift()
  }

  const ask = (): void => {
    while (asked < Math.min(maxAhead, length())) {
      asked += 1
      void timeToGo().then(() => {
        asked -= 1
        next()?.()
        ask()
      })
    }
  }

  return {
    slot: (kind: Kind): Promise<void> => {
      const mine = Promise.withResolvers<void>()
      waiting.get(kind)?.push(mine.resolve)
      ask()
      return mine.promise
    },
    waiting: (kind: Kind): number => waiting.get(kind)?.length ?? 0,
    isEmpty: () => length() === 0,
  }
}

/** @param now a clock, ms. */
export const createPacer = (
  limits: PacerLimits = telegramLimits,
  now: () => number = Date.now,
  sleep: (ms: number) => Promise<void> = wait,
  rates: Rates = createRates(now),
): Pacer => {
  /** When each chat's bucket will be full, ms of the clock. */
  const chats = new Map<number, number>()
  const blockedUntil = new Map<number, number>()

  const forget = () => {
    for (const [chatId, fullAt] of chats) if (fullAt < now()) chats.delete(chatId)
    for (const [chatId, until] of blockedUntil) if (until < now()) blockedUntil.delete(chatId)
  }

  const pause = async (ms: number) => {
    if (ms > 0) await sleep(ms)
  }

  const bucketOf = (chatId: number): Bucket => (chatId < 0 ? limits.group : limits.chat)

  const blockedMs = (chatId: number) => Math.max(0, (blockedUntil.get(chatId) ?? 0) - now())

  const chatSlot = async (chatId: number): Promise<void> => {
    const bucket = bucketOf(chatId)
    await waitFor(chatId, await rates.take(`chat ${chatId}`, bucket))
  }

  const waitFor = async (chatId: number, fullInMs: number): Promise<void> => {
    chats.set(chatId, now() + fullInMs)
    await pause(waitOf(fullInMs, bucketOf(chatId)))
  }

  /**
   * Takes a slot of the chat, and one of the shared bucket if both are free now. @returns false if the shared slot is
   * still missing.
   */
  const bothTurns = async (chatId: number, all: NamedBucket): Promise<boolean> => {
    const { fullInMs, isBoth } = await rates.takeBoth({ name: `chat ${chatId}`, ...bucketOf(chatId) }, all)
    await waitFor(chatId, fullInMs)
    return isBoth
  }

  /** Waits for a slot of a bucket that all chats share. */
  const slotOf = (bucket: NamedBucket) => async (): Promise<void> => {
    for (;;) {
      const waitMs = waitOf(await rates.take(bucket.name, bucket), bucket)
      const dueMs = now() + waitMs
      await pause(waitMs)
      if (now() - dueMs < latestMs) return
    }
  }

  const bulk: NamedBucket = { name: bulkBucket, ...limits.bulk }
  const replies: NamedBucket = { name: repliesBucket, ...limits.replies }
  const notices = createLine(['notice'], slotOf(bulk))
  const answers = createLine(replySlots, slotOf(replies))

  /** The bucket and the waiting line that a message shares with all others of its kind. */
  const sharedWith = (urgency: Urgency) =>
    urgency === 'notice'
      ? { bucket: bulk, isIdle: notices.isEmpty, slot: () => notices.slot(urgency) }
      : { bucket: replies, isIdle: answers.isEmpty, slot: () => answers.slot(urgency) }

  /**
   * Whether a message may skip the waiting line. A message to a stranger may not, because strangers would otherwise get
   * more than their share of slots.
   */
  const mayPass = (chatId: number, urgency: Urgency): boolean =>
    urgency !== 'stranger' && blockedMs(chatId) === 0 && sharedWith(urgency).isIdle()

  const isFree = async (name: string, bucket: Bucket): Promise<boolean> =>
    (await rates.tryTake(name, bucket)) === 0

  return {
    spare: async (chatId) => {
      if (blockedMs(chatId) > 0) return false
      const { costMs, burst } = bucketOf(chatId)
      if (!(await isFree(`chat ${chatId}`, { costMs, burst: Math.ceil(burst / 2) }))) return false
      return isFree(bulkBucket, limits.bulk)
    },
    slot: async (chatId, urgency = 'reply') => {
      if (chats.size > maxRemembered) forget()
      const shared = sharedWith(urgency)
      const passes = mayPass(chatId, urgency)
      const isNext = passes && (await bothTurns(chatId, shared.bucket))
      if (isNext && blockedMs(chatId) === 0) return
      if (!passes) await chatSlot(chatId)
      while (blockedMs(chatId) > 0) {
        await pause(blockedMs(chatId))
        // Each message that waited for a block to end takes another slot, so that they are not all sent together.
        await chatSlot(chatId)
      }
      // The shared slot is taken last, so that a chat that has to wait does not hold up other chats.
      await shared.slot()
    },
    chatWaitMs: (chatId) => {
      const bucket = bucketOf(chatId)
      const fullInMs = Math.max(0, (chats.get(chatId) ?? 0) - now())
      return Math.max(waitOf(fullInMs + bucket.costMs, bucket), blockedMs(chatId))
    },
    strangersWaiting: () => answers.waiting('stranger'),
    block: (chatId, untilMs) => {
      blockedUntil.set(chatId, Math.max(untilMs, blockedUntil.get(chatId) ?? 0))
      void rates.drain(`chat ${chatId}`, bucketOf(chatId), Math.max(0, untilMs - now()))
    },
  }
}

/** The same pacer, with another default urgency. */
export const paceOf = (pacer: Pacer, urgency: Urgency): Pacer => ({
  ...pacer,
  slot: (chatId) => pacer.slot(chatId, urgency),
})
