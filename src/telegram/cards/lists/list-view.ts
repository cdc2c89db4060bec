import type { Order, Purchase } from '../../../domain/order/order.ts'
import type { Queries } from '../../../store/store.ts'
import type { ActOf } from '../../buttons/table.ts'
import { type Button, button } from '../../chat/screen.ts'
import { orderSeenBy, roleOf, type SeenOrder, type View, viewOf } from '../viewer.ts'

export type Act = (label: string, what: ActOf<'list'>) => Button

export const actsOf =
  ({ id }: Pick<Purchase, 'id'>): Act =>
  (label, what) =>
    button(label, { do: 'list', purchaseId: id, act: what })

/** The orders of a list, both whole and as the viewer may see them. */
export const ordersFor = async (
  queries: Queries,
  { id }: Purchase,
  viewerId: number,
): Promise<{ all: Order[]; orders: SeenOrder[]; view: View }> => {
  const all = await queries.orders.ofPurchase(id)
  const [first] = all
  const role = first ? await roleOf(queries, first, viewerId) : null
  const view: View = first ? await viewOf(queries, first, role) : { role, prices: 'none' }
  return { all, orders: all.map((order) => orderSeenBy(order, view)), view }
}

/** The existing page that is closest to the wanted one. */
export const pageWithin = (count: number, perPage: number, wanted: number): number =>
  Math.min(wanted, Math.max(0, Math.ceil(count / perPage) - 1))
