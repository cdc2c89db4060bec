import type { Update } from 'grammy/types'
import { conflict } from './refusal.ts'

/** The name of the field that an update carries. */
export type UpdateType = Exclude<keyof Update, 'update_id'>
type UpdateContent = Omit<Update, 'update_id'>

interface PollRequest {
  /** Confirms all updates below it; if negative, forgets all but that many of the newest. */
  offset: number
  limit: number
  timeoutMs: number
  /** Aborted when the bot hangs up. */
  gone: AbortSignal
}

interface Pending {
  update: Update
  /** Delivered again on purpose: waits for one delivery, whatever offset the bot sends. */
  again: boolean
  delivered: boolean
}

interface Waiter {
  limit: number
  resolve: (updates: Update[]) => void
  /** Rejects `lateMs` from now. */
  reject: (reason: Error, lateMs: number) => void
}

/** Types of updates that a bot gets only if it names them. */
const optIn = new Set<string>(['chat_member', 'message_reaction', 'message_reaction_count'])
const maxBatch = 100
/** A second conflict is answered late, ms. Otherwise two bots that compete for updates would ask without a pause. */
const conflictEveryMs = 3_000

/**
 * The updates that wait for the bot, oldest first, and the one `getUpdates` request that waits for them. An
 * update leaves when it is confirmed by a later offset, or by a webhook's 2xx.
 */
export class UpdateQueue {
  /** All updates ever made, for redelivery. */
  readonly history: Update[] = []
  #pending: Pending[] = []
  #allowed: string[] = []
  #nextId: number
  #waiter: Waiter | undefined
  /** Conflicts before this time are answered late, ms since 1970. */
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

  /** The types of updates to keep from now on; empty: all except those that a bot must name. */
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

  /** Delivers an update again, under its id or a new one. */
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

  /** Like {@link clear}, but nothing can be delivered again afterwards. */
  forget(): void {
    this.clear()
    this.history.length = 0
  }

  /**
   * `getUpdates`: the waiting updates, or the first that arrive within the timeout. As with Telegram's own server, a
   * request that has to wait replaces an older waiting one. A request that is answered at once does not affect it.
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

  /** Ends the waiting request, if any, with a 409: at once, but only once in three seconds. */
  interrupt(why: string): void {
    const waiter = this.#waiter
    if (!waiter) return
    this.#waiter = undefined
    const now = Date.now()
    const lateMs = now < this.#quietUntil ? conflictEveryMs : 0
    if (lateMs === 0) this.#quietUntil = now + conflictEveryMs
    waiter.reject(conflict(why), lateMs)
  }

  /** Answers the waiting request, so that a server can be closed. */
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
    const batch = this.#pending.slice(0, Math.min(Math.max(limit, 1), maxBatch))
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

/** The type of an update. */
export function typeOf(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? ''
}
