import { isRedacted, type Order } from '../../domain/order/order.ts'
import { mayChange } from '../../domain/order/timeline.ts'
import { askedChat } from '../../orders/following/enquiries.ts'
import { isErased } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { type Button, button, copyButtons, type Screen } from '../chat/screen.ts'
import { labels } from '../words/labels.ts'
import { maskedWhom } from '../words/recipients.ts'
import { enquiryLabels } from './words/enquiry.ts'
import * as followerTexts from './words/follower.ts'

/** A present view of an order for a chat that does not own it. */
export const sharedCard = async (
  queries: Queries,
  order: Order,
  chatId: number,
  now: Date,
): Promise<Screen> => {
  const account = await queries.accounts.byId(order.accountId)
  return sharedScreen(order, {
    follows: (await queries.chats.followOf(order.id, chatId)) !== null,
    events: await queries.statusReports.ofOrder(order.id, 'applied'),
    connected: !isErased(account),
    mayAsk: isPrivate(chatId) && (await askedChat(queries, order)) !== null,
    now,
  })
}

/** Telegram's groups have negative ids. A question is asked in private. */
const isPrivate = (chatId: number): boolean => chatId > 0

interface SharedView extends followerTexts.SharedContext {
  /** Somebody is there to be asked. */
  mayAsk: boolean
}

/** No price, and the number masked. Pure. */
export const sharedScreen = (order: Order, view: SharedView): Screen => ({
  text: followerTexts.sharedCard(order, maskedWhom(order), view),
  rows: [
    [...followButtons(order, view.follows), button(labels.refresh, { do: 'look', orderId: order.id })],
    [
      ...(view.mayAsk ? [askButton(order, enquiryLabels.ask)] : []),
      ...copyButtons(labels.copyReference, order.reference ?? ''),
    ],
  ],
})

/** Follow is offered only while something can still happen to the order. */
const followButtons = (order: Order, follows: boolean): Button[] => {
  if (isRedacted(order)) return []
  if (follows) return [button(followerTexts.followerLabels.unfollow, { do: 'unfollow', orderId: order.id })]
  if (!mayChange(order)) return []
  return [button(followerTexts.followerLabels.follow, { do: 'follow', orderId: order.id })]
}

/** A button that asks the shop about the order. */
export const askButton = ({ id }: Pick<Order, 'id'>, label: string): Button =>
  button(label, { do: 'enquiry', act: { act: 'ask', orderId: id } })
