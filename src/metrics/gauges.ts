import { Gauge, Registry } from 'prom-client'
import { version } from '../base/installation.ts'
import { placements } from '../domain/order/placement.ts'
import { maintenanceOf } from '../orders/permission/switches.ts'
import type { Store } from '../store/store.ts'
import { windows } from '../wallets/budget.ts'

export interface GaugeSources {
  store: Pick<Store, 'orders' | 'notices' | 'backlog' | 'facts'>
  /** The parts that are not ready yet, in words. */
  notReady: () => Promise<string[]>
  now: () => Date
}

/**
 * Reads how much work is waiting and for how long, how many orders have each placement, and how much of the
 * provider's request limits is left, over all accounts. Makes about a dozen queries, each answered by an index.
 * @throws if the database does not answer
 */
export const readGauges = async ({ store, notReady, now }: GaugeSources): Promise<Registry> => {
  const figures = createFigures()
  const at = now()
  tellReady(figures, (await notReady()).length === 0)
  figures.gauge(
    'bundlegram_orders_paused',
    'Whether an operator has paused new orders.',
    Number((await maintenanceOf(store)) !== null),
  )
  await tellOrders(figures, store, at)
  await tellCallbacks(figures, store, at)
  await tellNotices(figures, store, at)
  await tellBudgetLeft(figures, store, at)
  await tellAccounts(figures, store, at)
  return figures.registry
}

/** Creates gauges that are set once, when they are created. */
const createFigures = () => {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    gauge: (name: string, help: string, value: number): void =>
      new Gauge({ name, help, registers }).set(value),
    /** A gauge with one value for each value of its label. */
    gaugeBy: (
      name: string,
      help: string,
      label: string,
      values: readonly (readonly [string, number])[],
    ): void => {
      const gauge = new Gauge({ name, help, labelNames: [label], registers })
      for (const [of, value] of values) gauge.set({ [label]: of }, value)
    },
  }
}

type Figures = ReturnType<typeof createFigures>

interface GaugeCounts {
  database: string
  leases: Readonly<Record<string, () => boolean>>
  telegramTrouble: () => string | null
  /** The connection pool; null for SQLite. */
  connections: () => { total: number; idle: number; waiting: number } | null
  /** The free space on SQLite's disk; null if it is not known. */
  freeSpace: { bytes: () => number | null; isShort: () => boolean }
}

/** Gauges that need no query: the version, leases, Telegram, connections, the disk. */
export const localGauges = ({
  database,
  leases,
  telegramTrouble,
  connections,
  freeSpace,
}: GaugeCounts): Registry => {
  const { registry, gauge, gaugeBy } = createFigures()
  const build = { version, node: process.version, database }
  new Gauge({
    name: 'bundlegram_build_info',
    help: 'The versions of each instance; always 1.',
    labelNames: Object.keys(build),
    registers: [registry],
  }).set(build, 1)
  gaugeBy(
    'bundlegram_lease_held',
    'Whether this instance holds the lease.',
    'lease',
    Object.entries(leases).map(([lease, isHeld]) => [lease, Number(isHeld())]),
  )
  gauge(
    'bundlegram_telegram_connected',
    'Whether the instance can use Telegram.',
    Number(telegramTrouble() === null),
  )
  gaugeBy(
    'bundlegram_database_connections',
    'Database connections: open ones, idle ones among these, and queries that wait for one.',
    'state',
    Object.entries(connections() ?? {}),
  )
  const freeBytes = freeSpace.bytes()
  if (freeBytes !== null) gauge('bundlegram_disk_free_bytes', 'Free bytes on the disk of SQLite.', freeBytes)
  gauge(
    'bundlegram_disk_short',
    'Whether that disk is nearly full, so that no new orders or lists are accepted.',
    Number(freeSpace.isShort()),
  )
  return registry
}

/** Replaces the gauges of `readGauges` if the database does not answer in time. */
export const withoutDatabase = (): Registry => {
  const figures = createFigures()
  tellReady(figures, false)
  return figures.registry
}

const tellReady = ({ gauge }: Figures, ready: boolean): void =>
  gauge('bundlegram_ready', 'Whether /readyz says that the bot is ready.', Number(ready))

type Read = GaugeSources['store']

const tellOrders = async ({ gaugeBy }: Figures, { orders, backlog }: Read, at: Date): Promise<void> => {
  const counts = new Map((await orders.countByPlacement()).map((each) => [each.placement, each.count]))
  const open = await backlog.openOrders()
  gaugeBy(
    'bundlegram_orders',
    'Orders by placement.',
    'placement',
    placements.map((placement) => [placement, counts.get(placement) ?? 0]),
  )
  gaugeBy(
    'bundlegram_open_orders',
    'Orders that have not ended, by placement, without those that their person has judged.',
    'placement',
    open.map(({ placement, count }) => [placement, count]),
  )
  gaugeBy(
    'bundlegram_open_order_age_seconds',
    'Age of the oldest open order by placement: since it was confirmed if it is queued, otherwise since it was sent.',
    'placement',
    open.map(({ placement, oldest }) => [placement, ageOf(oldest, at)]),
  )
}

const tellCallbacks = async ({ gauge }: Figures, { backlog }: Read, at: Date): Promise<void> => {
  const { count, oldest } = await backlog.callbacks()
  gauge('bundlegram_callbacks_unapplied', 'Stored callbacks that are not applied yet.', count)
  gauge(
    'bundlegram_callback_lag_seconds',
    'Age of the oldest callback that is not applied yet.',
    ageOf(oldest, at),
  )
}

const tellNotices = async ({ gauge }: Figures, { notices, backlog }: Read, at: Date): Promise<void> => {
  gauge(
    'bundlegram_notices_owed',
    'Queued messages, including those that wait for a muted chat or the end of quiet hours.',
    await notices.count(),
  )
  gauge(
    'bundlegram_notice_lag_seconds',
    'Age of the oldest message that could be sent now.',
    ageOf(await backlog.oldestNotice(at), at),
  )
  gauge(
    'bundlegram_notices_set_aside',
    'Messages that Telegram refuses and that were given up.',
    await backlog.noticesSetAside(),
  )
}

const windowNames = ['minute', 'hour', 'day']

/** One value for all accounts together: there may be thousands, and only the one with the least left matters. */
const tellBudgetLeft = async ({ gaugeBy }: Figures, { backlog }: Read, at: Date): Promise<void> => {
  const left = windows.map(async ({ lengthMs, limit }, index) => {
    const made = await backlog.maxRequests(new Date(at.getTime() - lengthMs))
    return [windowNames[index] ?? '', Math.max(0, 1 - made / limit)] as const
  })
  gaugeBy(
    'bundlegram_provider_budget_left_ratio',
    'The part of the request limit that is left to the account with the least left, by window.',
    'window',
    await Promise.all(left),
  )
}

const tellAccounts = async ({ gauge }: Figures, { backlog }: Read, at: Date): Promise<void> => {
  const { connected, unauthorized, frozen } = await backlog.accounts(at)
  gauge('bundlegram_accounts', 'Accounts with credentials.', connected)
  gauge('bundlegram_accounts_unauthorized', 'Accounts whose credentials the provider refuses.', unauthorized)
  gauge(
    'bundlegram_accounts_frozen',
    'Accounts whose requests the provider refuses for a while (429).',
    frozen,
  )
}

/** Seconds since a time; 0 if it is null or in the future. */
const ageOf = (since: Date | null, at: Date): number =>
  since === null ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1000)
