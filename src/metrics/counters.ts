import { Counter, Histogram, Registry } from 'prom-client'
import type { QueryObserver } from '../database/query-observer.ts'
import { placements } from '../domain/order/placement.ts'
import type { HandledRequest } from '../http/handled-requests.ts'
import type { LeftOut } from '../messaging/admission.ts'
import { type Change, reconciledAfter, secondsBetween } from '../store/changes.ts'
import type { TelegramCall } from '../telegram/chat/observed-calls.ts'
import type { ProviderCall } from '../wallets/provider-calls.ts'

/** The counters of this process since its start, kept in memory. */
export interface Observations extends QueryObserver {
  onChange(change: Change): void
  onProviderCall(call: ProviderCall): void
  onTelegramCall(call: TelegramCall): void
  onLeftOut(leftOut: LeftOut): void
  onRequest(request: HandledRequest): void
  readonly registry: Registry
}

/** Upper bounds of histogram buckets, in seconds: for calls, database queries, and the steps of an order. */
const callSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5]
const orderSeconds = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 14_400, 86_400]

/**
 * Creates all counters and histograms of the bot, with the functions that update them. Where the values of a label
 * are known, their series start at 0, because Prometheus sees no increase in a series that begins at 1.
 */
export const createCounters = (): Observations => {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    ...orderMetrics(registers),
    ...providerMetrics(registers),
    ...telegramMetrics(registers),
    ...databaseMetrics(registers),
    ...requestMetrics(registers),
  }
}

const orderMetrics = (registers: Registry[]) => {
  const moves = new Counter({
    registers,
    name: 'bundlegram_order_moves_total',
    help: 'Orders that reached a placement.',
    labelNames: ['placement'],
  })
  for (const placement of placements) moves.inc({ placement }, 0)
  const placing = new Histogram({
    registers,
    name: 'bundlegram_order_placing_seconds',
    help: 'From the confirmation of an order to its reference.',
    buckets: orderSeconds,
  })
  const reconciling = new Histogram({
    registers,
    name: 'bundlegram_order_reconciling_seconds',
    help: 'From the send of an order of unknown outcome until its outcome was known.',
    labelNames: ['placement'],
    buckets: orderSeconds,
  })
  for (const placement of ['placed', 'not_placed']) reconciling.zero({ placement })
  const delivery = new Histogram({
    registers,
    name: 'bundlegram_order_delivery_seconds',
    help: 'From placement to delivery, for orders of which both times are known.',
    buckets: orderSeconds,
  })
  const callbacks = new Counter({
    registers,
    name: 'bundlegram_callbacks_total',
    help: 'Callbacks that were stored, including repeated ones.',
  })

  const onMove = (move: PlacementChange): void => {
    const { from, to, at, createdAt } = move
    moves.inc({ placement: to })
    if (from === 'sending' && to === 'placed') placing.observe(secondsBetween(createdAt, at))
    const seconds = reconciledAfter(move)
    if (seconds !== null) reconciling.observe({ placement: to }, seconds)
  }

  const onChange = (change: Change): void => {
    if (change.kind === 'placement') onMove(change)
    if (change.kind === 'callback') callbacks.inc()
    if (change.kind === 'status' && change.deliverySeconds !== null) delivery.observe(change.deliverySeconds)
  }

  return { onChange }
}

type PlacementChange = Extract<Change, { kind: 'placement' }>

const providerMetrics = (registers: Registry[]) => {
  const calls = new Counter({
    registers,
    name: 'bundlegram_provider_calls_total',
    help: 'Calls to the provider by endpoint and outcome: ok, the outcome of an order, or the kind of error.',
    labelNames: ['endpoint', 'outcome'],
  })
  const seconds = new Histogram({
    registers,
    name: 'bundlegram_provider_call_duration_seconds',
    help: 'Time of calls to the provider.',
    labelNames: ['endpoint'],
    buckets: callSeconds,
  })
  const onCall = (call: ProviderCall): void => {
    const endpoint = call.endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    calls.inc({ endpoint, outcome: call.outcome })
    seconds.observe({ endpoint }, call.seconds)
  }
  return { onProviderCall: onCall }
}

const telegramMetrics = (registers: Registry[]) => {
  const calls = new Counter({
    registers,
    name: 'bundlegram_telegram_calls_total',
    help: 'Calls to Telegram by method and outcome: ok, the error code, or unreachable.',
    labelNames: ['method', 'outcome'],
  })
  const floods = new Counter({
    registers,
    name: 'bundlegram_telegram_floods_total',
    help: 'Calls that Telegram refused because there were too many (429).',
  })
  const pauses = new Counter({
    registers,
    name: 'bundlegram_telegram_retry_after_seconds_total',
    help: 'The sum of the waits that Telegram has asked for.',
  })
  const seconds = new Histogram({
    registers,
    name: 'bundlegram_telegram_call_duration_seconds',
    help: 'Time of calls to Telegram, without the long polling for updates.',
    buckets: callSeconds,
  })
  const leftOut = new Counter({
    registers,
    name: 'bundlegram_updates_left_out_total',
    help: 'Updates that were dropped: flood, one chat sent too much; crowd, all strangers together did.',
    labelNames: ['why', 'who'],
  })
  for (const who of ['member', 'stranger']) leftOut.inc({ why: 'flood', who }, 0)
  leftOut.inc({ why: 'crowd', who: 'stranger' }, 0)
  const onLeftOut = ({ why, who }: LeftOut): void => leftOut.inc({ why, who })
  const onCall = (call: TelegramCall): void => {
    calls.inc({ method: call.method, outcome: call.outcome })
    if (call.outcome === '429') floods.inc()
    if (call.retryAfterSeconds !== null) pauses.inc(call.retryAfterSeconds)
    if (call.method !== 'getUpdates') seconds.observe(call.seconds)
  }
  return { onTelegramCall: onCall, onLeftOut }
}

/**
 * Faults that are not counted as errors: an insert found that the row exists, or a transaction conflicted with another
 * one and runs again.
 */
const expectedFaults = new Set(['UniqueConstraintViolation', 'TransactionWriteConflict'])

const databaseMetrics = (registers: Registry[]) => {
  const queries = new Histogram({
    registers,
    name: 'bundlegram_database_query_duration_seconds',
    help: 'Time of database queries, including the wait for a connection or an open transaction.',
    buckets: querySeconds,
  })
  const transactions = new Histogram({
    registers,
    name: 'bundlegram_database_transaction_duration_seconds',
    help: 'Time of database transactions from their request to their end.',
    labelNames: ['end'],
    buckets: querySeconds,
  })
  for (const end of ['committed', 'rolled_back']) transactions.zero({ end })
  const errors = new Counter({
    registers,
    name: 'bundlegram_database_errors_total',
    help: 'Database queries that failed, by kind.',
    labelNames: ['kind'],
  })
  for (const kind of ['other', 'DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'])
    errors.inc({ kind }, 0)
  const conflicts = new Counter({
    registers,
    name: 'bundlegram_database_conflicts_total',
    help: 'Database queries that conflicted with another one: expected, and not an error.',
  })
  const onQuery: QueryObserver['onQuery'] = (seconds, fault) => {
    queries.observe(seconds)
    if (fault === null) return
    if (expectedFaults.has(fault)) conflicts.inc()
    else errors.inc({ kind: fault })
  }
  const onTransaction: QueryObserver['onTransaction'] = (seconds, end) =>
    transactions.observe({ end }, seconds)
  return { onQuery, onTransaction }
}

const requestMetrics = (registers: Registry[]) => {
  const requests = new Counter({
    registers,
    name: 'bundlegram_http_requests_total',
    help: 'HTTP requests by route and status.',
    labelNames: ['route', 'status'],
  })
  const seconds = new Histogram({
    registers,
    name: 'bundlegram_http_request_duration_seconds',
    help: 'Time of HTTP requests from their head to the end of the answer.',
    labelNames: ['route'],
    buckets: callSeconds,
  })
  const onRequest = (request: HandledRequest): void => {
    requests.inc({ route: request.route, status: request.status })
    seconds.observe({ route: request.route }, request.seconds)
  }
  return { onRequest }
}
