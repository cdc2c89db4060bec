// @module-tag screens
import { expect, test } from 'vitest'
import { metricsToken, readMetrics } from '../../support/metrics.ts'
import { createWorld } from '../../support/world.ts'
import { cardReads, newPhone, order, place, reconcileAfter } from '../shop.ts'

test('an order whose answer is lost is shown step by step in the log and in the metrics', async ({
  onTestFinished,
}) => {
  const world = await createWorld({ env: { LOG_LEVEL: 'info', METRICS_TOKEN: metricsToken } })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller()
  const first = newPhone()
  const { reference } = await place(world, reseller, first)
  world.provider.setStatus(reference, 'delivered')
  await reseller.chat.waitForText(': delivered')
  world.provider.addFault({ kind: 'answer_lost' })
  world.provider.addFault({ kind: 'callback_never' })
  const card = await order(reseller, newPhone())
  await cardReads(world, reseller, card, /unconfirmed/)
  await reconcileAfter(world, 0)
  await cardReads(world, reseller, card, /BUD-API-/)
  world.telegram.addFault({ method: 'sendMessage', kind: 'flood', retryAfterSeconds: 1 })
  reseller.chat.say('/balance')
  await world.until(
    () => world.telegram.calls().some(({ errorCode }) => errorCode === 429),
    'Telegram refused a message',
  )
  await fetch(`${world.botUrl}/webhooks/of-nobody`, { method: 'POST', body: '{}' })

  const lines = world.bot
    .output()
    .split('\n')
    .filter((line) => line.includes('"orderId"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const ids = [...new Set(lines.map(({ orderId }) => orderId))]
  const ofAccount = lines.filter(({ msg }) => msg !== 'a callback was stored')
  const accounts = [...new Set(ofAccount.map(({ account }) => account))]
  expect(accounts).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)])
  const storyOf = (id: unknown) => lines.filter(({ orderId }) => orderId === id).map(({ msg }) => msg)
  expect(storyOf(ids[0])).toEqual(
    expect.arrayContaining(['a callback was stored', 'the reported status of an order was confirmed']),
  )
  expect(storyOf(ids[1]).slice(0, 4)).toEqual([
    'an order was confirmed',
    'an order is being sent',
    'the outcome of an order is not known',
    'an order was placed',
  ])

  const text = await readMetrics(world.botUrl)
  for (const line of [
    'bundlegram_orders{placement="placed"} 2',
    'bundlegram_order_moves_total{placement="unconfirmed"} 1',
    'bundlegram_order_reconciling_seconds_count{placement="placed"} 1',
    'bundlegram_provider_calls_total{endpoint="place_order",outcome="unconfirmed"} 1',
    'bundlegram_provider_calls_total{endpoint="place_order",outcome="placed"} 1',
    'bundlegram_telegram_floods_total 1',
    'bundlegram_http_requests_total{route="/webhooks/:token",status="404"} 1',
    'bundlegram_lease_held{lease="worker"} 1',
    'bundlegram_ready 1',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(text).toMatch(/^bundlegram_database_query_duration_seconds_count [1-9]/m)
  expect(text).toMatch(/^bundlegram_telegram_calls_total\{method="sendMessage",outcome="ok"\} [1-9]/m)
  for (const secret of ['of-nobody', world.telegram.token, first]) expect(text).not.toContain(secret)
})
