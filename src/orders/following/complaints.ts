import type { Logger } from 'pino'
import type { ComplaintNews, NoticeContent } from '../../domain/notice.ts'
import { announcementSubject } from '../../domain/notice.ts'
import {
  type ComplaintEnd,
  type ComplaintKind,
  complaintStep,
  complaintTimes,
  isComplainable,
} from '../../domain/order/complaint.ts'
import { isRedacted, type Order } from '../../domain/order/order.ts'
import { latest } from '../../domain/times/ahead.ts'
import type { Network } from '../../provider/network.ts'
import type { Complaint } from '../../store/chats/complaints.ts'
import type { Queries, Store } from '../../store/store.ts'
import { mayRead, type Person } from '../buying/purchases.ts'
import { complaintRulesOf } from './complaint-rules.ts'
import { askedChat, ownerChat } from './enquiries.ts'

/**
 * Complaints that a delivered order has not arrived, from the people who sold it and from customers who follow it.
 * They go to the owner who answers for the order, and to the agent who ordered it. The rules are in
 * `domain/order/complaint`.
 */
export interface Complaints {
  /**
   * Why the person cannot complain about a number of an order; null if they can.
   * @param position the number's place in the order; null means the whole order
   */
  refusal(order: Order, position: number | null, complainer: Complainer): Promise<ComplaintRefusal | null>
  /** Raises a complaint. Returns a refusal if the person cannot complain, for instance because one is open already. */
  raise(order: Order, complainer: Complainer, said: Said): Promise<Complaint | ComplaintRefusal>
  /**
   * Ends a complaint, because the shop has solved it, or the customer who raised it says that the bundle has arrived. A
   * complaint that has ended already is returned as it is.
   * @returns null if the person may not end the complaint, or it does not exist.
   */
  end(id: string, complainer: Complainer): Promise<{ complaint: Complaint; order: Order } | null>
}

/** The person who complains or ends a complaint, and their chat. */
export interface Complainer {
  chatId: number
  /** Null if the person belongs to no account. */
  person: Person | null
}

interface Said {
  /** The number's place in the order; null means the whole order. */
  position: number | null
  kind: ComplaintKind
  photoId: string | null
}

export type ComplaintRefusal =
  /** The person may not read the order, and does not follow it. */
  | { kind: 'not_theirs' }
  | { kind: 'not_delivered' }
  /** The account has no owner left. */
  | { kind: 'nobody' }
  /** The shop blocked the customer. */
  | { kind: 'blocked' }
  | { kind: 'too_many' }
  | { kind: 'open'; complaint: Complaint }

const dayMs = 24 * 60 * 60_000
/** How many complaints a customer may raise in a day. */
export const maxComplaints = 5
const maxTogether = 50

/** Whether the person belongs to the shop and may read the order. */
export const isOfShop = ({ person }: Complainer, order: Order): boolean =>
  person !== null && mayRead(person, order)

export const createComplaints = ({
  store,
  now,
  newId,
  onNotice,
}: {
  store: Store
  now: () => Date
  newId: () => string
  onNotice: () => void
}): Complaints => ({
  refusal: (order, position, complainer) => refusalOf(store, order, position, complainer, now()),

  raise: async ({ id: orderId, accountId }, complainer, { position, kind, photoId }) => {
    const raised = await store.transaction(
      async (tx): Promise<Complaint | ComplaintRefusal> => {
        const at = now()
        const order = await tx.orders.byId(orderId)
        if (!order) return { kind: 'not_theirs' }
        const refusal = await refusalOf(tx, order, position, complainer, at)
        if (refusal) return refusal
        const rules = await complaintRulesOf(tx)
        const delivered = order.deliveredAt ?? order.statusAt ?? order.createdAt
        const complaint = {
          id: newId(),
          orderId,
          accountId,
          position,
          kind,
          photoId,
          raisedBy: complainer.chatId,
          createdAt: at,
          ...complaintTimes(rules[order.network as Network] ?? null, delivered, at),
        }
        await tx.complaints.insert(complaint)
        await enqueueNews(tx, order, complaint, 'raised', at, complainer.chatId)
        return { ...complaint, end: null, endedAt: null }
      },
      { accounts: [accountId] },
    )
    onNotice()
    return raised
  },

  end: async (id, complainer) => {
    const found = await store.complaints.byId(id)
    if (!found) return null
    const ended = await store.transaction(
      async (tx) => {
        const order = await tx.orders.byId(found.orderId)
        const ofShop = order !== null && isOfShop(complainer, order)
        if (!order || (!ofShop && found.raisedBy !== complainer.chatId)) return null
        await endComplaint(tx, order, found, ofShop ? 'solved' : 'arrived', now(), complainer.chatId)
        const complaint = await tx.complaints.byId(id)
        return complaint && { complaint, order }
      },
      { accounts: [found.accountId] },
    )
    onNotice()
    return ended
  },
})

/**
 * Ends complaints whose time is over or whose order has failed, and reminds shops.
 * @returns how many complaints changed; each change queues one or more messages.
 */
export const advanceComplaints = async (
  store: Store,
  now: () => Date,
  log: Pick<Logger, 'error'>,
): Promise<number> => {
  let advanced = 0
  let after = ''
  for (;;) {
    const due = await store.complaints.maybeDue(now(), latest('complaint', now()), after, maxTogether)
    for (const { complaint } of due) {
      try {
        const isDone = await store.transaction((tx) => advance(tx, complaint.id, now()), {
          accounts: [complaint.accountId],
        })
        if (isDone) advanced += 1
      } catch (error) {
        log.error({ complaint: complaint.id, err: error }, 'a complaint could not be ended or reminded of')
      }
    }
    after = due.at(-1)?.complaint.id ?? ''
    if (due.length < maxTogether) return advanced
  }
}

/** Reads the complaint again, because the shop may have ended it meanwhile. */
const advance = async (tx: Queries, id: string, at: Date): Promise<boolean> => {
  const complaint = await tx.complaints.byId(id)
  const order = complaint && (await tx.orders.byId(complaint.orderId))
  if (!complaint || !order || complaint.end !== null) return false
  const step = complaintStep(complaint, order, at)
  if (step === null) return false
  if (step !== 'remind') return endComplaint(tx, order, complaint, step, at)
  if (!(await tx.complaints.noteReminded(id))) return false
  await enqueueNews(tx, order, complaint, 'remind', at)
  return true
}

/**
 * Ends a complaint and tells the people concerned.
 * @param but a chat that is not told, because the person there ended the complaint.
 * @returns false if the complaint had ended before.
 */
const endComplaint = async (
  tx: Queries,
  order: Order,
  complaint: Complaint,
  end: ComplaintEnd,
  at: Date,
  but: number | null = null,
): Promise<boolean> => {
  if (!(await tx.complaints.end(complaint.id, end, at))) return false
  await enqueueNews(tx, order, complaint, 'ended', at, but)
  return true
}

/**
 * Enqueues news for the shop and, if the complaint has ended, for the person who raised it.
 * @param but a chat that gets no news.
 */
const enqueueNews = async (
  tx: Queries,
  order: Order,
  { id, raisedBy }: Pick<Complaint, 'id' | 'raisedBy'>,
  news: ComplaintNews,
  at: Date,
  but: number | null = null,
): Promise<void> => {
  const content: NoticeContent = {
    kind: 'complaint',
    subject: announcementSubject(order.id),
    complaintId: id,
    news,
  }
  const chats = [await ownerChat(tx, order), await askedChat(tx, order), news === 'ended' ? raisedBy : null]
  for (const chatId of new Set(chats))
    if (chatId !== null && chatId !== but) await tx.notices.enqueue(chatId, content, at)
}

const refusalOf = async (
  queries: Pick<Queries, 'accounts' | 'chats' | 'complaints' | 'enquiries'>,
  order: Order,
  position: number | null,
  complainer: Complainer,
  at: Date,
): Promise<ComplaintRefusal | null> => {
  const { chatId } = complainer
  const ofShop = isOfShop(complainer, order)
  // Customers may not name one of several numbers, because they must not learn how many there are.
  if (!ofShop && (position !== null || !(await queries.chats.followOf(order.id, chatId))))
    return { kind: 'not_theirs' }
  const complaint = await queries.complaints.openFor(order.id, position)
  if (complaint) return { kind: 'open', complaint }
  if (isRedacted(order) || !isComplainable(order, position)) return { kind: 'not_delivered' }
  if ((await ownerChat(queries, order)) === null) return { kind: 'nobody' }
  if (ofShop) return null
  if (await queries.enquiries.isBlocked({ accountId: order.accountId, customerChatId: chatId }))
    return { kind: 'blocked' }
  const today = await queries.complaints.raisedSince(chatId, new Date(at.getTime() - dayMs))
  return today >= maxComplaints ? { kind: 'too_many' } : null
}
