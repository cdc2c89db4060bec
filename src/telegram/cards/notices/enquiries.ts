import { mayRead } from '../../../orders/buying/purchases.ts'
import { askedChat } from '../../../orders/following/enquiries.ts'
import { isForgotten } from '../../../store/chats/enquiries.ts'
import { answerCard, enquiryCard } from '../enquiry-card.ts'
import { cardIn, ofOrder, type Wordings } from './wording.ts'

/** Customers' questions and the answers to them. */
export const enquiryNotices: Wordings<'enquiry' | 'answer'> = {
  /**
   * If the person who ordered has left since the question was asked, the question goes to whoever answers for the order
   * now.
   */
  enquiry: async (notice, chatId, { store, now }) => {
    const enquiry = await store.enquiries.byId(notice.enquiryId)
    const order = enquiry && (await store.orders.byId(enquiry.orderId))
    const member = await store.accounts.member(chatId)
    if (!enquiry || !order || isForgotten(enquiry)) return null
    if (member && mayRead(member, order)) {
      const isBlocked = await store.enquiries.isBlocked(enquiry)
      const card = await enquiryCard(store, { enquiry, order, isBlocked }, member)
      return { ...card, replyTo: cardIn(chatId, await store.purchases.byId(order.purchaseId)) }
    }
    const other = await askedChat(store, order)
    if (other !== null) await store.notices.enqueue(other, notice, now())
    return null
  },
  answer: async ({ enquiryId, text }, _chatId, sources) => {
    const { store } = sources
    const enquiry = await store.enquiries.byId(enquiryId)
    if (!enquiry || isForgotten(enquiry)) return null
    return ofOrder(sources, enquiry.orderId, (order) => answerCard(store, enquiry, order, text))
  },
}
