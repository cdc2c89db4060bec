import type { NoticeContent } from '../../domain/notice.ts'
import type { Order } from '../../domain/order/order.ts'
import { quietUntil } from '../../messaging/quiet-hours.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import { type Enquiry, isForgotten } from '../../store/chats/enquiries.ts'
import type { Queries, Store } from '../../store/store.ts'
import { mayRead, type Person } from '../buying/purchases.ts'

/**
 * Customers' questions about an order, and the answers. A question goes to the person who ordered, an answer to the
 * chat that asked. The bot passes both on in its own name, so neither side learns who the other is. A message that
 * Telegram delivers twice counts once.
 */
export interface Enquiries {
  /** Why that chat cannot ask about the order now; null if it can. */
  refusal(order: Order, chatId: number): Promise<EnquiryRefusal | null>
  /**
   * Asks a question about an order.
   * @param cause identifies the message that asks.
   * @returns why the question was refused; null if it was enqueued.
   */
  ask(order: Order, question: { chatId: number; cause: string; text: string }): Promise<EnquiryRefusal | null>
  /** Answers a question. @returns the enquiry; null if this person may not answer it, or the customer deleted it. */
  answer(id: string, person: Person, answer: { cause: string; text: string }): Promise<Enquiry | null>
  /** The enquiry with its order; null if it is not that person's. */
  open(id: string, person: Person): Promise<OpenEnquiry | null>
  /** Blocks or unblocks questions from this customer to the account. */
  block(id: string, person: Person, isBlocked: boolean): Promise<OpenEnquiry | null>
  /** Whether the message was stored as a question or as an answer before; null if it is new. */
  takenAs(cause: string): Promise<'question' | 'answer' | null>
}

export interface OpenEnquiry {
  enquiry: Enquiry
  order: Order
  isBlocked: boolean
}

export type EnquiryRefusal =
  /** Neither the person who ordered nor an owner is left to answer. */
  | { kind: 'nobody' }
  | { kind: 'blocked' }
  /** An earlier question about the order has no answer yet. */
  | { kind: 'unanswered' }
  /** Too many questions about other orders have no answer yet. */
  | { kind: 'too_many' }
  | { kind: 'too_often'; waitMs: number }

/** The longest question or answer, in characters (UTF-16 units). */
export const maxMessageLength = 500
const hourMs = 60 * 60_000
const maxInAnHour = 5
/** How many unanswered questions a chat may have, one for each order. */
export const maxUnanswered = 3
/** After a day without an answer, the customer may ask again. */
const unansweredMs = 24 * hourMs

/**
 * The chat that gets a question about an order: that of the person who ordered, otherwise an owner's; null if there is
 * neither.
 */
export const askedChat = async (
  { accounts }: Pick<Queries, 'accounts'>,
  order: SoldOrder,
): Promise<number | null> => {
  const members = await accounts.members(order.accountId)
  const seller = members.find(({ userId }) => userId === order.userId)
  return seller?.chatId ?? ownerAmong(members, order)
}

/** The chat of the owner who answers for an order; null if the account has no owner. */
export const ownerChat = async (
  { accounts }: Pick<Queries, 'accounts'>,
  order: SoldOrder,
): Promise<number | null> => ownerAmong(await accounts.members(order.accountId), order)

type SoldOrder = Pick<Order, 'accountId' | 'userId' | 'ownerChatId'>

/** The owner who ordered, or else the one whose chat is the order's `ownerChatId`, or else the one who joined first. */
const ownerAmong = (members: readonly Member[], { userId, ownerChatId }: SoldOrder): number | null => {
  const owners = members.filter(({ role }) => role === 'owner').sort(byAge)
  const owner =
    owners.find((each) => each.userId === userId) ??
    owners.find(({ chatId }) => chatId === ownerChatId) ??
    owners[0]
  return owner?.chatId ?? null
}

const byAge = (a: Member, b: Member): number => a.createdAt.getTime() - b.createdAt.getTime()

const enquiryNotice = (enquiryId: string): NoticeContent => ({
  kind: 'enquiry',
  subject: `enquiry:${enquiryId}`,
  enquiryId,
})

export const createEnquiries = (options: {
  store: Store
  now: () => Date
  newId: () => string
  onNotice: () => void
}): Enquiries => {
  const { store, now, newId, onNotice } = options

  const open = async (tx: Queries, id: string, person: Person): Promise<OpenEnquiry | null> => {
    const enquiry = await tx.enquiries.byId(id)
    const order = enquiry && (await tx.orders.byId(enquiry.orderId))
    if (!enquiry || !order || !mayRead(person, order)) return null
    return { enquiry, order, isBlocked: await tx.enquiries.isBlocked(enquiry) }
  }

  return {
    refusal: async (order, chatId) =>
      (await askedChat(store, order)) === null ? { kind: 'nobody' } : limit(store, order, chatId, now()),

    ask: async (order, { chatId, cause, text }) => {
      const refused = await store.transaction(
        async (tx): Promise<EnquiryRefusal | null> => {
          if (await tx.enquiries.byCause(cause)) return null
          const asked = await askedChat(tx, order)
          if (asked === null) return { kind: 'nobody' }
          const at = now()
          const refusal = await limit(tx, order, chatId, at)
          if (refusal) return refusal
          const { id: orderId, accountId } = order
          const id = newId()
          await tx.enquiries.insert({
            id,
            orderId,
            accountId,
            customerChatId: chatId,
            cause,
            text,
            createdAt: at,
          })
          // The customer is told that the shop has the question, so quiet hours do not delay it.
          await tx.notices.enqueue(asked, enquiryNotice(id), at)
          return null
        },
        { accounts: [order.accountId] },
      )
      onNotice()
      return refused
    },

    answer: async (id, person, { cause, text }) => {
      const answered = await store.transaction(
        async (tx) => {
          const opened = await open(tx, id, person)
          if (!opened || isForgotten(opened.enquiry)) return null
          if (await tx.enquiries.answer(id, cause, now())) {
            const answer: NoticeContent = { kind: 'answer', subject: `enquiry:${id}`, enquiryId: id, text }
            await enqueueForAfterQuietHours(tx, opened.enquiry.customerChatId, answer, now())
          }
          return opened.enquiry
        },
        { accounts: [person.accountId] },
      )
      onNotice()
      return answered
    },

    open: (id, person) => open(store, id, person),

    block: (id, person, isBlocked) =>
      store.transaction(
        async (tx) => {
          const opened = await open(tx, id, person)
          if (!opened) return null
          if (isBlocked) await tx.enquiries.block(id, now())
          else await tx.enquiries.unblock(opened.enquiry)
          return { ...opened, isBlocked }
        },
        { accounts: [person.accountId] },
      ),

    takenAs: async (cause) => {
      if (await store.enquiries.byCause(cause)) return 'question'
      return (await store.enquiries.isAnsweredBy(cause)) ? 'answer' : null
    },
  }
}

/** Enqueues an answer. If the chat has quiet hours now, it is sent when they end. */
const enqueueForAfterQuietHours = async (
  tx: Queries,
  chatId: number,
  content: NoticeContent,
  at: Date,
): Promise<void> => {
  const until = quietUntil(await tx.preferences.of(chatId), at)
  await tx.notices.enqueue(chatId, content, at, null, until)
}

const limit = async (
  { enquiries }: Pick<Queries, 'enquiries'>,
  { id, accountId }: Order,
  chatId: number,
  at: Date,
): Promise<EnquiryRefusal | null> => {
  if (await enquiries.isBlocked({ accountId, customerChatId: chatId })) return { kind: 'blocked' }
  const waiting = await enquiries.unansweredSince(chatId, new Date(at.getTime() - unansweredMs))
  if (waiting.includes(id)) return { kind: 'unanswered' }
  if (waiting.length >= maxUnanswered) return { kind: 'too_many' }
  const asked = await enquiries.askedSince(chatId, new Date(at.getTime() - hourMs))
  const oldest = asked.at(-maxInAnHour)
  return oldest ? { kind: 'too_often', waitMs: oldest.getTime() + hourMs - at.getTime() } : null
}
