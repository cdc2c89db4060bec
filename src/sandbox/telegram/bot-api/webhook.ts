import type { Update, WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { badRequest } from '../refusal.ts'
import type { Parameters } from './parameters.ts'
import { typeOf, type UpdateQueue, type UpdateType } from './updates.ts'

interface WebhookSettings {
  url: string
  secretToken: string
  maxConnections: number
}

interface Lane {
  isBusy: boolean
  /** How often delivering the first update of this lane failed. */
  failures: number
}

interface WebhookOptions {
  /**
   * How long to wait after the first failed delivery, ms. The wait doubles with each further failure, up to {@link
   * maxRetryMs}.
   */
  retryMs: number
  now: () => number
  /** Runs the method in the bot's answer: a bot may answer an update with a call. */
  reply: (body: unknown) => void
}

const maxRetryMs = 60_000
const answerWithinMs = 60_000
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Delivers updates to the bot's address. Like the real server, it keeps the order within each chat and kind of
 * update (a press of a button does not wait for a message of the same chat), repeats deliveries that were not
 * answered with a 2xx, and makes at most `max_connections` at the same time.
 */
export class Webhook {
  #queue: UpdateQueue
  #options: WebhookOptions
  #settings: WebhookSettings | undefined
  #lanes = new Map<string, Lane>()
  #underWay = 0
  #lastError: { date: number; message: string } | undefined
  #closing = new AbortController()
  #retries = new Map<NodeJS.Timeout, Lane>()

  constructor(queue: UpdateQueue, options: WebhookOptions) {
    this.#queue = queue
    this.#options = options
    queue.whenPushed(() => this.#pump())
  }

  get isSet(): boolean {
    return this.#settings !== undefined
  }

  /** Whether the bot accepts deliveries. It does if a webhook is set and no delivery is failing. */
  get isTaken(): boolean {
    return this.isSet && [...this.#lanes.values()].every(({ failures }) => failures === 0)
  }

  /** `setWebhook`; an empty `url` removes it. */
  set(parameters: Parameters): { result: true; description: string } {
    const url = parameters.text('url')
    if (!url) return this.remove(parameters)
    const settings = readSettings(url, parameters)
    const isSame = this.#settings?.url === url
    this.#queue.interrupt('terminated by setWebhook request')
    this.#prepareQueue(parameters)
    this.#settings = settings
    this.#lastError = undefined
    this.#forgetRetries()
    this.#pump()
    return { result: true, description: isSame ? 'Webhook is already set' : 'Webhook was set' }
  }

  /** `deleteWebhook` */
  remove(parameters: Parameters): { result: true; description: string } {
    const wasSet = this.isSet
    this.#settings = undefined
    this.#lastError = undefined
    this.#forgetRetries()
    if (parameters.flag('drop_pending_updates')) this.#queue.clear()
    return { result: true, description: wasSet ? 'Webhook was deleted' : 'Webhook is already deleted' }
  }

  /** `getWebhookInfo` */
  info(): WebhookInfo {
    const allowed = this.#queue.allowed.filter(isUpdateType)
    const common = {
      url: this.#settings?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: this.#queue.waiting.length,
      ...(allowed.length > 0 ? { allowed_updates: allowed } : {}),
    }
    if (!this.#settings) return common
    return {
      ...common,
      max_connections: this.#settings.maxConnections,
      ip_address: '127.0.0.1',
      ...(this.#lastError
        ? { last_error_date: this.#lastError.date, last_error_message: this.#lastError.message }
        : {}),
    }
  }

  close(): void {
    this.#closing.abort()
    this.#settings = undefined
    this.#forgetRetries()
  }

  #prepareQueue(parameters: Parameters): void {
    if (parameters.flag('drop_pending_updates')) this.#queue.clear()
    const allowed = parameters.json('allowed_updates')
    if (Array.isArray(allowed)) this.#queue.allow(allowed.map(String))
  }

  #forgetRetries(): void {
    for (const [timer, lane] of this.#retries) {
      clearTimeout(timer)
      lane.isBusy = false
      lane.failures = 0
    }
    this.#retries.clear()
  }

  #pump(): void {
    const settings = this.#settings
    if (!settings) return
    for (const update of this.#queue.waiting) {
      if (this.#underWay >= settings.maxConnections) return
      const lane = this.#laneOf(update)
      if (lane.isBusy) continue
      lane.isBusy = true
      void this.#deliver(update, lane, settings)
    }
  }

  #laneOf(update: Update): Lane {
    const key = laneKey(update)
    const lane = this.#lanes.get(key) ?? { isBusy: false, failures: 0 }
    this.#lanes.set(key, lane)
    return lane
  }

  async #deliver(update: Update, lane: Lane, settings: WebhookSettings): Promise<void> {
    this.#underWay += 1
    const error = await this.#post(update, settings)
    this.#underWay -= 1
    if (this.#closing.signal.aborted) return
    if (error === undefined) this.#succeeded(update, lane)
    else this.#failed(lane, error)
  }

  #succeeded(update: Update, lane: Lane): void {
    this.#queue.confirm(update.update_id)
    lane.failures = 0
    lane.isBusy = false
    this.#pump()
  }

  #failed(lane: Lane, message: string): void {
    this.#lastError = { date: Math.floor(this.#options.now() / 1000), message }
    const waitMs = Math.min(this.#options.retryMs * 2 ** lane.failures, maxRetryMs)
    lane.failures += 1
    const timer = setTimeout(() => {
      this.#retries.delete(timer)
      lane.isBusy = false
      this.#pump()
    }, waitMs)
    this.#retries.set(timer, lane)
    this.#pump()
  }

  /**
   * Posts an update.
   * @returns the error in the words of `last_error_message`; undefined if the bot accepted the update
   */
  async #post(update: Update, { url, secretToken }: WebhookSettings): Promise<string | undefined> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          ...(secretToken ? { 'x-telegram-bot-api-secret-token': secretToken } : {}),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerWithinMs)]),
      })
      const body = await response.text()
      if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`
      this.#options.reply(parsedJson(body))
      return undefined
    } catch (error) {
      return networkError(error)
    }
  }
}

function readSettings(url: string, parameters: Parameters): WebhookSettings {
  const secretToken = parameters.text('secret_token')
  if (secretToken.length > 256) throw badRequest('secret token is too long')
  if (!/^[A-Za-z0-9_-]*$/.test(secretToken)) throw badRequest('secret token contains unallowed characters')
  if (!URL.canParse(url)) throw badRequest('bad webhook: invalid webhook URL specified')
  if (!loopback.test(new URL(url).hostname)) {
    throw badRequest('bad webhook: the simulated Telegram can only reach addresses on this machine')
  }
  const maxConnections = Math.min(Math.max(parameters.integer('max_connections') ?? 40, 1), 100)
  return { url, secretToken, maxConnections }
}

const Ids = z.object({ id: z.number() })
const Placed = z.object({ chat: Ids.optional(), from: Ids.optional() })

/**
 * The lane of an update. Updates of one lane are delivered in order. There is one lane for each kind of update in
 * each chat and, for presses, for each person.
 */
function laneKey(update: Update): string {
  const type = typeOf(update)
  const content = Placed.safeParse(Object.entries(update).find(([key]) => key === type)?.[1])
  const { chat, from } = content.success ? content.data : {}
  return `${type}:${chat?.id ?? from?.id ?? 0}`
}

function isUpdateType(type: string): type is UpdateType {
  return type !== 'update_id'
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function networkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED') return 'Connection refused'
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'Read timeout expired'
  return cause instanceof Error ? cause.message : 'Connection failed'
}
