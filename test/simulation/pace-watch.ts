import { AsyncLocalStorage } from 'node:async_hooks'
import type { Bucket, Rates } from '../../src/database/rates.ts'
import { bulkBucket, type Pacer, repliesBucket, telegramLimits, type Urgency } from '../../src/relay/pacer.ts'
import type { BotProcess } from './process.ts'
import type { World } from './world.ts'

/** One message on its way through the pacer. */
interface Turn {
  /** The database did not answer: the process went by its own buckets. */
  isOwn: boolean
}

const turns = new AsyncLocalStorage<Turn>()

/**
 * A message waits for its chat's turn and then for everybody's. If it waits long for the second, the chat's next
 * message may follow sooner.
 */
const slackMs = 5_000

/** The most in a second to all chats, by the bucket that they share: Telegram's own count, and ours of replies. */
const maxPerSecond: Record<string, number> = { [bulkBucket]: 30, [repliesBucket]: 60 }

const bucketOf = (urgency: Urgency): string => (urgency === 'notice' ? bulkBucket : repliesBucket)

/**
 * Telegram's rates over all processes, by when messages leave. Exactly these may go beyond them: a message whose
 * process stood still while it had its turn (one a chat, for which the turn was kept free), and what a process without
 * the database sends by its own buckets, which are as large.
 */
export class PaceWatch {
  readonly #world: World
  /** By chat, when its bucket is full. */
  readonly #chats = new Map<number, number>()
  readonly #own = new Map<string, number>()
  /** Slots that a process has taken of its own buckets and that no message has used yet. */
  readonly #ownSlots = new Map<string, number>()
  /** By shared bucket, when its messages of the last second left. */
  readonly #lately = new Map<string, number[]>()
  messages = 0
  /** The part of these that the shared rates do not cover. */
  excused = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Waits for the turn of a message, and counts it when it leaves. */
  async turn(
    process: BotProcess,
    pacer: Pick<Pacer, 'turn'>,
    { chatId, urgency }: { chatId: number; urgency: Urgency },
  ): Promise<void> {
    const turn: Turn = { isOwn: false }
    const { stops } = process
    const shared = bucketOf(urgency)
    await turns.run(turn, () => pacer.turn(chatId, urgency))
    if (!this.#world.hasInstances) return
    this.messages += 1
    if (this.#usesOwnSlot(process, shared) || turn.isOwn || process.stops !== stops) {
      this.excused += 1
      if (turn.isOwn) this.#take(this.#own, `${process.token} ${chatId}`, chatId)
      return
    }
    this.#take(this.#chats, chatId, chatId)
    this.#countShared(shared)
  }

  /** A process's own rates, used in place of the shared ones. */
  marked({ token }: BotProcess, rates: Rates): Rates {
    const mark = (name: string): void => {
      const turn = turns.getStore()
      const key = `${token} ${name}`
      // The message for a slot of all chats is chosen when the slot has come.
      if (name in maxPerSecond) this.#ownSlots.set(key, (this.#ownSlots.get(key) ?? 0) + 1)
      else if (turn) turn.isOwn = true
    }
    return {
      ...rates,
      take: (name, bucket) => {
        mark(name)
        return rates.take(name, bucket)
      },
      takeBoth: async (first, second) => {
        mark(first.name)
        const taken = await rates.takeBoth(first, second)
        if (taken.isBoth) mark(second.name)
        return taken
      },
    }
  }

  #usesOwnSlot({ token }: BotProcess, shared: string): boolean {
    const key = `${token} ${shared}`
    const taken = this.#ownSlots.get(key) ?? 0
    if (taken > 0) this.#ownSlots.set(key, taken - 1)
    return taken > 0
  }

  #take<Key>(buckets: Map<Key, number>, key: Key, chatId: number): void {
    const bucket: Bucket = chatId < 0 ? telegramLimits.group : telegramLimits.chat
    const { nowMs } = this.#world
    const fullAtMs = Math.max(buckets.get(key) ?? 0, nowMs) + bucket.costMs
    buckets.set(key, fullAtMs)
    const aboveMs = fullAtMs - nowMs - bucket.costMs * bucket.burst
    if (aboveMs > slackMs) this.#world.breaks(`${key} gets messages ${aboveMs} ms too early`)
  }

  #countShared(shared: string): void {
    const { nowMs } = this.#world
    const lately = (this.#lately.get(shared) ?? []).filter((atMs) => atMs > nowMs - 1_000)
    lately.push(nowMs)
    this.#lately.set(shared, lately)
    if (lately.length > (maxPerSecond[shared] ?? 0))
      this.#world.breaks(`${lately.length} messages of “${shared}” in a second`)
  }
}
