import { isOpen, type Order, type Purchase } from '../../domain/order.ts'
import { type NewOrder, queuedAs } from '../../store/orders/order-placing.ts'
import type { PurchaseToConfirm } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'
import { briefId, type EarlierOrder, earlierAmong } from './earlier-order.ts'
import { type Denial, denialTo, type Moment } from './may-order.ts'
import { switchesIn } from './switches.ts'

/** Why a press does not confirm a draft. The draft stays, so a later press may confirm it. */
export type ConfirmDenial =
  /**
   * The same bundle was ordered for this number recently, and the pressed card did not say so. The redrawn card does.
   */
  | { kind: 'repeated'; earlier: EarlierOrder }
  /** The person may not order this. */
  | { kind: 'hindered'; denial: Denial }

/**
 * Checks whether a draft may be confirmed. Call it in a transaction that has the account to itself, so that the
 * second of two simultaneous presses for the same number and bundle sees the first one's order.
 * @param after the earlier order (`briefId`) that the pressed card named, or null.
 * @returns why not; null if it may be confirmed.
 */
export const confirmDenial = async (
  tx: Queries,
  { recent, member, switches }: PurchaseToConfirm,
  { lines, userId, accountId }: Purchase,
  after: string | null,
  moment: Moment,
): Promise<ConfirmDenial | null> => {
  const [line] = lines
  const earlier = line ? earlierAmong(recent, line, moment.at) : null
  if (earlier && briefId(earlier.order) !== after) return { kind: 'repeated', earlier }
  const step = { kind: 'confirm', wanted: lines } as const
  const read = { member, switches: switchesIn(switches) }
  const denial = await denialTo(tx, { userId, accountId }, step, moment, read)
  return denial && { kind: 'hindered', denial }
}

/**
 * The order of a purchase that was just confirmed, if its number has no other open order and the provider accepts the
 * account's key; otherwise null. Also null if the purchase has several orders.
 */
export const clearOf = (
  [order, another]: readonly NewOrder[],
  { recent, member }: PurchaseToConfirm,
): Order | null => {
  const isClear = !recent.some(isOpen) && member?.account.unauthorizedSince === null
  return order && !another && isClear ? queuedAs(order) : null
}
