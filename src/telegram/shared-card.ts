import { askedChat } from '../orders/enquiries.ts'
import { isReduced, type Order } from '../orders/order.ts'
import { maskPhone } from '../provider/phone.ts'
import { isErased } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'
import { type Key, key, type Screen } from './screen.ts'
import { enquiryLabels } from './texts/enquiry.ts'
import * as followerTexts from './texts/follower.ts'
import { labels } from './texts/labels.ts'
import { howMany } from './texts/recipients.ts'
import { numberOr } from './texts/removed.ts'

/** For whom an order is, as a stranger may know it. */
export const maskedWhom = (order: Order): string => {
  const [first] = order.recipients
  if (!first || order.recipients.length > 1) return howMany(order.recipients.length)
  return isReduced(order) ? numberOr(first.phone) : maskPhone(first.phone)
}

/** What a chat sees of an order that it does not own, as things stand. */
export const sharedCard = async (
  queries: Queries,
  order: Order,
  chatId: number,
  now: Date,
): Promise<Screen> => {
  const account = await queries.accounts.byId(order.accountId)
  return sharedScreen(order, {
    follows: (await queries.chats.followOf(order.id, chatId)) !== null,
    events: await queries.events.ofOrder(order.id, 'applied'),
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
    [...followKeys(order, view.follows), key(labels.refresh, { do: 'look', orderId: order.id })],
    view.mayAsk ? [askKey(order, enquiryLabels.ask)] : [],
  ],
})

/** Nothing more becomes of an order that is reduced. */
const followKeys = (order: Order, follows: boolean): Key[] => {
  if (isReduced(order)) return []
  return follows
    ? [key(followerTexts.followerLabels.unfollow, { do: 'unfollow', orderId: order.id })]
    : [key(followerTexts.followerLabels.follow, { do: 'follow', orderId: order.id })]
}

export const askKey = ({ id }: Pick<Order, 'id'>, label: string): Key =>
  key(label, { do: 'enquiry', act: { act: 'ask', orderId: id } })
