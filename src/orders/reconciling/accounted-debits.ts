import { type Debit, mayBelongButTime } from '../../domain/debits/matching.ts'
import { type Order, ownChargeOf } from '../../domain/order/order.ts'
import { measuredToleranceMs } from '../../domain/times/reconciling-schedule.ts'
import { claimantOf } from './claimants.ts'

/**
 * The debits without a reference that belong to placed orders. Each placed order explains one debit: the one with its
 * reference or, if no debit has that, the matching debit closest in time.
 */
export const debitsOfPlacedOrders = (placed: readonly Order[], debits: readonly Debit[]): Set<Debit> => {
  const shown = new Set(debits.map(({ reference }) => reference))
  const missing = placed.filter(({ reference }) => !shown.has(reference))
  const unnamed = debits.filter(({ reference }) => reference === null)
  const near = missing.flatMap((order) =>
    unnamed.flatMap((debit) => {
      const apartMs = apart(order, debit)
      return apartMs <= measuredToleranceMs && isChargeOf(order, debit) ? { order, debit, apartMs } : []
    }),
  )
  const taken = new Set<Debit>()
  const done = new Set<Order>()
  for (const { order, debit } of near.sort((a, b) => a.apartMs - b.apartMs)) {
    if (taken.has(debit) || done.has(order)) continue
    taken.add(debit)
    done.add(order)
  }
  return taken
}

const apart = ({ placedAt }: Order, { createdAtMs }: Debit): number =>
  placedAt === null || createdAtMs === null
    ? Number.POSITIVE_INFINITY
    : Math.abs(placedAt.getTime() - createdAtMs)

const isChargeOf = (order: Order, debit: Debit): boolean =>
  debit.amountPesewas === ownChargeOf(order) && mayBelongButTime(claimantOf(order), debit)
