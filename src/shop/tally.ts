import { chargeKnownOf, chargesOf } from '../domain/debits/charge.ts'
import type { Order } from '../domain/order/order.ts'
import { type RecipientState, stateOf } from '../domain/order/progress.ts'
import { isTerminal } from '../domain/order/status.ts'
import { inAgentPrices } from '../domain/selling/agent-prices.ts'
import { paidFor } from '../domain/selling/shares.ts'
import { minus, type Pesewas, sum, times, zero } from '../provider/money.ts'
import type {
  AlikeOrders,
  BulkOrder,
  DeliveryTime,
  Sums,
  TallySpan,
  TallyStore,
  Whose,
} from '../store/shop/tallies.ts'
import { percentileOf } from './delivery-pace.ts'
import { isDelivered } from './profit.ts'

/**
 * The outcomes and sums of a period's orders. All counts are of recipients: a bulk order counts once for each of its
 * recipients. Sales and profit cover delivered recipients, as in `profit.ts`.
 */
export interface Tally extends Counts {
  /** All charges minus refunds. */
  spentPesewas: Pesewas
  /** Charges that may or may not have happened. They are not included in any other sum. */
  maybePesewas: Pesewas
  refundedPesewas: Pesewas
  /** The selling prices of the delivered recipients that have one, their cost, and the difference. */
  salesPesewas: Pesewas
  costPesewas: Pesewas
  profitPesewas: Pesewas
  /** How many recipients were delivered without a selling price. They are not included in the three sums above. */
  unpriced: number
  /**
   * How many recipients have no price for agents, although they were charged or may have been. They are missing from
   * the sums that an agent sees.
   */
  unseen: number
  /** Most deliveries first. */
  networks: NetworkTally[]
  /** The median delivery time; null if no time is known. */
  medianSeconds: number | null
}

interface Counts {
  /** The sum of the counts below. Orders that were never placed are not counted. */
  ordered: number
  delivered: number
  failed: number
  open: number
  /** Recipients of orders that may or may not have been placed and charged. */
  unconfirmed: number
  /** Recipients whose outcome the provider does not report. */
  notKnown: number
}

/** `medianSeconds` is null if no delivery time is known. */
export interface NetworkTally extends Counts {
  network: string
  medianSeconds: number | null
}

export interface Tallies {
  parts: Tally[]
  total: Tally
}

export const readTally = async (store: TallyStore, whose: Whose, span: TallySpan): Promise<Tally> =>
  tallyOf(whose, [await store.sums(whose, span)], await store.deliveryTimes(whose, span))

/** What was spent in the span; null if the viewer may see none of the prices (`isUnseen`). */
export const readSpent = async (
  store: Pick<TallyStore, 'sums'>,
  whose: Whose,
  span: TallySpan,
): Promise<Spent | null> => {
  const tally = tallyOf(whose, [await store.sums(whose, span)], [])
  return isUnseen(tally) ? null : tally
}

export type Spent = Pick<Tally, 'spentPesewas' | 'refundedPesewas' | 'maybePesewas'>

/** Whether orders were charged, but none of them has a price that the viewer may see. */
export const isUnseen = ({
  unseen,
  spentPesewas,
  refundedPesewas,
  maybePesewas,
}: Spent & Pick<Tally, 'unseen'>): boolean =>
  unseen > 0 && spentPesewas + refundedPesewas + maybePesewas === 0

/**
 * Only the total has delivery times. The spans are read one after the other, so that other queries can run in between.
 */
export const readTallies = async (
  store: TallyStore,
  whose: Whose,
  spans: readonly [TallySpan, ...TallySpan[]],
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
    spentPesewas: minus(whole.chargedPesewas, whole.refundedPesewas),
    profitPesewas: minus(whole.salesPesewas, whole.costPesewas),
    networks: networksOf(shares, times),
    medianSeconds: percentileOf(times, 50),
  }
}

/** What a group of orders adds to a tally. */
interface Share extends Counts {
  network: string
  chargedPesewas: Pesewas
  maybePesewas: Pesewas
  refundedPesewas: Pesewas
  salesPesewas: Pesewas
  costPesewas: Pesewas
  unpriced: number
  unseen: number
}

const add = (shares: readonly Share[]): Omit<Share, 'network'> => {
  const count = (name: 'unpriced' | 'unseen') => shares.reduce((total, share) => total + share[name], 0)
  return {
    ...countsOf(shares),
    chargedPesewas: sum(shares.map(({ chargedPesewas }) => chargedPesewas)),
    maybePesewas: sum(shares.map(({ maybePesewas }) => maybePesewas)),
    refundedPesewas: sum(shares.map(({ refundedPesewas }) => refundedPesewas)),
    salesPesewas: sum(shares.map(({ salesPesewas }) => salesPesewas)),
    costPesewas: sum(shares.map(({ costPesewas }) => costPesewas)),
    unpriced: count('unpriced'),
    unseen: count('unseen'),
  }
}

const countsOf = (shares: readonly Counts[]): Counts => {
  const counts = { ordered: 0, delivered: 0, failed: 0, open: 0, unconfirmed: 0, notKnown: 0 }
  for (const share of shares) {
    counts.ordered += share.ordered
    counts.delivered += share.delivered
    counts.open += share.open
    counts.unconfirmed += share.unconfirmed
    counts.failed += share.failed
    counts.notKnown += share.notKnown
  }
  return counts
}

type Fate = 'delivered' | 'open' | 'unconfirmed' | 'failed' | 'notKnown' | 'never'

const fateOf = (state: RecipientState): Fate => {
  switch (state.kind) {
    case 'not_known':
      return 'notKnown'
    case 'placement':
      return fateOfUnplaced(state.placement)
    case 'status':
      if (state.status === 'delivered') return 'delivered'
      return isTerminal(state.status) ? 'failed' : 'open'
  }
}

const fateOfUnplaced = (placement: Order['placement']): Fate => {
  if (placement === 'queued' || placement === 'sending') return 'open'
  return placement === 'unconfirmed' || placement === 'review' ? 'unconfirmed' : 'never'
}

const shareOfAlike = (orders: AlikeOrders): Share => {
  const { placement, status, count, priced } = orders
  const fate = fateOf(
    placement === 'placed'
      ? { kind: 'status', status: status ?? 'processing', reported: false, of: 'order' }
      : { kind: 'placement', placement },
  )
  const isSold = fate === 'delivered'
  const known = chargeKnownOf(orders)
  const isCharged = known === 'charged'
  return {
    network: orders.network,
    ...fates({ [fate]: count }),
    chargedPesewas: isCharged ? orders.chargedPesewas : zero,
    maybePesewas: known === 'maybe' ? orders.chargedPesewas : zero,
    refundedPesewas: isCharged ? orders.refundedPesewas : zero,
    salesPesewas: isSold ? orders.salesPesewas : zero,
    costPesewas: isSold ? orders.pricedPaidPesewas : zero,
    unpriced: isSold ? count - priced : 0,
    unseen: isCharged || known === 'maybe' ? orders.unseen : 0,
  }
}

/** What a bulk order adds to a tally, in the chosen prices. */
const inAmountsOf = (order: BulkOrder, prices: Whose['prices']): Share => {
  const share = shareOfBulk(order)
  if (prices === 'cost') return share
  const seen = inAgentPrices(order)
  if (seen === null)
    return {
      ...share,
      chargedPesewas: zero,
      maybePesewas: zero,
      refundedPesewas: zero,
      unseen: share.chargedPesewas + share.maybePesewas > 0 ? order.quantity : 0,
    }
  const { chargedPesewas, maybePesewas, refundedPesewas } = shareOfBulk(seen)
  return { ...share, chargedPesewas, maybePesewas, refundedPesewas }
}

const shareOfBulk = (order: BulkOrder): Share => {
  const counted: Partial<Record<Fate, number>> = {}
  for (const { count, ...recipient } of order.recipients) {
    const fate = fateOf(stateOf(order, recipient))
    counted[fate] = (counted[fate] ?? 0) + count
  }
  const { delivered = 0 } = counted
  const { sellUnitPesewas } = order
  const { chargedPesewas, maybePesewas, refundedPesewas } = chargesOf([order])
  const recipients = order.recipients.flatMap(({ count, ...alike }) =>
    Array.from({ length: count }, () => alike),
  )
  const paid = paidFor({ ...order, recipients }, isDelivered)
  return {
    network: order.network,
    ...fates(counted),
    chargedPesewas,
    maybePesewas,
    refundedPesewas,
    salesPesewas: times(sellUnitPesewas ?? zero, delivered),
    costPesewas: sellUnitPesewas === null ? zero : (paid ?? zero),
    unpriced: sellUnitPesewas === null ? delivered : 0,
    unseen: 0,
  }
}

const fates = ({
  delivered = 0,
  failed = 0,
  open = 0,
  unconfirmed = 0,
  notKnown = 0,
}: Partial<Record<Fate, number>>): Counts => ({
  ordered: delivered + failed + open + unconfirmed + notKnown,
  delivered,
  failed,
  open,
  unconfirmed,
  notKnown,
})

const networksOf = (shares: readonly Share[], times: readonly DeliveryTime[]): NetworkTally[] =>
  [...Map.groupBy(shares, ({ network }) => network)]
    .map(([network, own]) => ({
      network,
      ...countsOf(own),
      medianSeconds: percentileOf(
        times.filter((time) => time.network === network),
        50,
      ),
    }))
    .filter(({ ordered }) => ordered > 0)
    .sort((a, b) => b.delivered - a.delivered || b.ordered - a.ordered || a.network.localeCompare(b.network))
