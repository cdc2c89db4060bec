import type { Order } from '../../domain/order/order.ts'
import type { Queries } from '../../store/store.ts'
import { type Button, button, homeButton, type Screen } from '../chat/screen.ts'
import { maskedWhom } from '../words/numbers.ts'
import * as words from './words/follower.ts'

const maxShown = 6

type FollowQueries = Pick<Queries, 'follows' | 'orders'>

/** A button for each of the orders that the chat followed last, so that nobody has to keep references. */
export const followedButtons = async (queries: FollowQueries, chatId: number): Promise<Button[][]> =>
  (await followedOrders(queries, chatId)).map(openButton)

/** The list of what the chat follows; null if it follows nothing. */
export const followedScreen = async (
  queries: FollowQueries,
  chatId: number,
  now: Date,
): Promise<Screen | null> => {
  const orders = await followedOrders(queries, chatId)
  if (orders.length === 0) return null
  return {
    text: words.followed(orders.map((order) => words.followedLine(order, maskedWhom(order), now))),
    rows: [...orders.map(openButton), [homeButton]],
  }
}

const followedOrders = async ({ follows, orders }: FollowQueries, chatId: number): Promise<Order[]> => {
  const ids = await follows.newestOf(chatId, maxShown)
  const found = new Map((await orders.byIds(ids)).map((order) => [order.id, order]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const openButton = (order: Order): Button[] => [
  button(words.followedLabel(order, maskedWhom(order)), { do: 'open_shared', orderId: order.id }),
]
