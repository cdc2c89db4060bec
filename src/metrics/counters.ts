import { type ChronicleEvent, secondsBetween, settledAfter } from '../chronicle/event.ts'
import type { QueryObserver } from '../database/query-observer.ts'
import type { HandledRequest } from '../http/handled-requests.ts'
import { placements } from '../journal/placement.ts'
import type { LeftOut } from '../relay/admission.ts'
import type { TelegramCall } from '../telegram/chat/observed-calls.ts'
import type { ProviderCall } from '../wallets/provider-calls.ts'
import { createCounter, createHistogram, type Family } from './counting.ts'

/** The observations of one instance since its start, counted in memory. */
export interface Observations extends QueryObserver {
  onEvent(event: ChronicleEvent): void
  onProviderCall(call: ProviderCall): void
  onTelegramCall(call: TelegramCall): void
  onLeftOut(leftOut: LeftOut): void
  onRequest(request: HandledRequest): void
  families(): Family[]
}

/** Bounds in seconds: of calls, of database queries, and of an order's steps. */
const callSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5]
const orderSeconds = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 14_400, 86_400]

/** All counters and histograms of the bot, with the functions that count into them. */
export const createObservations = (): Observations => {
  const orders = orderMetrics()
  const provider = providerMetrics()
  const telegram = telegramMetrics()
  const database = databaseMetrics()
  const requests = requestMetrics()
  return {
    onEvent: orders.onEvent,
    onProviderCall: provider.onCall,
    onTelegramCall: telegram.onCall,
    onLeftOut: telegram.onLeftOut,
    onQuery: database.onQuery,
    onTransaction: database.onTransaction,
    onRequest: requests.onRequest,
    families: () =>
      [orders, provider, telegram, database, requests].flatMap(({ metrics }) =>
        metrics.map((metric) => metric.family()),
      ),
  }
}

const orderMetrics = () => {
  const moves = createCounter({
    name: 'bundlegram_order_moves_total',
    help: 'Orders that came to a placement.',
    labels: ['placement'],
    from: placements.map((placement) => [placement]),
  })
  const placing = createHistogram(
    { name: 'bundlegram_order_placing_seconds', help: 'From the confirmation of an order to its reference.' },
    orderSeconds,
  )
  const settling = createHistogram(
    {
      name: 'bundlegram_order_settling_seconds',
      help: 'From the send of an order of unknown outcome to its being known.',
      labels: ['placement'],
      from: [['placed'], ['not_placed']],
    },
    orderSeconds,
  )
  const delivery = createHistogram(
    {
      name: 'bundlegram_order_delivery_seconds',
      help: 'From an order being placed to its being delivered, as far as both are known.',
    },
    orderSeconds,
  )
  const callbacks = createCounter({
    name: 'bundlegram_callbacks_total',
    help: 'Callbacks that were stored, with those that say the same once more.',
  })

  const onMove = (move: PlacementEvent): void => {
    const { from, to, at, createdAt } = move
    moves.add([to])
    if (from === 'sending' && to === 'placed' && createdAt) placing.observe(secondsBetween(createdAt, at))
    const seconds = settledAfter(move)
    if (seconds !== null) settling.observe(seconds, [to])
  }

  const onEvent = (event: ChronicleEvent): void => {
    if (event.kind === 'placement') onMove(event)
    if (event.kind === 'callback') callbacks.add()
    if (event.kind === 'status' && event.deliverySeconds !== null) delivery.observe(event.deliverySeconds)
  }

  return { onEvent, metrics: [moves, placing, settling, delivery, callbacks] }
}

type PlacementEvent = Extract<ChronicleEvent, { kind: 'placement' }>

const providerMetrics = () => {
  const calls = createCounter({
    name: 'bundlegram_provider_calls_total',
    help: 'Calls to the provider by endpoint and by what came of them: ok, the fate of an order, or the kind of error.',
    labels: ['endpoint', 'outcome'],
  })
  const seconds = createHistogram(
    {
      name: 'bundlegram_provider_call_duration_seconds',
      help: 'Time of calls to the provider.',
      labels: ['endpoint'],
    },
    callSeconds,
  )
  const onCall = (call: ProviderCall): void => {
    const endpoint = call.endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    calls.add([endpoint, call.outcome])
    seconds.observe(call.seconds, [endpoint])
  }
  return { onCall, metrics: [calls, seconds] }
}

const telegramMetrics = () => {
  const calls = createCounter({
    name: 'bundlegram_telegram_calls_total',
    help: 'Calls to Telegram by method and by what came of them: ok, the error code, or unreachable.',
    labels: ['method', 'outcome'],
  })
  const floods = createCounter({
    name: 'bundlegram_telegram_floods_total',
    help: 'Calls that Telegram refused because there were too many (429).',
  })
  const pauses = createCounter({
    name: 'bundlegram_telegram_retry_after_seconds_total',
    help: 'For how long Telegram has asked to wait, added up.',
  })
  const seconds = createHistogram(
    {
      name: 'bundlegram_telegram_call_duration_seconds',
      help: 'Time of calls to Telegram, without those that wait for updates.',
    },
    callSeconds,
  )
  const leftOut = createCounter({
    name: 'bundlegram_updates_left_out_total',
    help: 'What people sent and was left out: flood, one chat sent more than can be answered; crowd, all strangers together did.',
    labels: ['why', 'who'],
    from: [
      ['flood', 'member'],
      ['flood', 'stranger'],
      ['crowd', 'stranger'],
    ],
  })
  const onLeftOut = ({ why, who }: LeftOut): void => leftOut.add([why, who])
  const onCall = (call: TelegramCall): void => {
    calls.add([call.method, call.outcome])
    if (call.outcome === '429') floods.add()
    if (call.retryAfterSeconds !== null) pauses.add([], call.retryAfterSeconds)
    if (call.method !== 'getUpdates') seconds.observe(call.seconds)
  }
  return { onCall, onLeftOut, metrics: [calls, floods, pauses, leftOut, seconds] }
}

/** These are no errors: a guarded insert found the row, or a transaction that met another one is run again. */
const expectedFaults = new Set(['UniqueConstraintViolation', 'TransactionWriteConflict'])

const databaseMetrics = () => {
  const queries = createHistogram(
    {
      name: 'bundlegram_database_query_duration_seconds',
      help: 'Time of database queries, with the wait for a connection or for an open transaction.',
    },
    querySeconds,
  )
  const transactions = createHistogram(
    {
      name: 'bundlegram_database_transaction_duration_seconds',
      help: 'Time of database transactions from being asked for to their end.',
      labels: ['end'],
      from: [['committed'], ['rolled_back']],
    },
    querySeconds,
  )
  const errors = createCounter({
    name: 'bundlegram_database_errors_total',
    help: 'Database queries that failed, by kind.',
    labels: ['kind'],
    from: [['other'], ['DatabaseNotReachable'], ['ConnectionClosed'], ['SocketTimeout']],
  })
  const conflicts = createCounter({
    name: 'bundlegram_database_conflicts_total',
    help: 'Database queries that met what another one has written: expected, and not an error.',
  })
  const onQuery: QueryObserver['onQuery'] = (seconds, fault) => {
    queries.observe(seconds)
    if (fault === null) return
    if (expectedFaults.has(fault)) conflicts.add()
    else errors.add([fault])
  }
  const onTransaction: QueryObserver['onTransaction'] = (seconds, end) => transactions.observe(seconds, [end])
  return { onQuery, onTransaction, metrics: [queries, transactions, errors, conflicts] }
}

const requestMetrics = () => {
  const requests = createCounter({
    name: 'bundlegram_http_requests_total',
    help: 'HTTP requests by route and status.',
    labels: ['route', 'status'],
  })
  const seconds = createHistogram(
    {
      name: 'bundlegram_http_request_duration_seconds',
      help: 'Time of HTTP requests from their head to the end of the answer.',
      labels: ['route'],
    },
    callSeconds,
  )
  const onRequest = (request: HandledRequest): void => {
    requests.add([request.route, request.status])
    seconds.observe(request.seconds, [request.route])
  }
  return { onRequest, metrics: [requests, seconds] }
}
