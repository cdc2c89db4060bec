import { isAhead } from '../domain/ahead.ts'
import type { Room, Usage } from '../store/accounts/requests.ts'
import type { Queries } from '../store/store.ts'

/**
 * The provider's limits for one API key (API §8), as sliding windows, and who may use how much of them.
 *
 * | what for | may fill a window to |
 * |---|---|
 * | `order` | all of it |
 * | `reconciling` | 95 %: orders always get through |
 * | `person` (who waits for an answer) | 80 %: the 15 % between are kept for reconciling |
 * | `polling` | 60 %: it yields to what is above |
 * | `reading` (the further pages of a long wallet) | 50 %: however long it is, there is room for all else |
 * | `price` (again before a send) | 50 %: beyond that, a price of the last minute serves |
 *
 * Each request is a row, so the count survives a restart and is shared by all that call for the account.
 */
export type Purpose = 'order' | 'reconciling' | 'person' | 'polling' | 'reading' | 'price'

interface Window {
  lengthMs: number
  /** A little below the provider's number: its clock is not ours, and requests may arrive bunched. */
  limit: number
}

const minute = 60_000

/** The provider's limits as windows, each a little below the provider's number (API §8). */
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

/** How many requests a window may hold after one more for that purpose. */
export const roomFor = (purpose: Purpose, { limit }: Window): number => Math.floor(limit * shares[purpose])

/** Whether the account has used half of a window. Prices are read less often then. */
export const isHalfUsed = async (
  { requests }: Pick<Queries, 'requests'>,
  accountId: string,
  now: Date,
): Promise<boolean> => {
  return isHalf(await requests.countsSince(accountId, windowStarts(now)))
}

/** The same where the requests of each window were counted already. */
export const isHalf = (made: readonly number[]): boolean =>
  windows.some(({ limit }, index) => (made[index] ?? 0) >= limit / 2)

/** When each window began. */
export const windowStarts = (now: Date): Date[] =>
  windows.map(({ lengthMs }) => new Date(now.getTime() - lengthMs))

const maxWindowMs = 24 * 60 * minute

/**
 * Forgets requests that count in no window: older ones, and those that a clock made which ran ahead and was set right
 * since. The provider refuses what is too much then.
 */
export const forgetRequests = ({ requests }: Pick<Queries, 'requests'>, now: Date): Promise<void> =>
  requests.keepBetween(new Date(now.getTime() - maxWindowMs), new Date(now.getTime() + minute))

/** The room of each window for that purpose. */
export const roomsFor = (purpose: Purpose, now: Date): Room[] => {
  const starts = windowStarts(now)
  return windows.map((window, index) => ({ since: starts[index] ?? now, most: roomFor(purpose, window) }))
}

/** Whether there is room for a request, as far as was read: for a transaction that has the account. */
export const hasRoom = (purpose: Purpose, { counts, frozenUntil }: Readonly<Usage>, now: Date): boolean =>
  !(frozenUntil && isAhead(frozenUntil, 'frozenUntil', now)) &&
  windows.every((window, index) => (counts[index] ?? 0) < roomFor(purpose, window))

/**
 * Counts a request if every window has room for it.
 * @returns 0, or the milliseconds until there is room.
 */
export const claimRequest = async (
  queries: Pick<Queries, 'requests'>,
  accountId: string,
  purpose: Purpose,
  now: Date,
): Promise<number> =>
  (await queries.requests.claim(accountId, now, roomsFor(purpose, now)))
    ? 0
    : waitForRoom(queries, accountId, purpose, now)

/** The milliseconds until a request that was refused would be counted, at least 1. */
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
