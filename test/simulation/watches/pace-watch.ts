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
 * A message first waits for a slot of its chat, then for a shared slot. If the second wait is long, the chat's next
 * message may follow sooner than usual.
 */
const slackMs = 5_000

/** The most messages in a second to all chats, by shared bucket: Telegram's limit, and our own for replies. */
const maxPerSecond: Record<string, number> = { [bulkBucket]: 30, [repliesBucket]: 60 }

const bucketOf = (urgency: Urgency): string => (urgency === 'notice' ? bulkBucket : repliesBucket)

/**
 * Checks that each process keeps Telegram's rates, by the times at which messages leave. The rates are counted for
 * each process, because a worker keeps them in memory. A message may exceed them if its process was suspended after
 * the message had got its slot.
 */
export class PaceWatch {
  readonly #world: World
  /** When each bucket will be full again, by process and chat. */
  readonly #chats = new Map<string, number>()
  /** When the messages of the last second left, by process and shared bucket. */
  readonly #lately = new Map<string, number[]>()
  messages = 0
  /** How many of the messages left after their process had been suspended. */
  excused = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Waits for a message's slot, and counts the message when it leaves. */
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
    if (aboveMs > slackMs)
      this.#world.breaks(
        `process ${token} sends messages to chat ${chatId} ${aboveMs} ms too early for Telegram's rate limit`,
      )
  }

  #countShared({ token }: BotProcess, shared: string): void {
    const { nowMs } = this.#world
    const key = `${token} ${shared}`
    const lately = (this.#lately.get(key) ?? []).filter((atMs) => atMs > nowMs - 1_000)
    lately.push(nowMs)
    this.#lately.set(key, lately)
    const most = maxPerSecond[shared] ?? 0
    if (lately.length > most)
      this.#world.breaks(
        `process ${token} sent ${lately.length} messages of the bucket “${shared}” within a second, but at most ${most} are allowed`,
      )
  }
}
