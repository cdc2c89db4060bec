import type { Order } from '../../../domain/order/order.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import { askedChat } from '../../../orders/following/enquiries.ts'
import type { Network } from '../../../provider/index.ts'
import { balanceCodes } from '../../../settings/balance-codes.ts'
import type { Screen } from '../../chat/screen.ts'
import { checkYourself } from '../../words/bundle.ts'
import { maskedWhom } from '../../words/numbers.ts'
import { askButton, sharedCard } from '../shared-card.ts'
import { enquiryLabels } from '../words/enquiry.ts'
import { followAnnounce, followEnded, followMistaken } from '../words/follower.ts'
import { unfollowed } from '../words/leaving.ts'
import { isOnlyReported } from './doubt.ts'
import { type Content, ofOrder, type Sources, type Wordings } from './wording.ts'

/** News for chats that follow an order without owning it, and messages that following has ended. */
export const followerNotices: Wordings<
  'follow_card' | 'follow_announce' | 'follow_mistaken' | 'follow_ended' | 'unfollowed'
> = {
  follow_card: async ({ orderId }, chatId, { store, now }) => {
    const follow = await store.chats.followOf(orderId, chatId)
    const order = await store.orders.byId(orderId)
    if (!follow || !order) return null
    return {
      kind: 'live',
      screen: await sharedCard(store, order, chatId, now()),
      messageId: follow.messageId,
      standsOn: (messageId) => store.chats.showFollowOn(orderId, chatId, messageId),
    }
  },
  follow_announce: async (content, chatId, sources) => {
    const follow = await sources.store.chats.followOf(content.orderId, chatId)
    if (!follow) return null
    return ofOrder(sources, content.orderId, async (order) => ({
      ...(await statusNews(order, content, chatId, sources)),
      replyTo: follow.messageId,
    }))
  },
  follow_mistaken: ({ orderId }, _chatId, sources) =>
    ofOrder(sources, orderId, (order) => followMistaken(order, maskedWhom(order))),
  follow_ended: ({ orderId }, _chatId, sources) =>
    ofOrder(sources, orderId, (order) => followEnded(order, maskedWhom(order))),
  unfollowed: async ({ orderIds }, _chatId, { store, now }) => {
    const orders = await Promise.all(orderIds.map((id) => store.orders.byId(id)))
    return unfollowed(
      orders.filter((order) => order !== null),
      now(),
    )
  },
}

/** The news of a status. If the order did not go well, a button asks the shop about it. */
const statusNews = async (
  order: Order,
  content: Content<'follow_announce'>,
  chatId: number,
  { store }: Sources,
): Promise<Screen> => {
  const { status } = content
  const isSad = isTerminal(status) && status !== 'delivered'
  const mayAsk = isSad && chatId > 0 && (await askedChat(store, order)) !== null
  const code = status === 'delivered' ? (await balanceCodes(store))[order.network as Network] : undefined
  const text = followAnnounce(order, maskedWhom(order), status, isOnlyReported(order, content))
  return {
    text: code ? `${text}\n${checkYourself(code)}` : text,
    rows: mayAsk ? [[askButton(order, enquiryLabels.ask)]] : [],
  }
}
