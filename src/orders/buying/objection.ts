import { isOpen, type Order, type Purchase } from '../../domain/order.ts'
import { type NewOrder, queuedAs } from '../../store/orders/order-placing.ts'
import type { PurchaseToConfirm } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'
import { briefId, type EarlierOrder, earlierAmong } from './earlier-order.ts'
import { type Hindrance, hindranceTo, type Moment } from './may-order.ts'
import { switchesIn } from './switches.ts'

/** Why a draft is not confirmed although it can be: it stays one. */
export type Objection =
  /** The same bundle went to that number lately, and the pressed card did not say so. The new card does. */
  | { kind: 'repeated'; earlier: EarlierOrder }
  /** They may not. */
  | { kind: 'hindered'; hindrance: Hindrance }

/**
 * The objection to confirming a draft; null if there is none. The transaction has the account to itself: if two presses
 * for the same number and bundle come at once, the second one sees the first one's order.
 * @param after the earlier order (`briefId`) that the pressed card named.
 */
export const objectionTo = async (
  tx: Queries,
  { recent, member, switches }: PurchaseToConfirm,
  { lines, userId, accountId }: Purchase,
  after: string | null,
  moment: Moment,
): Promise<Objection | null> => {
  const [line] = lines
  const earlier = line ? earlierAmong(recent, line, moment.at) : null
  if (earlier && briefId(earlier.order) !== after) return { kind: 'repeated', earlier }
  const step = { kind: 'confirm', wanted: lines } as const
  const read = { member, switches: switchesIn(switches) }
  const hindrance = await hindranceTo(tx, { userId, accountId }, step, moment, read)
  return hindrance && { kind: 'hindered', hindrance }
}

/** The order of a purchase that was just confirmed, if no other one is open for its number and the key is accepted. */
export const clearOf = (
  [order, another]: readonly NewOrder[],
  { recent, member }: PurchaseToConfirm,
): Order | null => {
  const isClear = !recent.some(isOpen) && member?.account.unauthorizedSince === null
  return order && !another && isClear ? queuedAs(order) : null
}
