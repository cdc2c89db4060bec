import { expect, test } from 'vitest'
import { readBotGauges, type WatchedBot } from '../../src/metrics/bot-gauges.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

const linesOf = async (bots: WatchedBot[]): Promise<string[]> =>
  (await readBotGauges(bots, now)).flatMap(({ name, samples }) =>
    samples.map(({ labels, value }) => [name, ...Object.values(labels), value].join(' ')),
  )

test('of each bot the open orders and the oldest of them count; orders to review wait for their person', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: '1', accountId: 'a', now: ago(50) })
  const lease = { leaseToken: 't', leaseUntil: now }
  await addOrder(store, { id: '2', accountId: 'a', now: ago(900) }, [
    ['sending', { ...lease, sentAt: ago(300) }],
    ['unconfirmed', { reason: 'timeout' }],
  ])
  await addOrder(store, { id: '3', accountId: 'a', now: ago(9_000) }, [
    ['sending', { ...lease, sentAt: ago(8_000) }],
    ['unconfirmed', { reason: 'timeout' }],
    ['review', { reason: 'ambiguous' }],
  ])
  expect(await linesOf([{ username: 'shop_bot', state: 'running', store }])).toEqual([
    'bundlegram_bot_up shop_bot running 1',
    'bundlegram_bot_open_orders shop_bot 3',
    'bundlegram_bot_unsettled_seconds shop_bot 300',
    'bundlegram_bot_notice_lag_seconds shop_bot 0',
  ])
})

test('a bot whose database does not answer takes no line from the others', async () => {
  const broken = { backlog: { openOrders: () => Promise.reject(new Error('gone')) } }
  const lines = await linesOf([
    { username: 'broken_bot', state: 'running', store: broken as unknown as WatchedBot['store'] },
    { username: 'refused_bot', state: 'token', store: null },
    { username: 'well_bot', state: 'running', store: await newStore() },
  ])
  expect(lines).toEqual([
    'bundlegram_bot_up broken_bot running 1',
    'bundlegram_bot_up refused_bot token 0',
    'bundlegram_bot_up well_bot running 1',
    'bundlegram_bot_open_orders well_bot 0',
    'bundlegram_bot_unsettled_seconds well_bot 0',
    'bundlegram_bot_notice_lag_seconds well_bot 0',
  ])
})
