import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/database.ts'
import { createTracker } from '../../src/orders/tracker.ts'
import { eventOf } from '../../src/relay/inbox.ts'
import type { HistoryQuery } from '../../src/store/history.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { NoWallet, type Wallets } from '../../src/wallets/wallets.ts'
import { type Figure, median } from './figure.ts'
import { accountOf, fill, filledOrders } from './fill.ts'

const sizes = [1_000, 100_000, 1_000_000] as const
const runs = 30
const page = 9
const goal = { ratioUnder: 1.5 }

/** The bot's constant work in a database that grows: each must cost the same with many orders as with few. */
export const growth = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-bench-'))
  const path = join(folder, 'bundlegram.db')
  try {
    await (await openDatabase(`file:${path}`)).close()
    const times: Record<Work, number>[] = []
    let from = 0
    for (const to of sizes) {
      fill(path, { from, to, now: new Date(), due: true })
      from = to
      times.push(await timesOf(path))
    }
    const [few, ...grown] = times
    return (Object.keys(words) as Work[]).flatMap((work) =>
      grown.map((many, index) => figureOf(work, sizes[index + 1] ?? 0, many[work], few?.[work] ?? 0)),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Work = 'callback' | 'orders' | 'due'

const words: Record<Work, string> = {
  callback: 'a callback stored, then applied',
  orders: 'a page of /orders read',
  due: 'all that is due looked for, once',
}

const figureOf = (work: Work, orders: number, bot: number, baseline: number): Figure => ({
  what: `${words[work]}, ${orders.toLocaleString('en')} orders`,
  unit: 'ms',
  bot,
  baseline,
  against: 'the same with 1,000 orders',
  goal,
})

const timesOf = async (path: string): Promise<Record<Work, number>> => {
  const database = await openDatabase(`file:${path}`)
  const store = createStore(database)
  try {
    return {
      callback: await timeOf(callbacks(store, path)),
      orders: await timeOf(() => store.history.page(allOf(accountOf(0)), 0, page)),
      due: await timeOf(() => lookForWork(store)),
    }
  } finally {
    await database.close()
  }
}

const allOf = (accountId: string): HistoryQuery => ({
  accountId,
  userId: null,
  state: 'all',
  since: null,
  network: null,
  search: null,
})

/** The middle one of many runs, ms. */
const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < runs * 2; run += 1) {
    const startedAt = performance.now()
    await work()
    // The first half warms up.
    if (run >= runs) times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** Each is the first callback about an order of its own. */
const callbacks = (store: Store, path: string): (() => Promise<void>) => {
  const tracker = createTracker({
    store,
    wallets: noWallets,
    mayWork: () => true,
    now: () => new Date(),
    log: pino({ enabled: false }),
    onNotice: () => {},
    onEnded: () => {},
    onPlaced: () => {},
    onPollDue: () => {},
  })
  const orders = filledOrders(path, 2 * runs)
  return async () => {
    const order = orders.pop()
    if (!order) throw new Error('There are not enough orders.')
    const callback = {
      event: null,
      reference: order.reference,
      status: 'refunded',
      network: null,
      volume: null,
      phone: null,
      deliveredAt: null,
      timestamp: null,
    }
    await store.events.insert([eventOf(order.id, Buffer.from(randomUUID()), callback, new Date())])
    await tracker.applyCallbacks()
  }
}

const noWallets: Wallets = {
  clientFor: () => {
    throw new NoWallet()
  },
  ask: () => Promise.reject(new NoWallet()),
  verify: () => Promise.reject(new NoWallet()),
  verifyDue: () => Promise.reject(new NoWallet()),
  probe: () => {
    throw new NoWallet()
  },
}

/** The query of each loop. */
const lookForWork = async (store: Store): Promise<void> => {
  const now = new Date()
  await store.orders.leaseEnded(now, 100)
  await store.orders.dueToSend(now, 200)
  await store.orders.dueToPoll(now, 200)
  await store.orders.dueToSettle(now, 500)
  await store.accounts.dueToVerify(now, 20)
  await store.notices.dueChats(now, 1_000)
  await store.purchases.overdueDrafts(now, 100)
  await store.events.unapplied(0, 16)
}
