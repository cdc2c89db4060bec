import type { Update } from 'grammy/types'
import { conflict } from '../refusal.ts'

/** The type of an update, which is the name of the field with its content. */
export type UpdateType = Exclude<keyof Update, 'update_id'>
type UpdateContent = Omit<Update, 'update_id'>

interface PollRequest {
  /** Confirms all updates with a lower id. A negative offset drops all updates except that many of the newest. */
  offset: number
  limit: number
  timeoutMs: number
  /** Aborts when the bot closes the connection. */
  gone: AbortSignal
}

interface Pending {
  update: Update
  /** A test asked to deliver this update again, so it stays until it is delivered, whatever offset the bot sends. */
  again: boolean
  delivered: boolean
}

interface Waiter {
  limit: number
  resolve: (updates: Update[]) => void
  reject: (reason: Error, lateMs: number) => void
}

/** The types of updates that a bot gets only if it asks for them by name. */
const optIn = new Set<string>(['chat_member', 'message_reaction', 'message_reaction_count'])
const maxBatch = 100
/**
 * A second conflict within this time, ms, is answered late. Otherwise two bots that compete for updates would send
 * requests without a pause.
 */
const conflictEveryMs = 3_000

/**
 * The updates that wait for the bot, oldest first, and the one `getUpdates` request that waits for updates. An
 * update is removed when a later offset confirms it, or when the webhook answers it with a 2xx.
 */
export class UpdateQueue {
  /** All updates that were ever made. They can be delivered again. */
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

  /**
   * Sets the types of updates to keep from now on. An empty list means all types, except those that a bot must name.
   */
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

  /** Delivers an update again, under its old id or a new one. */
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

  /** Like {@link clear}, but also forgets past updates, so that none can be delivered again. */
  forget(): void {
    this.clear()
    this.history.length = 0
  }

  /**
   * `getUpdates`: returns the waiting updates, or the first that arrive within the timeout. As on Telegram's own
   * server, a request that has to wait replaces an older waiting one. A request that is answered at once does not
   * affect the older one.
   *
   * @throws {Refusal} 409 when a later request replaces this one
   */
  async poll({ offset, limit, timeoutMs, gone }: PollRequest): Promise<Update[]> {
    this.#confirmBefore(offset)
    const ready = this.#batch(limit)
    if (ready.length > 0 || timeoutMs <= 0) return ready
    this.interrupt('terminated by other getUpdates request; make sure that only one bot instance is running')
    return this.#wait(limit, timeoutMs, gone)
  }

  /**
   * Ends the waiting request, if there is one, with a 409. The answer comes at once, but at most once in three
   * seconds; after that it is late.
   */
  interrupt(why: string): void {
    const waiter = this.#waiter
    if (!waiter) return
    this.#waiter = undefined
    const now = Date.now()
    const lateMs = now < this.#quietUntil ? conflictEveryMs : 0
    if (lateMs === 0) this.#quietUntil = now + conflictEveryMs
    waiter.reject(conflict(why), lateMs)
  }

  /** Answers the waiting request, so that the server can close. */
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

export function typeOf(update: Update): string {
  return Object.keys(update).find((key) => key !== 'update_id') ?? ''
}
