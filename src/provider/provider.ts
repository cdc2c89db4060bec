import { createCredentials } from './auth-headers.ts'
import { type BundleList, bundlesIn } from './bundle.ts'
import { type Connections, createConnections, type Dispatch } from './connections.ts'
import { ProviderError } from './error.ts'
import { exchange, isLostBeforeAnswer } from './exchange.ts'
import type { JsonObject } from './field.ts'
import type { Network } from './network.ts'
import {
  type OrderStatus,
  orderStatusIn,
  type PlacedBulkOrder,
  type PlacedOrder,
  placedBulkOrderIn,
  placedOrderIn,
} from './order-answer.ts'
import { type PlacementOutcome, placementOf } from './placement-outcome.ts'
import { readAnswer } from './read-answer.ts'
import { requests } from './request-input.ts'
import { type Balance, balanceIn, type TransactionPage, transactionsIn } from './wallet.ts'

/** In milliseconds and bytes. */
export interface Limits {
  /** From the call to the first byte of the request. Default 5,000. */
  connectTimeoutMs: number
  /** From the call to the last byte of a POST's answer. Default 20,000. */
  postTimeoutMs: number
  /** From the call to the last byte of a read's answer. Default 10,000. */
  getTimeoutMs: number
  /** Default 1 MiB. */
  maxBodyBytes: number
}

export interface ProviderOptions {
  /** Including `/api/v1`, with or without a trailing slash. */
  baseUrl: string
  apiKey: string
  apiSecret: string
  /** Can be shared by all providers of a process. Without it, this provider makes its own. */
  connections?: Connections
  /** Ms since the epoch. Used for `AnswerMeta` and to read `Retry-After`. */
  now?: () => number
  limits?: Partial<Limits>
  /**
   * Asked when a read's connection broke before any answer, which happens when the server has just closed a kept-alive
   * connection. If it returns true, the read is repeated once on a fresh connection. Without it, reads are not
   * repeated.
   */
  mayRepeatRead?: () => Promise<boolean>
}

export interface Call {
  signal?: AbortSignal
}

export interface PostCall extends Call {
  /** Called synchronously right before the request is written. If it returns false, nothing is sent. */
  mayStart?: () => boolean
  /** Called when the first byte of the request may have been sent. */
  onStart?: () => void
}

/** One bundle for one phone (API §4.2). */
export interface SingleOrder {
  bundleId: number
  /** As `0XXXXXXXXX`; any other form is refused before a connection is opened. */
  phone: string
  webhookUrl?: string
}

/** One bundle for each of several phones (API §4.3). */
export interface BulkOrder {
  bundleId: number
  /** 1 to 100 phones of the form `0XXXXXXXXX`, each once. */
  phones: readonly string[]
  webhookUrl?: string
}

/**
 * The API for one pair of credentials. A call is one HTTP request, and redirects are not followed. An order is never
 * repeated; a read is repeated at most once, if `mayRepeatRead` allows it.
 *
 * Reads throw `ProviderError`. The two calls that place orders return the outcome as a value. They throw
 * `ProviderError` only for invalid input, before a connection is opened.
 */
export interface Provider {
  /** The price list (API §4.1). */
  bundles(query?: { network?: Network }, call?: Call): Promise<BundleList>
  /** Places an order for one phone (API §4.2). */
  placeOrder(order: SingleOrder, call?: PostCall): Promise<PlacementOutcome<PlacedOrder>>
  /** Places an order for several phones (API §4.3). */
  placeBulkOrder(order: BulkOrder, call?: PostCall): Promise<PlacementOutcome<PlacedBulkOrder>>
  /** The record of a single or bulk order (API §4.4). */
  orderStatus(reference: string, call?: Call): Promise<OrderStatus>
  /** The wallet's balance (API §4.5). */
  balance(call?: Call): Promise<Balance>
  /**
   * A page of the wallet's entries (API §4.6). `page` counts from 1; `perPage` is at most 100 (the API's default is
   * 20).
   */
  transactions(page?: { page?: number; perPage?: number }, call?: Call): Promise<TransactionPage>
}

const defaultLimits: Limits = {
  connectTimeoutMs: 5_000,
  postTimeoutMs: 20_000,
  getTimeoutMs: 10_000,
  maxBodyBytes: 1024 * 1024,
}

/**
 * Checks the options and builds a provider. Makes no request.
 * @throws ProviderError `invalid_options` or `invalid_credentials`
 */
export const createProvider = (options: ProviderOptions): Provider => {
  const { origin, basePath } = parseBaseUrl(options.baseUrl)
  const credentials = createCredentials(options.apiKey, options.apiSecret)
  const limits = checkedLimits({ ...defaultLimits, ...options.limits })
  const { connectTimeoutMs, maxBodyBytes, getTimeoutMs, postTimeoutMs } = limits
  const { now = Date.now, connections = createConnections({ connectTimeoutMs }) } = options
  const { mayRepeatRead = async () => false } = options
  const { scrub } = credentials
  const headers = {
    ...credentials.headers,
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'bundlegram',
  }

  const limitsOf = (timeoutMs: number) => ({ connectTimeoutMs, timeoutMs, maxBodyBytes, now })

  const read = async <T>(path: string, content: (body: JsonObject) => T | null, call: Call = {}) => {
    const request = { origin, path: basePath + path, method: 'GET', headers } as const
    const startedMs = performance.now()
    const ask = (line: Dispatch) => {
      const leftMs = Math.max(1, getTimeoutMs - (performance.now() - startedMs))
      return exchange(line, request, { ...limitsOf(leftMs), signal: call.signal })
    }
    const first = await connections.shared(origin, ask)
    const again = isLostBeforeAnswer(first) && (await mayRepeatRead())
    const result = again ? await connections.ofItsOwn(origin, ask) : first
    return readAnswer(result, { content, now, scrub })
  }

  const place = async <T>(
    path: string,
    body: string,
    order: (body: JsonObject) => T | null,
    call: PostCall = {},
  ) => {
    const request = { origin, path: basePath + path, method: 'POST', headers, body } as const
    const { signal, mayStart, onStart } = call
    const terms = { ...limitsOf(postTimeoutMs), signal, mayStart, onStart }
    const result = await connections.ofItsOwn(origin, (line) => exchange(line, request, terms))
    return placementOf(result, { order, now, scrub })
  }

  return Object.freeze<Provider>({
    bundles: async (query = {}, call) => read(requests.bundles(query), bundlesIn, call),
    placeOrder: async (order, call) => place('/order', requests.order(order), placedOrderIn, call),
    placeBulkOrder: async (order, call) =>
      place('/order/bulk', requests.bulkOrder(order), placedBulkOrderIn, call),
    orderStatus: async (reference, call) =>
      read(requests.orderStatus(reference), (body) => orderStatusIn(body, reference), call),
    balance: async (call) => read('/wallet/balance', balanceIn, call),
    transactions: async (page = {}, call) => read(requests.transactions(page), transactionsIn, call),
  })
}

const parseBaseUrl = (baseUrl: unknown): { origin: string; basePath: string } => {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isHttp || url.username || url.password || url.search || url.hash) {
    const form = 'an http or https URL without credentials, query or fragment'
    throw new ProviderError('invalid_options', `The base URL must be ${form}.`)
  }
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') }
}

/** The longest delay of a Node timer. A timer with a longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1

const checkedLimits = (limits: Limits): Limits => {
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0 && value <= maxTimerMs) continue
    throw new ProviderError('invalid_options', `limits.${name} must be a positive whole number.`)
  }
  return limits
}
