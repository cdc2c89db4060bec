import { placements } from '../journal/placement.ts'
import { maintenanceOf } from '../orders/maintenance.ts'
import type { WholeStore } from '../store/store.ts'
import { windows } from '../wallets/budget.ts'
import { type Family, gauge } from './counting.ts'

/** The sources of `readGauges`. */
export interface GaugeSources {
  store: Pick<WholeStore, 'orders' | 'notices' | 'backlog' | 'chats'>
  /** The parts that are not ready yet, in words; empty if all are. */
  notReady: () => Promise<string[]>
  now: () => Date
}

/**
 * Reads how much waits and how long, how many orders are at each placement, and the part of the provider's limits that
 * is left, over all accounts. It makes a dozen queries, each answered by an index.
 * @throws if the database does not answer.
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

interface GaugeCounts {
  /** By the name of each lease, whether this instance holds it. */
  leases: Readonly<Record<string, () => boolean>>
  /** Why the bot cannot use Telegram, in words; null if it can. */
  telegramTrouble: () => string | null
  /** The pool of connections; null for the embedded database. */
  connections: () => { total: number; idle: number; waiting: number } | null
  /** The free space on the disk of the embedded database. */
  freeSpace: { bytes: () => number | null; isShort: () => boolean }
}

/** Gauges that this instance reads without a query: leases, Telegram, connections, the disk. */
export const standing = ({ leases, telegramTrouble, connections, freeSpace }: GaugeCounts): Family[] => [
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

/** The gauges in place of those of `readGauges` if the database does not answer in time. */
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

/** One value, not one for each account: there may be thousands, and the account with the least left matters. */
const budgetLeft = async ({ backlog }: Store, at: Date): Promise<Family> => {
  const left = windows.map(async ({ lengthMs, limit }, index) => {
    const made = await backlog.maxRequests(new Date(at.getTime() - lengthMs))
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

/** Seconds; 0 if there is no such time. */
export const ageOf = (since: Date | null, at: Date): number =>
  since === null ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1000)
