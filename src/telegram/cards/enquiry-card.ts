import type { Order } from '../../domain/order/order.ts'
import type { OpenEnquiry } from '../../orders/following/enquiries.ts'
import { shownShopName } from '../../shop/shop-name.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import { type Enquiry, isForgotten } from '../../store/chats/enquiries.ts'
import type { Queries } from '../../store/store.ts'
import { button, type Screen } from '../chat/screen.ts'
import { maskedWhom } from '../words/numbers.ts'
import { askButton } from './shared-card.ts'
import * as enquiryTexts from './words/enquiry.ts'

const { enquiryLabels: labels } = enquiryTexts

/** A customer's question as the shop sees it. Nothing in it shows who the customer is. */
export const enquiryCard = async (
  queries: Pick<Queries, 'contacts'>,
  { enquiry, order, isBlocked }: OpenEnquiry,
  reader: Pick<Member, 'userId' | 'role'>,
): Promise<Screen> => {
  const enquiryId = enquiry.id
  const isAnswered = enquiry.answeredAt !== null
  const isGone = isForgotten(enquiry)
  const name = await nameOf(queries, order, reader)
  return {
    text: enquiryTexts.enquiry(order, {
      name,
      question: isGone ? null : enquiry.text,
      isAnswered,
      isBlocked,
    }),
    rows: [
      [
        ...(isGone ? [] : [button(labels.answer, { do: 'enquiry', act: { act: 'answer', enquiryId } })]),
        button(labels.openOrder, { do: 'open', orderId: order.id }),
      ],
      [
        ...(isBlocked ? [button(labels.unblock, { do: 'enquiry', act: { act: 'unblock', enquiryId } })] : []),
        ...(isBlocked || isGone
          ? []
          : [button(labels.block, { do: 'enquiry', act: { act: 'block', enquiryId } })]),
      ],
    ],
  }
}

/**
 * The name that the reader has saved for the order's number; null if there is none, or if the order has several
 * numbers.
 */
const nameOf = async (
  { contacts }: Pick<Queries, 'contacts'>,
  { accountId, recipients }: Order,
  { userId, role }: Pick<Member, 'userId' | 'role'>,
): Promise<string | null> => {
  const [only, ...others] = recipients
  if (!only || others.length > 0) return null
  const names = await contacts.names({ accountId, agentId: role === 'agent' ? userId : 0 }, [only.phone])
  return names.get(only.phone) ?? null
}

/** The answer as the customer sees it. Nothing in it shows who answered, except the name that the shop gives itself. */
export const answerCard = async (
  queries: Pick<Queries, 'shops'>,
  enquiry: Enquiry,
  order: Order,
  text: string,
): Promise<Screen> => {
  const { name } = await queries.shops.of(order.accountId)
  const said = { shop: shownShopName(name), question: enquiry.text, answer: text }
  return {
    text: enquiryTexts.answer(order, maskedWhom(order), said),
    rows: [
      [askButton(order, labels.askAgain), button(labels.openOrder, { do: 'open_shared', orderId: order.id })],
    ],
  }
}
