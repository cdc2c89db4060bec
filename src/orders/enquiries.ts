import type { NoticeContent } from '../relay/notice.ts'
import { quietUntil } from '../settings/quiet-hours.ts'
import type { Member } from '../store/accounts.ts'
import { type Enquiry, isForgotten } from '../store/enquiries.ts'
import type { AllQueries, Queries, WholeStore } from '../store/store.ts'
import type { Order } from './order.ts'
import { mayRead, type Person } from './purchases.ts'

/**
 * What customers ask about an order, and what they are answered. A question goes to whoever ordered, an answer to
 * the chat that asked; neither learns who the other is, for the bot sends both in its own name. One message is one
 * question or one answer, however often it arrives.
 */
export interface Enquiries {
  /** Why that chat cannot ask about the order now; null where it can. */
  refusal(order: Order, chatId: number): Promise<Refusal | null>
  /** @param cause the message that asks. */
  ask(order: Order, question: { chatId: number; cause: string; text: string }): Promise<Refusal | null>
  /** @returns the enquiry; null where it is not that person's to answer, or its customer had it deleted. */
  answer(id: string, person: Person, answer: { cause: string; text: string }): Promise<Enquiry | null>
  /** The enquiry with its order; null where it is not that person's. */
  open(id: string, person: Person): Promise<OpenEnquiry | null>
  /** Takes no more questions of that customer to the account, or takes them again. */
  block(id: string, person: Person, isBlocked: boolean): Promise<OpenEnquiry | null>
  /** What that message was taken as before. */
  takenAs(cause: string): Promise<'question' | 'answer' | null>
}

export interface OpenEnquiry {
  enquiry: Enquiry
  order: Order
  isBlocked: boolean
}

export type Refusal =
  /** Nobody is there to be asked: the account was removed. */
  | { kind: 'nobody' }
  | { kind: 'blocked' }
  /** An earlier question about the order has no answer yet. */
  | { kind: 'unanswered' }
  /** As many questions about other orders have none. */
  | { kind: 'too_many' }
  | { kind: 'too_often'; waitMs: number }

/** Characters (UTF-16 units) of a question or an answer. */
export const longestMessage = 500
const hourMs = 60 * 60_000
const mostInAnHour = 5
/** So many questions of a chat may wait for their answers, one for each order. */
const mostUnanswered = 3
/** A question that had no answer for a day is waited for no more: the customer may ask again. */
const unansweredMs = 24 * hourMs

/** The chat that is asked about an order: of who ordered it, or of an owner where they are gone; null: nobody's. */
export const askedChat = async (
  { accounts }: Pick<Queries, 'accounts'>,
  order: Pick<Order, 'accountId' | 'userId' | 'reportTo'>,
): Promise<number | null> => {
  const members = await accounts.members(order.accountId)
  const owners = members.filter(({ role }) => role === 'owner').sort(byAge)
  const asked =
    members.find(({ userId }) => userId === order.userId) ??
    owners.find(({ chatId }) => chatId === order.reportTo) ??
    owners[0]
  return asked?.chatId ?? null
}

const byAge = (a: Member, b: Member): number => a.createdAt.getTime() - b.createdAt.getTime()

const enquiryNotice = (enquiryId: string): NoticeContent => ({
  kind: 'enquiry',
  subject: `enquiry:${enquiryId}`,
  enquiryId,
})

export const createEnquiries = (options: {
  store: WholeStore
  now: () => Date
  newId: () => string
  /** Told when something is owed to a chat. */
  onNotice: () => void
}): Enquiries => {
  const { store, now, newId, onNotice } = options

  const open = async (tx: AllQueries, id: string, person: Person): Promise<OpenEnquiry | null> => {
    const enquiry = await tx.enquiries.byId(id)
    const order = enquiry && (await tx.orders.byId(enquiry.orderId))
    if (!enquiry || !order || !mayRead(person, order)) return null
    return { enquiry, order, isBlocked: await tx.enquiries.isBlocked(enquiry) }
  }

  return {
    refusal: async (order, chatId) =>
      (await askedChat(store, order)) === null ? { kind: 'nobody' } : limit(store, order, chatId, now()),

    ask: async (order, { chatId, cause, text }) => {
      const refused = await store.transaction(async (tx): Promise<Refusal | null> => {
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
        // Its customer is told that it is with the shop, so no quiet hours hold it.
        await tx.notices.owe(asked, enquiryNotice(id), at)
        return null
      })
      onNotice()
      return refused
    },

    answer: async (id, person, { cause, text }) => {
      const answered = await store.transaction(async (tx) => {
        const opened = await open(tx, id, person)
        if (!opened || isForgotten(opened.enquiry)) return null
        if (await tx.enquiries.answer(id, cause, now())) {
          const answer: NoticeContent = { kind: 'answer', subject: `enquiry:${id}`, enquiryId: id, text }
          await oweWhenAwake(tx, opened.enquiry.customerChatId, answer, now())
        }
        return opened.enquiry
      })
      onNotice()
      return answered
    },

    open: (id, person) => open(store, id, person),

    block: (id, person, isBlocked) =>
      store.transaction(async (tx) => {
        const opened = await open(tx, id, person)
        if (!opened) return null
        if (isBlocked) await tx.enquiries.block(id, now())
        else await tx.enquiries.unblock(opened.enquiry)
        return { ...opened, isBlocked }
      }),

    takenAs: async (cause) => {
      if (await store.enquiries.byCause(cause)) return 'question'
      return (await store.enquiries.isAnsweredBy(cause)) ? 'answer' : null
    },
  }
}

/** An answer can wait for the morning. */
const oweWhenAwake = async (tx: Queries, chatId: number, content: NoticeContent, at: Date): Promise<void> => {
  const until = quietUntil(await tx.preferences.of(chatId), at)
  await tx.notices.owe(chatId, content, at, null, until)
}

const limit = async (
  { enquiries }: Pick<AllQueries, 'enquiries'>,
  { id, accountId }: Order,
  chatId: number,
  at: Date,
): Promise<Refusal | null> => {
  if (await enquiries.isBlocked({ accountId, customerChatId: chatId })) return { kind: 'blocked' }
  const waiting = await enquiries.unansweredSince(chatId, new Date(at.getTime() - unansweredMs))
  if (waiting.includes(id)) return { kind: 'unanswered' }
  if (waiting.length >= mostUnanswered) return { kind: 'too_many' }
  const asked = await enquiries.askedSince(chatId, new Date(at.getTime() - hourMs))
  const oldest = asked.at(-mostInAnHour)
  return oldest ? { kind: 'too_often', waitMs: oldest.getTime() + hourMs - at.getTime() } : null
}
