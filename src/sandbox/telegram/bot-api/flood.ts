import { tooManyRequests } from '../refusal.ts'

/**
 * The limits for a bot's messages (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 * Telegram states the rates, but not how large the "short bursts" are that it tolerates. Here they are 20 messages.
 */
export interface FloodLimits {
  /** For all chats together; null means no limit. */
  perSecond: number | null
  perSecondInPrivateChat: number
  /** How many messages a private chat accepts at once before its rate applies. */
  burstInPrivateChat: number
  perMinuteInGroup: number
}

/**
 * Telegram's documented limits. There is also a limit for bulk notifications, of about 30 a second, but Telegram
 * does not say which messages count as such. So only the limits of single chats apply here.
 */
export const realisticLimits: FloodLimits = {
  perSecond: null,
  perSecondInPrivateChat: 1,
  burstInPrivateChat: 20,
  perMinuteInGroup: 20,
}

interface Bucket {
  tokens: number
  capacity: number
  perSecond: number
  /** ms since 1970 */
  filledAt: number
}

/**
 * Counts a bot's messages and chat actions against the limits. Each chat has a bucket and, if `perSecond` is set,
 * there is one for all chats together.
 */
export class FloodGate {
  #limits: FloodLimits | undefined
  #now: () => number
  #overall: Bucket | undefined
  #chats = new Map<number, Bucket>()

  /**
   * @param limits undefined means no limits
   * @param now ms since 1970
   */
  constructor(limits: FloodLimits | undefined, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Counts messages: one, or all of an album.
   * @throws {Refusal} 429, with the seconds until the messages are accepted; then nothing is counted
   */
  admit(chat: number, messages = 1): void {
    if (!this.#limits) return
    const overall = this.#overallBucket(this.#limits)
    const buckets = [...(overall ? [overall] : []), this.#chatBucket(chat, this.#limits)]
    const wait = Math.max(...buckets.map((bucket) => this.#secondsUntilRoom(bucket, messages)))
    if (wait > 0) throw tooManyRequests(Math.ceil(wait))
    for (const bucket of buckets) bucket.tokens -= messages
  }

  clear(): void {
    this.#overall = undefined
    this.#chats.clear()
  }

  #overallBucket({ perSecond }: FloodLimits): Bucket | null {
    if (perSecond === null) return null
    this.#overall ??= this.#full(perSecond, perSecond)
    return this.#overall
  }

  #chatBucket(chat: number, limits: FloodLimits): Bucket {
    const known = this.#chats.get(chat)
    if (known) return known
    const bucket =
      chat < 0
        ? this.#full(limits.perMinuteInGroup, limits.perMinuteInGroup / 60)
        : this.#full(limits.burstInPrivateChat, limits.perSecondInPrivateChat)
    this.#chats.set(chat, bucket)
    return bucket
  }

  #full(capacity: number, perSecond: number): Bucket {
    return { tokens: capacity, capacity, perSecond, filledAt: this.#now() }
  }

  #secondsUntilRoom(bucket: Bucket, messages: number): number {
    const now = this.#now()
    const gained = ((now - bucket.filledAt) / 1000) * bucket.perSecond
    bucket.tokens = Math.min(bucket.capacity, bucket.tokens + gained)
    bucket.filledAt = now
    return bucket.tokens >= messages ? 0 : (messages - bucket.tokens) / bucket.perSecond
  }
}
