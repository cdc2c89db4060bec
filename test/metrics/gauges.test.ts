import type { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { version } from '../../src/base/installation.ts'
import { cardOf } from '../../src/domain/notice.ts'
import { statusReportOf } from '../../src/messaging/inbox.ts'
import { localGauges, readGauges } from '../../src/metrics/gauges.ts'
import { beginMaintenance, endMaintenance } from '../../src/orders/permission/switches.ts'
import type { Store } from '../../src/store/store.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newStore } from '../support/database.ts'

const now = new Date('2026-11-21T10:32:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)

/** The gauges' values for a store, by name and label. */
const readOf = async (store: Store, missing: string[] = []): Promise<Map<string, number>> => {
  return valuesIn(await readGauges({ store, notReady: async () => missing, now: () => now }))
}

const valuesIn = async (registry: Registry): Promise<Map<string, number>> => {
  const text = await registry.metrics()
  const lines = text.matchAll(/^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/gm)
  return new Map([...lines].map(([, name, label = '', value]) => [`${name} ${label}`.trim(), Number(value)]))
}

test('every gauge of an empty database shows that nothing waits', async () => {
  const gauges = await readOf(await newStore())
  expect(gauges.get('bundlegram_ready')).toBe(1)
  expect(gauges.get('bundlegram_orders review')).toBe(0)
  expect(gauges.get('bundlegram_provider_budget_left_ratio day')).toBe(1)
  const others = [...gauges].filter(([name]) => !/ready|ratio/.test(name))
  expect(new Set(others.map(([, value]) => value))).toEqual(new Set([0]))
})

test('the gauge of readiness shows zero if the database is not ready', async () => {
  expect((await readOf(await newStore(), ['database'])).get('bundlegram_ready')).toBe(0)
})

describe('the gauges of orders', () => {
  test('count orders by placement, and show the age of the oldest open one', async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const sent = (id: string, seconds: number, ...more: Parameters<typeof addOrder>[2] & object) =>
      addOrder(store, { id, accountId: 'a', now: ago(900) }, [
        ['sending', { leaseToken: 't', leaseUntil: now, sentAt: ago(seconds) }],
        ...more,
      ])
    await addOrder(store, { id: '1', accountId: 'a', now: ago(50) })
    await sent('2', 20)
    await sent('3', 300, ['unconfirmed', { reason: 'timeout' }])
    await sent('4', 700, ['unconfirmed', { reason: 'timeout' }])
    await sent('5', 800, ['placed', { reference: 'BUD-API-5' }])
    const gauges = await readOf(store)
    const counts = ['queued', 'sending', 'unconfirmed', 'review', 'placed'].map((placement) =>
      gauges.get(`bundlegram_orders ${placement}`),
    )
    expect(counts).toEqual([1, 1, 2, 0, 1])
    expect(gauges.get('bundlegram_open_order_age_seconds queued')).toBe(50)
    expect(gauges.get('bundlegram_open_order_age_seconds sending')).toBe(20)
    expect(gauges.get('bundlegram_open_order_age_seconds unconfirmed')).toBe(700)
  })

  test('count an order in review as open only until its person has decided', async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const lost = ['unconfirmed', { reason: 'timeout' }] as const
    const sending = ['sending', { leaseToken: 't', sentAt: ago(900) }] as const
    await addOrder(store, { id: '1', accountId: 'a', now }, [sending, lost, ['review', { reason: null }]])
    await addOrder(store, { id: '2', accountId: 'a', now }, [
      sending,
      lost,
      ['review', { reason: 'ambiguous' }],
    ])
    const judged = { reason: 'charged_by_person' as const }
    await addOrder(store, { id: '3', accountId: 'a', now }, [sending, lost, ['review', judged]])
    const gauges = await readOf(store)
    expect(gauges.get('bundlegram_orders review')).toBe(3)
    expect(gauges.get('bundlegram_open_orders review')).toBe(2)
  })
})

test('the gauge of waiting callbacks shows the age of the oldest one', async () => {
  const store = await newStore()
  const callback = { reference: 'r', status: 'delivered', phone: null, deliveredAt: null, timestamp: null }
  const arrived = (name: string, at: Date) => statusReportOf('1', Buffer.from(name), callback as never, at)
  await store.statusReports.insert([arrived('a', ago(40)), arrived('b', ago(30)), arrived('c', ago(10))])
  const [first] = await store.statusReports.unapplied(0, 1)
  await store.statusReports.setDisposition([first?.id ?? 0], 'foreign', now)
  const gauges = await readOf(store)
  expect(gauges.get('bundlegram_callbacks_unapplied')).toBe(2)
  expect(gauges.get('bundlegram_callback_lag_seconds')).toBe(30)
})

describe('the gauge of waiting notices', () => {
  const lagOf = async (store: Store) => (await readOf(store)).get('bundlegram_notice_lag_seconds')

  test('shows the age of the oldest notice that could be sent', async () => {
    const store = await newStore()
    await store.notices.enqueue(1, cardOf('p'), ago(60))
    await store.notices.enqueue(2, cardOf('p'), ago(90))
    expect(await lagOf(store)).toBe(90)
    expect((await readOf(store)).get('bundlegram_notices_owed')).toBe(2)
  })

  test('keeps growing while Telegram accepts nothing and notices are postponed', async () => {
    const store = await newStore()
    const id = await store.notices.enqueueDirectly(1, cardOf('p'), ago(600))
    await store.notices.putOff([id], new Date(now.getTime() + 60_000), true)
    expect(await lagOf(store)).toBe(600)
  })

  test('ignores muted chats, notices that were set aside, and quiet hours until these are over', async () => {
    const store = await newStore()
    await store.notices.enqueue(1, cardOf('p'), ago(600))
    await store.chats.mute(1, now)
    const aside = await store.notices.enqueueDirectly(2, cardOf('p'), ago(500))
    await store.notices.setAside([aside], now)
    await store.notices.enqueue(3, cardOf('p'), ago(400), null, new Date(now.getTime() + 1))
    expect(await lagOf(store)).toBe(0)
    await store.notices.enqueue(4, cardOf('p'), ago(28_800), null, ago(7))
    expect(await lagOf(store)).toBe(7)
    expect((await readOf(store)).get('bundlegram_notices_set_aside')).toBe(1)
  })
})

test('the gauge of the request budget shows, for each window, the account with the least left', async () => {
  const store = await newStore()
  for (const at of [1, 2, 3].map(ago)) await store.requests.countIfRoom('a', at, [])
  for (let made = 0; made < 29; made += 1) await store.requests.countIfRoom('b', ago(30), [])
  for (let made = 0; made < 5; made += 1) await store.requests.countIfRoom('a', ago(7_200), [])
  const gauges = await readOf(store)
  expect(gauges.get('bundlegram_provider_budget_left_ratio minute')).toBe(0.5)
  expect(gauges.get('bundlegram_provider_budget_left_ratio hour')).toBeCloseTo(1 - 29 / 495)
  expect(gauges.get('bundlegram_provider_budget_left_ratio day')).toBeCloseTo(1 - 29 / 4990)
})

test('the gauge of the pause shows one while an operator has paused new orders', async () => {
  const store = await newStore()
  const pausedOf = async () => (await readOf(store)).get('bundlegram_orders_paused')
  await beginMaintenance(store, {}, now)
  expect(await pausedOf()).toBe(1)
  await endMaintenance(store)
  expect(await pausedOf()).toBe(0)
})

test('the gauges count accounts, and those that the provider refuses or rate-limits', async () => {
  const store = await newStore()
  for (const id of ['a', 'b', 'c', 'd']) await addAccount(store, id, now)
  for (const id of ['a', 'c']) await store.accounts.suspect(id, now)
  await store.accounts.markRefused('a', now)
  await store.accounts.freeze('b', new Date(now.getTime() + 1_000))
  await store.accounts.freeze('c', ago(1))
  await store.accounts.erase('d')
  const gauges = await readOf(store)
  const names = ['accounts', 'accounts_unauthorized', 'accounts_frozen']
  expect(names.map((name) => gauges.get(`bundlegram_${name}`))).toEqual([3, 1, 1])
})

test('the gauges of a process show its leases, Telegram connection, database connections and disk', async () => {
  const registry = localGauges({
    database: 'postgresql',
    leases: { worker: () => true, other: () => false },
    telegramTrouble: () => 'Telegram answers 401',
    connections: () => ({ total: 5, idle: 3, waiting: 0 }),
    freeSpace: { bytes: () => 90_000_000, isShort: () => true },
  })
  expect([...(await valuesIn(registry))]).toEqual([
    ['bundlegram_lease_held worker', 1],
    ['bundlegram_lease_held other', 0],
    ['bundlegram_telegram_connected', 0],
    ['bundlegram_database_connections total', 5],
    ['bundlegram_database_connections idle', 3],
    ['bundlegram_database_connections waiting', 0],
    ['bundlegram_disk_free_bytes', 90_000_000],
    ['bundlegram_disk_short', 1],
  ])
  const build = `version="${version}",node="${process.version}",database="postgresql"`
  expect(await registry.metrics()).toContain(`bundlegram_build_info{${build}} 1\n`)
})

test('the metrics show neither the connections of a SQLite database nor the disk space of a server database', async () => {
  const registry = localGauges({
    database: 'sqlite',
    leases: {},
    telegramTrouble: () => null,
    connections: () => null,
    freeSpace: { bytes: () => null, isShort: () => false },
  })
  expect([...(await valuesIn(registry)).keys()]).toEqual([
    'bundlegram_telegram_connected',
    'bundlegram_disk_short',
  ])
})
