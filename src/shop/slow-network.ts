import type { DeliveryTime, OpenSince } from '../store/shop/tallies.ts'
import { percentileOf } from './delivery-pace.ts'

/** In ms. How far back orders show a network's present speed, and how far back its usual speed (its habit). */
export const [recentMs, habitMs] = [3 * 60 * 60_000, 14 * 24 * 60 * 60_000]

/** With fewer deliveries than these in either time, nothing is known about a network. */
const [fewestRecent, fewestOfHabit] = [8, 30]

/**
 * A network becomes slow if it takes more than `begins` times as long as usual. It stays slow until it takes less than
 * `ends` times as long.
 */
const [begins, ends] = [3, 2]

/** A network that delivers within this time is never slow. */
const slowSeconds = 10 * 60

/** How fast a network is now, compared with its habit. Both times are medians. */
export interface Slowness {
  isSlow: boolean
  nowSeconds: number
  usualSeconds: number
}

/**
 * Whether a network is slow. The age of an open order counts like a delivery time, but only once it is slow: before
 * that, nobody knows how long the order will take.
 * @param habit the network's delivery times of the last `habitMs`.
 * @param recent those of the last `recentMs`.
 * @param open its orders of the last `recentMs` that are still on their way.
 * @param wasSlow what was found the last time.
 * @returns null if there are too few orders to know
 */
export const slownessOf = (
  {
    habit,
    recent,
    open,
    wasSlow,
  }: {
    habit: readonly DeliveryTime[]
    recent: readonly DeliveryTime[]
    open: readonly OpenSince[]
    wasSlow: boolean
  },
  now: Date,
): Slowness | null => {
  const usualSeconds = percentileOf(habit, 50)
  if (usualSeconds === null || countOf(habit) < fewestOfHabit) return null
  const slowFrom = Math.max(begins * usualSeconds, slowSeconds)
  const ages = open.map(({ placedAt }) => ({ seconds: secondsSince(placedAt, now), count: 1 }))
  const times = [...recent, ...ages.filter(({ seconds }) => seconds > slowFrom)]
  const nowSeconds = percentileOf(times, 50)
  if (nowSeconds === null || countOf(times) < fewestRecent) return null
  const isOver = nowSeconds < Math.max(ends * usualSeconds, slowSeconds)
  return { isSlow: wasSlow ? !isOver : nowSeconds > slowFrom, nowSeconds, usualSeconds }
}

const countOf = (times: readonly Pick<DeliveryTime, 'count'>[]): number =>
  times.reduce((total, { count }) => total + count, 0)

const secondsSince = (at: Date, now: Date): number => Math.floor((now.getTime() - at.getTime()) / 1_000)
