import type { Update } from 'grammy/types'
import { conflict } from './refusal.ts'

export type UpdateType = Exclude<keyof Update, 'update_id'>
type UpdateContent = Omit<Update, 'update_id'>

interface PollRequest {
  /** Confirms all below it; negative: forgets all but that many of the newest. */
  offset: number
  limit: number
  timeoutMs: number
  /** Aborted when the bot hangs up. */
  gone: AbortSignal
}

interface Pending {
  update: Update
  /** Delivered again on purpose: waits for one delivery, whatever offset the bot asks for. */
  again: boolean
  delivered: boolean
}

interface Waiter {
  limit: number
  resolve: (updates: Update[]) => void
  /** `lateMs` after now. */
  reject: (reason: Error, lateMs: number) => void
}

/** What a bot gets only if it asks for it by name. */
const optIn = new Set<string>(['chat_member', 'message_reaction', 'message_reaction_count'])
const longestBatch = 100
/** What keeps two bots that fight for the updates from asking without a pause. */
const conflictEveryMs = 3_000

/**
 * The updates that wait for the bot, oldest first, and the one `getUpdates` request that waits for them.
 * An update leaves when it is confirmed by a later offset, or by a webhook's 2xx.
 */
export class UpdateQueue {
  /** All that were ever made, for redelivery. */
  readonly history: Update[] = []
  #pending: Pending[] = []
  #allowed: string[] = []
  #nextId: number
  #waiter: Waiter | undefined
  /** Conflicts until then are told later, ms since 1970. */
  #quietUntil = 0
  #onPush: () => void = () => {}

  constructor(firstId: number) {
    this.#nextId = firstId
  }

  get waiting(): Update[] {
    return this.#pending.map(({ update }) => update)
  }

  get allowed(): string[] {
    return this.#allowed
  }

  /** Holds for updates from now on; empty: all but those that must be named. */
  allow(types: string[]): void {
    this.#allowed = types
  }

  whenPushed(listener: () => void): void {
    this.#onPush = listener
  }

  push(content: UpdateContent): void {
    const update: Update = { update_id: this.#nextId++, ...content }
    if (!this.#wants(update)) return
    this.history.push(update)
    this.#add(update, false)
  }

  /** Hands an update out once more, under the id that the bot knows or under a fresh one. */
  redeliver(update: Update, asNew: boolean): void {
    if (asNew) this.#add({ ...update, update_id: this.#nextId++ }, false)
    else this.#add(update, true)
  }

  confirm(updateId: number): void {
    this.#pending = this.#pending.filter(({ update }) => update.update_id !== updateId)
  }

  clear(): void {
    this.#pending = []
  }

  /**
   * `getUpdates`: what waits, or what comes first within the timeout. As at Telegram's own server a request that
   * has to wait takes the place of an older one that does; one that is answered at once disturbs nobody.
   *
   * @throws {Refusal} 409 when a later request takes over
   */
  async poll({ offset, limit, timeoutMs, gone }: PollRequest): Promise<Update[]> {
    this.#confirmBefore(offset)
    const ready = this.#batch(limit)
    if (ready.length > 0 || timeoutMs <= 0) return ready
    this.interrupt('terminated by other getUpdates request; make sure that only one bot instance is running')
    return this.#wait(limit, timeoutMs, gone)
  }

  /** Ends the request that waits, if any, with a 409: at once, but only once in three seconds. */
  interrupt(why: string): void {
    const waiter = this.#waiter
    if (!waiter) return
    this.#waiter = undefined
    const now = Date.now()
    const lateMs = now < this.#quietUntil ? conflictEveryMs : 0
    if (lateMs === 0) this.#quietUntil = now + conflictEveryMs
    waiter.reject(conflict(why), lateMs)
  }

  /** Answers the request that waits, so that a server can be closed. */
  close(): void {
    this.#waiter?.resolve([])
  }

  #wants(update: Update): boolean {
    const type = typeOf(update)
    return this.#allowed.length === 0 ? !optIn.has(type) : this.#allowed.includes(type)
  }

  #add(update: Update, again: boolean): void {
    this.#pending.push({ update, again, delivered: false })
    if (this.#waiter) this.#waiter.resolve(this.#batch(this.#waiter.limit))
    this.#onPush()
  }

  #batch(limit: number): Update[] {
    const batch = this.#pending.slice(0, Math.min(Math.max(limit, 1), longestBatch))
    for (const pending of batch) pending.delivered = true
    return batch.map(({ update }) => update)
  }

  #confirmBefore(offset: number): void {
    if (offset < 0) this.#pending = this.#pending.slice(offset)
    const isConfirmed = ({ update, again, delivered }: Pending) =>
      again ? delivered : offset > 0 && update.update_id < offset
    this.#pending = this.#pending.filter((pending) => !isConfirmed(pending))
  }

  #wait(limit: number, timeoutMs: number, gone: AbortSignal): Promise<Update[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Update[]>()
    const timer = setTimeout(() => resolve([]), timeoutMs)
    const hangUp = () => resolve([])
    const waiter: Waiter = { limit, resolve, reject }
    gone.addEventListener('abort', hangUp, { once: true })
    this.#waiter = waiter
    const settled = () => {
      clearTimeout(timer)
      gone.removeEventListener('abort', hangUp)
      if (this.#waiter === waiter) this.#waiter = undefined
    }
    waiter.resolve = (updates) => {
      settled()
      resolve(updates)
    }
    waiter.reject = (reason, lateMs) => {
      settled()
      if (lateMs === 0) reject(reason)
      else setTimeout(reject, lateMs, reason).unref()
    }
    return promise.finally(settled)
  }
}

export function typeOf(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? ''
}
