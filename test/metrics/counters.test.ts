import { expect, test } from 'vitest'
import { createCounters, type Observations } from '../../src/metrics/counters.ts'

const now = new Date('2026-11-21T10:32:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

/** The lines of the metrics that are not 0 after these observations. */
const linesAfter = async (observe: (observations: Observations) => void): Promise<string[]> => {
  const observations = createCounters()
  observe(observations)
  const lines = (await observations.registry.metrics()).split('\n')
  return lines.filter((line) => line !== '' && !/^#| 0$|_bucket/.test(line))
}

const order = { orderId: '1', accountId: 'a', at: now }
const move = { kind: 'placement', reason: null, createdAt: ago(90), sentAt: ago(60) } as const

test('the metrics count an order that the provider’s first answer places, with the time since its confirmation', async () => {
  const lines = await linesAfter(({ onChange }) =>
    onChange({ ...order, ...move, from: 'sending', to: 'placed', sentAt: null }),
  )
  expect(lines).toEqual([
    'bundlegram_order_moves_total{placement="placed"} 1',
    'bundlegram_order_placing_seconds_sum 90',
    'bundlegram_order_placing_seconds_count 1',
  ])
})

test('the metrics count an order of unknown outcome under the outcome found, with the time since the send', async () => {
  const lines = await linesAfter(({ onChange }) => {
    onChange({ ...order, ...move, from: 'unconfirmed', to: 'placed' })
    onChange({ ...order, ...move, from: 'review', to: 'not_placed' })
    onChange({ ...order, ...move, from: 'not_placed', to: 'placed' })
  })
  expect(lines.filter((line) => line.includes('reconciling'))).toEqual([
    'bundlegram_order_reconciling_seconds_sum{placement="placed"} 60',
    'bundlegram_order_reconciling_seconds_count{placement="placed"} 1',
    'bundlegram_order_reconciling_seconds_sum{placement="not_placed"} 60',
    'bundlegram_order_reconciling_seconds_count{placement="not_placed"} 1',
  ])
})

test('the metrics count deliveries and callbacks', async () => {
  const status = { kind: 'status', status: 'delivered', reported: false } as const
  const lines = await linesAfter(({ onChange }) => {
    onChange({ ...order, ...status, deliverySeconds: 42 })
    onChange({ ...order, ...status, deliverySeconds: null })
    onChange({ ...order, kind: 'callback', status: 'delivered' })
  })
  expect(lines).toEqual([
    'bundlegram_order_delivery_seconds_sum 42',
    'bundlegram_order_delivery_seconds_count 1',
    'bundlegram_callbacks_total 1',
  ])
})

test('the metrics count calls to the provider by endpoint and outcome', async () => {
  const lines = await linesAfter(({ onProviderCall }) => {
    onProviderCall({ endpoint: 'placeBulkOrder', outcome: 'unconfirmed', seconds: 20 })
    onProviderCall({ endpoint: 'orderStatus', outcome: 'rate_limited', seconds: 0.2 })
  })
  expect(lines).toEqual([
    'bundlegram_provider_calls_total{endpoint="place_bulk_order",outcome="unconfirmed"} 1',
    'bundlegram_provider_calls_total{endpoint="order_status",outcome="rate_limited"} 1',
    'bundlegram_provider_call_duration_seconds_sum{endpoint="place_bulk_order"} 20',
    'bundlegram_provider_call_duration_seconds_count{endpoint="place_bulk_order"} 1',
    'bundlegram_provider_call_duration_seconds_sum{endpoint="order_status"} 0.2',
    'bundlegram_provider_call_duration_seconds_count{endpoint="order_status"} 1',
  ])
})

test('the metrics count Telegram’s 429 answers with the demanded wait, and no long poll as a slow call', async () => {
  const lines = await linesAfter(({ onTelegramCall }) => {
    onTelegramCall({ method: 'sendMessage', outcome: '429', seconds: 0.1, retryAfterSeconds: 7 })
    onTelegramCall({ method: 'getUpdates', outcome: 'ok', seconds: 30, retryAfterSeconds: null })
  })
  expect(lines).toEqual([
    'bundlegram_telegram_calls_total{method="sendMessage",outcome="429"} 1',
    'bundlegram_telegram_calls_total{method="getUpdates",outcome="ok"} 1',
    'bundlegram_telegram_floods_total 1',
    'bundlegram_telegram_retry_after_seconds_total 7',
    'bundlegram_telegram_call_duration_seconds_sum 0.1',
    'bundlegram_telegram_call_duration_seconds_count 1',
  ])
})

test('the metrics count a write that collides with another process’s as a conflict, not as an error', async () => {
  const lines = await linesAfter(({ onQuery, onTransaction }) => {
    onQuery(0.002, null)
    onQuery(0.002, 'UniqueConstraintViolation')
    onQuery(0.002, 'TransactionWriteConflict')
    onQuery(0.002, 'DatabaseNotReachable')
    onTransaction(0.5, 'committed')
  })
  expect(lines).toEqual([
    'bundlegram_database_query_duration_seconds_sum 0.008',
    'bundlegram_database_query_duration_seconds_count 4',
    'bundlegram_database_transaction_duration_seconds_sum{end="committed"} 0.5',
    'bundlegram_database_transaction_duration_seconds_count{end="committed"} 1',
    'bundlegram_database_errors_total{kind="DatabaseNotReachable"} 1',
    'bundlegram_database_conflicts_total 2',
  ])
})
