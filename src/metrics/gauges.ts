import { windows } from '../accounts/budget.ts'
import { maintenanceOf } from '../orders/maintenance.ts'
import { placements } from '../orders/placement.ts'
import type { WholeStore } from '../store/store.ts'
import { type Family, gauge } from './counting.ts'

/** Where the values are read that are not counted but stand somewhere. */
export interface GaugeSources {
  store: Pick<WholeStore, 'orders' | 'notices' | 'backlog' | 'chats'>
  /** What is not ready yet; empty when all is. */
  notReady: () => Promise<string[]>
  now: () => Date
}

/**
 * How much waits and how long, how the orders stand, what is left of the provider's limits: a dozen queries, each out of
 * an index, all accounts together.
 * @throws where the database does not answer.
 */
export const readGauges = async ({ store, notReady, now }: GaugeSources): Promise<Family[]> => {
  const at = now()
  const ready = (await notReady()).length === 0
  return [
    isReady(ready),
    gauge(
      'bundlegram_orders_paused',
      'Whether an operator has paused new orders.',
      Number((await maintenanceOf(store)) !== null),
    ),
    ...(await orders(store, at)),
    ...(await callbacks(store, at)),
    ...(await notices(store, at)),
    await budgetLeft(store, at),
    ...(await accounts(store, at)),
  ]
}

interface Standing {
  /** What only one instance does at a time, by name, and whether it is this one. */
  leases: Readonly<Record<string, () => boolean>>
  /** What stands in the way of Telegram. */
  telegramTrouble: () => string | null
  /** Of a database with a pool of connections. */
  connections: () => { total: number; idle: number; waiting: number } | null
  /** Of the disk of the embedded database. */
  freeSpace: { bytes: () => number | null; isShort: () => boolean }
}

/** What this instance knows without asking anybody. */
export const standing = ({ leases, telegramTrouble, connections, freeSpace }: Standing): Family[] => [
  gauge(
    'bundlegram_lease_held',
    'Whether this instance does what only one may do at a time.',
    Object.entries(leases).map(([lease, isHeld]) => ({ labels: { lease }, value: Number(isHeld()) })),
  ),
  gauge(
    'bundlegram_telegram_connected',
    'Whether nothing stands in the way of Telegram.',
    Number(telegramTrouble() === null),
  ),
  gauge(
    'bundlegram_database_connections',
    'Connections to the database that are open, those of them that are idle, and who waits for one.',
    Object.entries(connections() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  ),
  gauge(
    'bundlegram_disk_free_bytes',
    'What is free on the disk of the embedded database.',
    [freeSpace.bytes()].flatMap((value) => (value === null ? [] : [{ labels: {}, value }])),
  ),
  gauge(
    'bundlegram_disk_short',
    'Whether that disk is nearly full, so that no new orders or lists are taken.',
    Number(freeSpace.isShort()),
  ),
]

/** What is said where the database does not answer in time. */
export const withoutDatabase = (): Family[] => [isReady(false)]

const isReady = (ready: boolean): Family =>
  gauge('bundlegram_ready', 'Whether /readyz says that the bot is ready.', Number(ready))

type Store = GaugeSources['store']

const orders = async ({ orders, backlog }: Store, at: Date): Promise<Family[]> => {
  const counts = new Map((await orders.countByPlacement()).map((each) => [each.placement, each.count]))
  const open = await backlog.openOrders()
  return [
    gauge(
      'bundlegram_orders',
      'Orders by placement.',
      placements.map((placement) => ({ labels: { placement }, value: counts.get(placement) ?? 0 })),
    ),
    gauge(
      'bundlegram_open_orders',
      'Orders whose end is not known by placement, without those that their person has judged.',
      open.map(({ placement, count }) => ({ labels: { placement }, value: count })),
    ),
    gauge(
      'bundlegram_open_order_age_seconds',
      'How long the oldest open order by placement waits: queued since it was confirmed, else since it was sent.',
      open.map(({ placement, oldest }) => ({ labels: { placement }, value: ageOf(oldest, at) })),
    ),
  ]
}

const callbacks = async ({ backlog }: Store, at: Date): Promise<Family[]> => {
  const { count, oldest } = await backlog.callbacks()
  return [
    gauge('bundlegram_callbacks_unapplied', 'Stored callbacks that nobody has looked at yet.', count),
    gauge(
      'bundlegram_callback_lag_seconds',
      'How long the oldest callback waits that nobody has looked at yet.',
      ageOf(oldest, at),
    ),
  ]
}

const notices = async ({ notices, backlog }: Store, at: Date): Promise<Family[]> => [
  gauge(
    'bundlegram_notices_owed',
    'Messages owed to chats, with those that wait for a muted chat or the end of quiet hours.',
    await notices.count(),
  ),
  gauge(
    'bundlegram_notice_lag_seconds',
    'How long the oldest message waits that could go now.',
    ageOf(await backlog.oldestNotice(at), at),
  ),
  gauge(
    'bundlegram_notices_set_aside',
    'Messages that Telegram does not take and that are not tried any more.',
    await backlog.noticesSetAside(),
  ),
]

const windowNames = ['minute', 'hour', 'day']

/** Not by account: there may be thousands, and the one that comes to its limit first is what matters. */
const budgetLeft = async ({ backlog }: Store, at: Date): Promise<Family> => {
  const left = windows.map(async ({ lengthMs, limit }, index) => {
    const made = await backlog.mostRequests(new Date(at.getTime() - lengthMs))
    return { labels: { window: windowNames[index] ?? '' }, value: Math.max(0, 1 - made / limit) }
  })
  return gauge(
    'bundlegram_provider_budget_left_ratio',
    'What is left of the limit of requests, by window, to the account that has least left.',
    await Promise.all(left),
  )
}

const accounts = async ({ backlog }: Store, at: Date): Promise<Family[]> => {
  const { connected, unauthorized, frozen } = await backlog.accounts(at)
  return [
    gauge('bundlegram_accounts', 'Accounts with credentials.', connected),
    gauge(
      'bundlegram_accounts_unauthorized',
      'Accounts whose credentials the provider refuses.',
      unauthorized,
    ),
    gauge(
      'bundlegram_accounts_frozen',
      'Accounts that the provider takes no request of for a while.',
      frozen,
    ),
  ]
}

/** Seconds, 0 where there is none. */
const ageOf = (since: Date | null, at: Date): number =>
  since === null ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1000)
