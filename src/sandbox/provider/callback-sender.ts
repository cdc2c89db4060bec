import { Agent, request } from 'undici'
import type { Fault, ProviderCallbackState, ProviderSettings } from './control.ts'
import { type CallbackFaultKind, type Faults, faultDelayMs } from './faults.ts'
import { isFinal, type Order, orderStatus, type StatusChange } from './orders.ts'
import { Timers } from './timers.ts'
import { apiTimestamp } from './timestamp.ts'

interface Job {
  reference: string
  url: string
  body: Record<string, unknown>
  delayMs: number
}

interface CallbackOptions {
  faults: Faults
  settings: () => ProviderSettings
  /** The provider's time, ms since 1970. */
  clock: () => number
  onTry: (tried: ProviderCallbackState) => void
}

/**
 * Sends callbacks (API §6). The body of a callback is made once, so its retries and duplicates have the same bytes.
 * The first tries of an order's callbacks are sent one after another. They do not wait for retries, so a newer
 * callback may arrive before the retry of an older one.
 */
export class Callbacks {
  readonly #options: CallbackOptions
  readonly #timers = new Timers()
  /** Connections are closed after each callback, because the receiver may restart before the next one. */
  readonly #agent = new Agent({ pipelining: 0 })
  readonly #closing = new AbortController()
  /** For each reference, a promise that resolves when the order's latest first try has ended. */
  readonly #lanes = new Map<string, Promise<void>>()
  readonly #held = new Map<string, Job[]>()
  readonly #waiters: (() => void)[] = []
  /** How many callbacks are due, being sent or waiting for a retry. Callbacks held by a fault do not count. */
  #unfinished = 0

  constructor(options: CallbackOptions) {
    this.#options = options
  }

  /** Sends the callbacks for these changes of one order, each after its delay. */
  emit(changes: readonly StatusChange[]): void {
    for (const change of changes) this.#admit(change)
    const order = changes[0]?.order
    if (order && isFinal(orderStatus(order))) this.#release(order.reference)
  }

  /**
   * Sends the callbacks without a delay.
   * @returns a promise that resolves when each callback was answered, or its first try failed
   */
  async emitAtOnce(changes: readonly StatusChange[]): Promise<void> {
    const jobs = changes.filter((change) => this.#isWanted(change)).map((change) => this.#job(change, 0))
    this.#unfinished += jobs.length
    await Promise.all(jobs.map((job) => this.#inLane(job)))
  }

  /**
   * Sends the callbacks of orders whose fault has ended. Those of one order are sent in reverse, the last one first.
   */
  releaseUnheld(): void {
    for (const reference of this.#held.keys()) {
      if (!this.#options.faults.holds(reference)) this.#release(reference)
    }
  }

  /** Resolves when no callback is due or being sent. */
  idle(): Promise<void> {
    if (this.#unfinished === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  async close(): Promise<void> {
    this.#timers.close()
    this.#closing.abort()
    this.#unfinished = 0
    for (const resolve of this.#waiters.splice(0)) resolve()
    await this.#agent.destroy()
  }

  #isWanted({ order, scope }: StatusChange): boolean {
    if (order.webhookUrl === null) return false
    const { bulkCallbacks } = this.#options.settings()
    return order.type === 'single' || bulkCallbacks === 'both' || bulkCallbacks === scope
  }

  #admit(change: StatusChange): void {
    if (!this.#isWanted(change)) return
    const { order } = change
    const faults = this.#options.faults.ofCallbacks(order.reference, pathOf(order), order.accountId)
    if (faults.has('callback_never')) return
    const job = this.#job(change, this.#delayMs(faults))
    const copies = faults.has('callback_twice') ? [job, job] : [job]
    if (faults.has('callback_reversed')) this.#hold(order.reference, copies)
    else for (const copy of copies) this.#schedule(copy)
  }

  #delayMs(faults: Map<CallbackFaultKind, Fault>): number {
    const late = faults.get('callback_late')
    return this.#options.settings().callbackDelayMs + (late ? faultDelayMs(late) : 0)
  }

  #job(change: StatusChange, delayMs: number): Job {
    const { reference, webhookUrl } = change.order
    return { reference, url: webhookUrl ?? '', body: payload(change, this.#options.clock()), delayMs }
  }

  #hold(reference: string, jobs: readonly Job[]): void {
    this.#held.set(reference, [...(this.#held.get(reference) ?? []), ...jobs])
  }

  #release(reference: string): void {
    const held = this.#held.get(reference) ?? []
    this.#held.delete(reference)
    for (const job of held.reverse()) this.#schedule(job)
  }

  #schedule(job: Job): void {
    this.#unfinished++
    this.#timers.after(job.delayMs, () => this.#inLane(job))
  }

  #inLane(job: Job): Promise<void> {
    const before = this.#lanes.get(job.reference) ?? Promise.resolve()
    const lane = before.then(() => this.#try(job, 1))
    this.#lanes.set(job.reference, lane)
    return lane
  }

  async #try(job: Job, attempt: number): Promise<void> {
    const at = new Date().toISOString()
    const answer = await this.#post(job)
    if (this.#closing.signal.aborted) return
    const { reference, body } = job
    this.#options.onTry({ at, reference, status: String(body.status), answer, attempt, body })
    const retryAfterMs = this.#options.settings().callbackRetriesMs[attempt - 1]
    if (answer === 200 || retryAfterMs === undefined) this.#finish()
    else this.#timers.after(retryAfterMs, () => this.#try(job, attempt + 1))
  }

  /** @returns the receiver's HTTP status; null if it did not answer in time */
  async #post({ url, body }: Job): Promise<number | null> {
    const deadline = AbortSignal.timeout(this.#options.settings().callbackTimeoutMs)
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        dispatcher: this.#agent,
        signal: AbortSignal.any([deadline, this.#closing.signal]),
      })
      await response.body.dump()
      return response.statusCode
    } catch {
      return null
    }
  }

  #finish(): void {
    this.#unfinished--
    if (this.#unfinished === 0) for (const resolve of this.#waiters.splice(0)) resolve()
  }
}

const pathOf = (order: Order): string => (order.type === 'bulk' ? '/order/bulk' : '/order')

/**
 * A callback's body (API §6). If the callback is about a whole bulk order, it has no `phone`, so that its status is
 * not taken for that of a recipient.
 */
const payload = (change: StatusChange, nowMs: number): Record<string, unknown> => ({
  event: 'order.status.updated',
  reference: change.order.reference,
  status: change.status,
  network: change.order.bundle.network,
  volume: change.order.bundle.volume,
  ...(change.phone === null ? {} : { phone: change.phone }),
  ...(change.deliveredAtMs === null ? {} : { delivered_at: apiTimestamp(change.deliveredAtMs) }),
  timestamp: apiTimestamp(nowMs),
})

/** The sandbox sends callbacks only to addresses on this machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  /^https?:$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
