import { type Order, totalPesewas } from '../orders/order.ts'
import { type RecipientState, stateOf } from '../orders/progress.ts'
import { isTerminal } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'
import type { AlikeOrders, BulkOrder, DeliveryTime, Span, Sums, TallyStore, Whose } from '../store/tallies.ts'
import { inAgentPrices } from './agent-prices.ts'

/**
 * What became of the orders of a time, and what they brought. Counted are the numbers that something was ordered for:
 * a bulk order is as many as it has recipients. Sales and profit are those of what was delivered, as in `profit.ts`.
 */
export interface Tally extends Counts {
  /** Charged, less what came back. */
  spentPesewas: Pesewas
  refundedPesewas: Pesewas
  /** What the delivered ones with a selling price were sold for, what they cost, and the difference. */
  salesPesewas: Pesewas
  costPesewas: Pesewas
  profitPesewas: Pesewas
  /** Delivered without a selling price: in none of the three sums. */
  unpriced: number
  /** How many were charged without a price that an agent sees: they are in none of their sums. */
  unseen: number
  /** By how much was delivered, the most first. */
  networks: NetworkTally[]
  /** Half of the deliveries took no longer; null where no time is known. */
  medianSeconds: number | null
}

interface Counts {
  /** All of what follows. What was never placed is not among them. */
  ordered: number
  delivered: number
  /** May still be delivered. */
  open: number
  failed: number
  /** The provider does not tell what became of them. */
  notKnown: number
}

export interface NetworkTally extends Counts {
  network: string
  medianSeconds: number | null
}

/** The tallies of spans that follow one another, and of all of them together. */
export interface Tallies {
  parts: Tally[]
  total: Tally
}

/** What was ordered in a time, and what became of it. */
export const readTally = async (store: TallyStore, whose: Whose, span: Span): Promise<Tally> =>
  tallyOf(whose, [await store.sums(whose, span)], await store.deliveryTimes(whose, span))

/**
 * The same of several spans, each from the end of the one before; delivery times are told of all together alone.
 * Read one after the other: the queries of a long time leave room for others between.
 */
export const readTallies = async (
  store: TallyStore,
  whose: Whose,
  spans: readonly [Span, ...Span[]],
): Promise<Tallies> => {
  const sums: Sums[] = []
  for (const span of spans) sums.push(await store.sums(whose, span))
  const to = spans.at(-1)?.to ?? spans[0].to
  const times = await store.deliveryTimes(whose, { from: spans[0].from, to })
  return { parts: sums.map((each) => tallyOf(whose, [each], [])), total: tallyOf(whose, sums, times) }
}

const tallyOf = ({ prices }: Whose, sums: readonly Sums[], times: readonly DeliveryTime[]): Tally => {
  const shares = sums.flatMap(({ singles, bulks }) => [
    ...singles.map(shareOfAlike),
    ...bulks.map((order) => inAmountsOf(order, prices)),
  ])
  const whole = add(shares)
  return {
    ...whole,
    spentPesewas: (whole.chargedPesewas - whole.refundedPesewas) as Pesewas,
    profitPesewas: (whole.salesPesewas - whole.costPesewas) as Pesewas,
    networks: networksOf(shares, times),
    medianSeconds: medianOf(times),
  }
}

/** What some orders add to a tally. */
interface Share extends Counts {
  network: string
  chargedPesewas: Pesewas
  refundedPesewas: Pesewas
  salesPesewas: Pesewas
  costPesewas: Pesewas
  unpriced: number
  unseen: number
}

const add = (shares: readonly Share[]): Omit<Share, 'network'> => {
  const sum = (name: Exclude<keyof Share, 'network'>) =>
    shares.reduce((total, share) => total + share[name], 0)
  return {
    ...countsOf(shares),
    chargedPesewas: sum('chargedPesewas') as Pesewas,
    refundedPesewas: sum('refundedPesewas') as Pesewas,
    salesPesewas: sum('salesPesewas') as Pesewas,
    costPesewas: sum('costPesewas') as Pesewas,
    unpriced: sum('unpriced'),
    unseen: sum('unseen'),
  }
}

const countsOf = (shares: readonly Counts[]): Counts => {
  const counts = { ordered: 0, delivered: 0, open: 0, failed: 0, notKnown: 0 }
  for (const share of shares) {
    counts.ordered += share.ordered
    counts.delivered += share.delivered
    counts.open += share.open
    counts.failed += share.failed
    counts.notKnown += share.notKnown
  }
  return counts
}

type Fate = 'delivered' | 'open' | 'failed' | 'notKnown' | 'never'

const fateOf = (state: RecipientState): Fate => {
  switch (state.kind) {
    case 'not_known':
      return 'notKnown'
    case 'placement':
      return isPossible(state.placement) ? 'open' : 'never'
    case 'status':
      if (state.status === 'delivered') return 'delivered'
      return isTerminal(state.status) ? 'failed' : 'open'
  }
}

const isPossible = (placement: Order['placement']): boolean =>
  placement === 'queued' || placement === 'sending' || placement === 'unconfirmed' || placement === 'review'

const shareOfAlike = (orders: AlikeOrders): Share => {
  const { placement, status, count, priced } = orders
  const fate = fateOf(
    placement === 'placed'
      ? { kind: 'status', status: status ?? 'processing', reported: false, of: 'order' }
      : { kind: 'placement', placement },
  )
  const isDelivered = fate === 'delivered'
  const isCharged = placement === 'placed'
  return {
    network: orders.network,
    ...fates({ [fate]: count }),
    chargedPesewas: (isCharged ? orders.chargedPesewas : 0) as Pesewas,
    refundedPesewas: (isCharged ? orders.refundedPesewas : 0) as Pesewas,
    salesPesewas: (isDelivered ? orders.salesPesewas : 0) as Pesewas,
    costPesewas: (isDelivered ? orders.pricedChargePesewas : 0) as Pesewas,
    unpriced: isDelivered ? count - priced : 0,
    unseen: isCharged ? orders.unseen : 0,
  }
}

/** What a bulk order adds, charged and paid back in these prices. */
const inAmountsOf = (order: BulkOrder, prices: Whose['prices']): Share => {
  const share = shareOfBulk(order)
  if (prices === 'cost') return share
  const seen = inAgentPrices(order)
  if (seen === null)
    return {
      ...share,
      chargedPesewas: 0 as Pesewas,
      refundedPesewas: 0 as Pesewas,
      unseen: share.chargedPesewas > 0 ? order.quantity : 0,
    }
  const { chargedPesewas, refundedPesewas } = shareOfBulk(seen)
  return { ...share, chargedPesewas, refundedPesewas }
}

const shareOfBulk = (order: BulkOrder): Share => {
  const counted: Partial<Record<Fate, number>> = {}
  for (const { count, ...recipient } of order.recipients) {
    const fate = fateOf(stateOf(order, recipient))
    counted[fate] = (counted[fate] ?? 0) + count
  }
  const { delivered = 0 } = counted
  const { sellUnitPesewas, placement } = order
  const charged = placement === 'placed' ? (order.chargedPesewas ?? totalPesewas(order)) : 0
  const isBack = order.status === 'refunded' && !order.statusReported
  const refunded = Math.max(order.refundedPesewas ?? 0, isBack ? charged : 0)
  const taken = Math.max(1, order.acceptedQuantity ?? order.quantity)
  return {
    network: order.network,
    ...fates(counted),
    chargedPesewas: charged as Pesewas,
    refundedPesewas: (placement === 'placed' ? refunded : 0) as Pesewas,
    salesPesewas: ((sellUnitPesewas ?? 0) * delivered) as Pesewas,
    costPesewas: (sellUnitPesewas === null ? 0 : Math.round((charged * delivered) / taken)) as Pesewas,
    unpriced: sellUnitPesewas === null ? delivered : 0,
    unseen: 0,
  }
}

const fates = ({
  delivered = 0,
  open = 0,
  failed = 0,
  notKnown = 0,
}: Partial<Record<Fate, number>>): Counts => ({
  ordered: delivered + open + failed + notKnown,
  delivered,
  open,
  failed,
  notKnown,
})

const networksOf = (shares: readonly Share[], times: readonly DeliveryTime[]): NetworkTally[] =>
  [...Map.groupBy(shares, ({ network }) => network)]
    .map(([network, own]) => ({
      network,
      ...countsOf(own),
      medianSeconds: medianOf(times.filter((time) => time.network === network)),
    }))
    .filter(({ ordered }) => ordered > 0)
    .sort((a, b) => b.delivered - a.delivered || b.ordered - a.ordered || a.network.localeCompare(b.network))

/** The lower one of the two in the middle where the count is even. */
const medianOf = (times: readonly Pick<DeliveryTime, 'seconds' | 'count'>[]): number | null => {
  const half = times.reduce((total, { count }) => total + count, 0) / 2
  let passed = 0
  for (const { seconds, count } of [...times].sort((a, b) => a.seconds - b.seconds)) {
    passed += count
    if (passed >= half) return seconds
  }
  return null
}
