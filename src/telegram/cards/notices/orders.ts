import type { Announcement } from '../../../journal/notice.ts'
import type { Order, Purchase } from '../../../journal/order.ts'
import type { Screen } from '../../chat/screen.ts'
import { orderedBy } from '../../texts/agent.ts'
import * as announcementTexts from '../../texts/announcement.ts'
import * as listTexts from '../../texts/list.ts'
import { listDone, listHeld } from '../list-card.ts'
import { orderCard, purchaseCard } from '../purchase-card.ts'
import { savedName } from '../saved-names.ts'
import { memberRole, orderSeenBy, roleOf, type SeenOrder, type ViewerRole, viewOf } from '../viewer.ts'
import { isOnlyReported } from './doubt.ts'
import { listKeys, reportKeys, statusKeys } from './leading-on.ts'
import { type Content, cardIn, ofOrder, type Sources, type Worded, type Wordings } from './wording.ts'

/** Cards of purchases, and news of orders and lists to those who ordered and to their owners. */
export const orderNotices: Wordings<'card' | 'announce' | 'list'> = {
  card: async ({ purchaseId }, chatId, sources) => {
    const { store, lists, now } = sources
    const purchase = await store.purchases.byId(purchaseId)
    if (!purchase) return null
    await freshenFor(purchase, chatId, sources)
    return {
      kind: 'standing',
      screen: await purchaseCard(store, lists, purchase, now(), chatId),
      messageId: purchase.cardMessageId,
      standsOn: (messageId) => store.purchases.showOn(purchaseId, messageId),
    }
  },
  announce: ({ orderId, what }, chatId, sources) =>
    ofOrder(sources, orderId, (order) => news(order, what, chatId, sources)),
  list: (content, chatId, sources) => listNews(content, chatId, sources),
}

/** A draft of an owner shows the balance. */
const freshenFor = async (
  { state, kind, accountId, lines: [line] }: Purchase,
  chatId: number,
  { store, freshenBalance }: Sources,
): Promise<void> => {
  if (state !== 'draft' || kind !== 'single' || !line) return
  const member = await store.accounts.member(chatId)
  if (member?.accountId === accountId && member.role === 'owner')
    await freshenBalance(accountId, line.pricePesewas)
}

const listNews = async (
  { purchaseId, what }: Content<'list'>,
  chatId: number,
  { store, now }: Sources,
): Promise<Worded> => {
  const purchase = await store.purchases.byId(purchaseId)
  if (!purchase) return null
  const screen =
    what === 'held'
      ? await listHeld(store, purchase, now(), chatId)
      : await listDone(store, purchase, what, now(), chatId)
  if (!screen) return null
  return chatId === purchase.chatId
    ? { ...screen, replyTo: purchase.cardMessageId }
    : listReport(purchase, screen, chatId, store)
}

/**
 * News of an agent's list, for the owner who answers for the agent. The buttons are on the list's card.
 */
const listReport = async (
  purchase: Purchase,
  { text }: Screen,
  chatId: number,
  store: Sources['store'],
): Promise<Worded> => {
  if ((await memberRole(store, purchase, chatId)) !== 'owner') return null
  const [first] = await store.orders.ofPurchase(purchase.id)
  const rows = first ? listKeys(first) : []
  return { text: `${orderedBy(first?.agentName ?? null)}\n${text}`, rows }
}

/**
 * News of an order: to the person who ordered it, as a reply to its card, and of an agent's order to the owner who
 * answers for them.
 */
const news = async (order: Order, what: Announcement, chatId: number, sources: Sources): Promise<Worded> => {
  const { store } = sources
  const viewer = await roleOf(store, order, chatId)
  if (chatId !== order.chatId && viewer !== 'owner') return null
  const seen = orderSeenBy(order, await viewOf(store, order, viewer))
  const isHidden = what.about === 'doubt' && !(await seesEntries(order, viewer, store))
  const told: Screen = isHidden
    ? { text: announcementTexts.announceDoubtToAgent(seen) }
    : await announcement({ seen, whole: order, viewer }, what, chatId, sources)
  return chatId === order.chatId
    ? { ...told, replyTo: await cardIn(chatId, order, store) }
    : { ...told, text: `${orderedBy(order.agentName)}\n${told.text}` }
}

/** The wallet's entries are its owners'; of an account that nobody owns any more, its last owner's. */
const seesEntries = async (
  { accountId }: Order,
  viewer: ViewerRole,
  store: Sources['store'],
): Promise<boolean> => {
  if (viewer !== 'former_owner') return viewer === 'owner'
  return (await store.accounts.members(accountId)).every(({ role }) => role !== 'owner')
}

interface ToldOrder {
  /** The order as the person who is told sees it. */
  seen: SeenOrder
  whole: Order
  /** The reader's role. */
  viewer: ViewerRole
}

/** @param chatId where it is said: owners and agents see different cards. */
const announcement = async (
  { seen, whole, viewer }: ToldOrder,
  what: Announcement,
  chatId: number,
  { store, now }: Sources,
): Promise<Screen> => {
  const rows = () => statusKeys(store, whole, viewer)
  const report = reportKeys(whole, viewer)
  switch (what.about) {
    case 'status':
      return { text: await statusNews(seen, what, chatId, store), rows: await rows() }
    case 'other_price':
      return { text: announcementTexts.announceOtherPrice(seen), rows: seen.costs ? report : [] }
    case 'refund':
      return { text: announcementTexts.announceRefund(seen), rows: await rows() }
    case 'proof':
      return { text: announcementTexts.announceProof(seen), rows: await rows() }
    case 'accepted_in_part':
      return { text: listTexts.acceptedInPart(seen), rows: listKeys(whole) }
    case 'doubt':
      return { text: announcementTexts.announceDoubt(seen, what, now()) }
    case 'mistaken':
      return { text: announcementTexts.announceMistaken(seen, what.reference) }
    case 'other_reference':
      return { text: announcementTexts.announceOtherReference(seen, what.reference), rows: await rows() }
    case 'two_references':
      return { text: announcementTexts.announceTwoReferences(seen, what.reference), rows: report }
    case 'second_status':
      return {
        text: announcementTexts.announceSecondStatus(seen, what.reference, what.status),
        rows: report,
      }
    case 'second_refund':
      return {
        text: announcementTexts.announceSecondRefund(seen, what.reference, what.refundedPesewas),
      }
    case 'placement': {
      const card = await orderCard(store, whole, now(), chatId)
      const isOnCard = isUnanswered(whole) && (await cardIn(chatId, whole, store)) !== null
      return isOnCard ? { ...card, text: announcementTexts.announceUnconfirmed(seen) } : card
    }
    case 'placed':
    case 'stale':
      return orderCard(store, whole, now(), chatId)
  }
}

/** The answer was lost a moment ago; after a restore the card may be a long way up. */
const isUnanswered = ({ placement, reason }: Order): boolean =>
  placement === 'unconfirmed' && !['restored', 'history_unreadable', 'pending'].includes(reason ?? '')

const statusNews = async (
  order: SeenOrder,
  what: Extract<Announcement, { about: 'status' }>,
  chatId: number,
  store: Sources['store'],
): Promise<string> => {
  const name = await savedName(store, order, chatId)
  const reported = isOnlyReported(order, what)
  return announcementTexts.announceStatus(order, what.status, reported, what.contradicts, name)
}
