import type { Bucket } from '../../../src/messaging/buckets.ts'
import {
  bulkBucket,
  type Pacer,
  repliesBucket,
  telegramLimits,
  type Urgency,
} from '../../../src/messaging/pacer.ts'
import type { BotProcess } from '../bot/process.ts'
import type { World } from '../world.ts'

/**
 * A message waits for its chat's turn and then for everybody's. If it waits long for the second, the chat's next
 * message may follow sooner.
 */
const slackMs = 5_000

/** The most in a second to all chats, by the bucket that they share: Telegram's own count, and ours of replies. */
const maxPerSecond: Record<string, number> = { [bulkBucket]: 30, [repliesBucket]: 60 }

const bucketOf = (urgency: Urgency): string => (urgency === 'notice' ? bulkBucket : repliesBucket)

/**
 * Telegram's rates of each process, by when messages leave: a worker keeps them in its memory. A message may go beyond
 * them if its process stood still while it had its turn (one a chat, for which the turn was kept free).
 */
export class PaceWatch {
  readonly #world: World
  /** By process and chat, when the bucket is full. */
  readonly #chats = new Map<string, number>()
  /** By process and shared bucket, when its messages of the last second left. */
  readonly #lately = new Map<string, number[]>()
  messages = 0
  /** The part of these that left after a standstill. */
  excused = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Waits for the turn of a message, and counts it when it leaves. */
  async turn(
    process: BotProcess,
    pacer: Pick<Pacer, 'slot'>,
    { chatId, urgency }: { chatId: number; urgency: Urgency },
  ): Promise<void> {
    const { stops } = process
    await pacer.slot(chatId, urgency)
    if (!this.#world.hasInstances) return
    this.messages += 1
    if (process.stops !== stops) {
      this.excused += 1
      return
    }
    this.#take(process, chatId)
    this.#countShared(process, bucketOf(urgency))
  }

  #take({ token }: BotProcess, chatId: number): void {
    const key = `${token} ${chatId}`
    const bucket: Bucket = chatId < 0 ? telegramLimits.group : telegramLimits.chat
    const { nowMs } = this.#world
    const fullAtMs = Math.max(this.#chats.get(key) ?? 0, nowMs) + bucket.costMs
    this.#chats.set(key, fullAtMs)
    const aboveMs = fullAtMs - nowMs - bucket.costMs * bucket.burst
    if (aboveMs > slackMs) this.#world.breaks(`${key} gets messages ${aboveMs} ms too early`)
  }

  #countShared({ token }: BotProcess, shared: string): void {
    const { nowMs } = this.#world
    const key = `${token} ${shared}`
    const lately = (this.#lately.get(key) ?? []).filter((atMs) => atMs > nowMs - 1_000)
    lately.push(nowMs)
    this.#lately.set(key, lately)
    if (lately.length > (maxPerSecond[shared] ?? 0))
      this.#world.breaks(`${lately.length} messages of “${key}” in a second`)
  }
}
