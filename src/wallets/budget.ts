import { isAhead } from '../domain/times/ahead.ts'
import type { Room } from '../store/accounts/requests.ts'
import type { Queries } from '../store/store.ts'

/**
 * The provider's limits for one API key (API §8), as sliding windows, and how much of them each purpose may use.
 *
 * | purpose | may fill a window to |
 * |---|---|
 * | `order` | 100 % |
 * | `reconciling` | 95 %: the rest is kept for orders |
 * | `person` (who waits for an answer) | 80 %: the next 15 % are kept for reconciling |
 * | `polling` | 60 %: it gives way to the purposes above |
 * | `reading` (the later pages of a long wallet) | 50 %: however long the wallet is, there is room for everything else |
 * | `price` (read again before a send) | 50 %: beyond that, a price of the last minute is used |
 *
 * Each request is a row, so the count survives a restart, and all requests for the account are counted together.
 */
export type Purpose = 'order' | 'reconciling' | 'person' | 'polling' | 'reading' | 'price'

interface Window {
  lengthMs: number
  /** A little below the provider's number, because its clock differs from ours, and requests may arrive in bursts. */
  limit: number
}

const minute = 60_000

export const windows: readonly Window[] = [
  { lengthMs: minute, limit: 58 },
  { lengthMs: 60 * minute, limit: 495 },
  { lengthMs: 24 * 60 * minute, limit: 4_990 },
]

const shares: Record<Purpose, number> = {
  order: 1,
  reconciling: 0.95,
  person: 0.8,
  polling: 0.6,
  reading: 0.5,
  price: 0.5,
}

/** The number of requests up to which the purpose may fill the window. */
export const roomFor = (purpose: Purpose, { limit }: Window): number => Math.floor(limit * shares[purpose])

/** Whether the account has used half of one of its windows. From then on, prices are read less often. */
export const isHalfUsed = async (
  { requests }: Pick<Queries, 'requests'>,
  accountId: string,
  now: Date,
): Promise<boolean> => {
  const made = await requests.countsSince(accountId, windowStarts(now))
  return windows.some(({ limit }, index) => (made[index] ?? 0) >= limit / 2)
}

const windowStarts = (now: Date): Date[] => windows.map(({ lengthMs }) => new Date(now.getTime() - lengthMs))

const maxWindowMs = 24 * 60 * minute

/**
 * Deletes requests that no window counts: old ones, and those whose time is in the future because the clock was wrong.
 * If this ever deletes too many, the provider answers 429.
 */
export const forgetRequests = ({ requests }: Pick<Queries, 'requests'>, now: Date): Promise<void> =>
  requests.keepBetween(new Date(now.getTime() - maxWindowMs), new Date(now.getTime() + minute))

export const roomsFor = (purpose: Purpose, now: Date): Room[] => {
  const starts = windowStarts(now)
  return windows.map((window, index) => ({ since: starts[index] ?? now, most: roomFor(purpose, window) }))
}

/**
 * Counts a request if every window has room for it.
 * @returns 0, or the milliseconds until there is room
 */
export const countRequest = async (
  queries: Pick<Queries, 'requests'>,
  accountId: string,
  purpose: Purpose,
  now: Date,
): Promise<number> =>
  (await queries.requests.countIfRoom(accountId, now, roomsFor(purpose, now)))
    ? 0
    : waitForRoom(queries, accountId, purpose, now)

/** How long a refused request has to wait for room, in ms, at least 1. */
export const waitForRoom = async (
  queries: Pick<Queries, 'requests'>,
  accountId: string,
  purpose: Purpose,
  now: Date,
): Promise<number> => {
  const { counts, frozenUntil } = await queries.requests.usageSince(accountId, windowStarts(now))
  if (frozenUntil && isAhead(frozenUntil, 'frozenUntil', now)) return frozenUntil.getTime() - now.getTime()
  const waits = await Promise.all(
    windows.map((window, index) =>
      waitFor(queries, accountId, { window, room: roomFor(purpose, window), made: counts[index] ?? 0 }, now),
    ),
  )
  return Math.max(1, ...waits)
}

const waitFor = async (
  { requests }: Pick<Queries, 'requests'>,
  accountId: string,
  { window: { lengthMs }, room, made }: { window: Window; room: number; made: number },
  now: Date,
): Promise<number> => {
  if (made < room) return 0
  const leaving = await requests.nthSince(accountId, new Date(now.getTime() - lengthMs), made - room)
  return leaving === null ? 0 : Math.max(1, leaving.getTime() + lengthMs - now.getTime())
}
