import type { Order } from '../domain/order/order.ts'
import { isTerminal } from '../domain/order/status.ts'
import type { DeliveryTime, TallyStore } from '../store/shop/tallies.ts'

/**
 * How long a network's deliveries take at present: half of them at most the median, nine in ten at most
 * `mostSeconds`.
 */
export interface DeliveryPace {
  network: string
  medianSeconds: number
  /** The 90th percentile. */
  mostSeconds: number
}

/** How far back deliveries say something about the present. */
const recentMs = 6 * 60 * 60_000

/** Fewer deliveries say nothing about a network. */
const fewest = 8

/**
 * How long an order that is on its way may take, from the account's own deliveries on its network in the last hours;
 * null if there are too few of them.
 */
export const paceFor = async (
  tallies: Pick<TallyStore, 'deliveryTimes'>,
  { accountId, network, placement, status }: Pick<Order, 'accountId' | 'network' | 'placement' | 'status'>,
  now: Date,
): Promise<DeliveryPace | null> => {
  if (placement !== 'placed' || isTerminal(status)) return null
  const whose = { accountId, userId: null, prices: 'cost' } as const
  const span = { from: new Date(now.getTime() - recentMs), to: now }
  return paceOf(network, await tallies.deliveryTimes(whose, span))
}

/**
 * The pace of one network; null if there are too few deliveries.
 * @param times may include other networks.
 */
export const paceOf = (network: string, times: readonly DeliveryTime[]): DeliveryPace | null => {
  const own = times.filter((time) => time.network === network)
  if (countOf(own) < fewest) return null
  const [medianSeconds, mostSeconds] = [percentileOf(own, 50), percentileOf(own, 90)]
  return medianSeconds === null || mostSeconds === null ? null : { network, medianSeconds, mostSeconds }
}

type Time = Pick<DeliveryTime, 'seconds' | 'count'>

const countOf = (times: readonly Time[]): number => times.reduce((total, { count }) => total + count, 0)

/** The shortest time within which that percentage was delivered; null if there are no times. */
export const percentileOf = (times: readonly Time[], percent: number): number | null => {
  const enough = (countOf(times) * percent) / 100
  let passed = 0
  for (const { seconds, count } of times.toSorted((a, b) => a.seconds - b.seconds)) {
    passed += count
    if (passed >= enough) return seconds
  }
  return null
}
