import { isOpen, type Order, type Purchase } from '../../domain/order.ts'
import { type NewOrder, queuedAs } from '../../store/orders/order-placing.ts'
import type { PurchaseToConfirm } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'
import { briefId, type EarlierOrder, earlierAmong } from './earlier-order.ts'
import { type Denial, denialTo, type Moment } from './may-order.ts'
import { switchesIn } from './switches.ts'

/** Why a draft is not confirmed although it can be: it stays one. */
export type ConfirmDenial =
  /** The same bundle went to that number lately, and the pressed card did not say so. The new card does. */
  | { kind: 'repeated'; earlier: EarlierOrder }
  /** They may not. */
  | { kind: 'hindered'; denial: Denial }

/**
 * The reason why a draft may not be confirmed; null if there is none. The transaction has the account to itself: if two presses
 * for the same number and bundle come at once, the second one sees the first one's order.
 * @param after the earlier order (`briefId`) that the pressed card named.
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

/** The order of a purchase that was just confirmed, if no other one is open for its number and the key is accepted. */
export const clearOf = (
  [order, another]: readonly NewOrder[],
  { recent, member }: PurchaseToConfirm,
): Order | null => {
  const isClear = !recent.some(isOpen) && member?.account.unauthorizedSince === null
  return order && !another && isClear ? queuedAs(order) : null
}
