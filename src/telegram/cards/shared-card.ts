import { isComplainable } from '../../domain/order/complaint.ts'
import { isRedacted, type Order } from '../../domain/order/order.ts'
import { mayChange } from '../../domain/order/timeline.ts'
import { askedChat } from '../../orders/following/enquiries.ts'
import { paceFor } from '../../shop/delivery-pace.ts'
import { shownShopName } from '../../shop/shop-name.ts'
import { isErased } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import { type Button, button, type Screen } from '../chat/screen.ts'
import { whatsAppButtons } from '../chat/whatsapp.ts'
import { labels } from '../words/labels.ts'
import { maskedWhom } from '../words/numbers.ts'
import { complaintButton } from './order-buttons.ts'
import { enquiryLabels } from './words/enquiry.ts'
import * as followerTexts from './words/follower.ts'

/** The card of an order, as it is now, for a chat that does not own it. */
export const sharedCard = async (
  queries: Queries,
  order: Order,
  chatId: number,
  now: Date,
): Promise<Screen> => {
  const account = await queries.accounts.byId(order.accountId)
  const { name, phone } = await queries.shops.of(order.accountId)
  return sharedScreen(order, {
    shop: { name: shownShopName(name), phone },
    follows: (await queries.chats.followOf(order.id, chatId)) !== null,
    events: await queries.statusReports.ofOrder(order.id, 'applied'),
    connected: !isErased(account),
    pace: await paceFor(queries.tallies, order, now),
    mayAsk: isPrivate(chatId) && (await askedChat(queries, order)) !== null,
    now,
  })
}

/** A group has a negative id. The bot takes questions only in private. */
const isPrivate = (chatId: number): boolean => chatId > 0

interface SharedView extends followerTexts.SharedContext {
  /** Whether a person at the shop can be asked. */
  mayAsk: boolean
}

/** The card for a chat that does not own the order: without prices, and with a masked number. A pure function. */
export const sharedScreen = (order: Order, view: SharedView): Screen => ({
  text: followerTexts.sharedCard(order, maskedWhom(order), view),
  rows: [
    [...followButtons(order, view.follows), button(labels.refresh, { do: 'look', orderId: order.id })],
    [
      ...(view.mayAsk ? [askButton(order, enquiryLabels.ask)] : []),
      ...(view.mayAsk && isComplainable(order, null) && !isRedacted(order) ? [complaintButton(order)] : []),
    ],
    [
      ...(view.shop.phone === null
        ? []
        : whatsAppButtons(
            view.shop.phone,
            followerTexts.buyAgain(order),
            followerTexts.followerLabels.buyAgain,
          )),
    ],
  ],
})

/** Offers Follow only while the order can still change. */
const followButtons = (order: Order, follows: boolean): Button[] => {
  if (isRedacted(order)) return []
  if (follows) return [button(followerTexts.followerLabels.unfollow, { do: 'unfollow', orderId: order.id })]
  if (!mayChange(order)) return []
  return [button(followerTexts.followerLabels.follow, { do: 'follow', orderId: order.id })]
}

export const askButton = ({ id }: Pick<Order, 'id'>, label: string): Button =>
  button(label, { do: 'enquiry', act: { act: 'ask', orderId: id } })
