import type { Announcement } from '../../../domain/notice.ts'
import type { Order } from '../../../domain/order/order.ts'
import { isExtraOwed } from '../../../domain/order/recipient-ends.ts'
import { isOutdated } from '../../../domain/order/uncertainty.ts'
import { isWarnedOf } from '../../../orders/following/warnings.ts'
import type { Network } from '../../../provider/index.ts'
import { balanceCodes } from '../../../settings/balance-codes.ts'
import type { ShownOrder, ShownPurchase } from '../../../store/orders/cards.ts'
import type { Screen } from '../../chat/screen.ts'
import { orderedBy, orderedByOwner } from '../../words/agent.ts'
import { customerCanCheck } from '../../words/bundle.ts'
import { listDone } from '../lists/list-card.ts'
import { orderCard, purchaseCard } from '../purchase-card.ts'
import { savedName } from '../saved-names.ts'
import { orderSeenBy, roleIn, type SeenOrder, type ViewerRole, viewOf } from '../viewer.ts'
import * as announcementTexts from '../words/announcement.ts'
import * as listTexts from '../words/list.ts'
import { isOnlyReported } from './doubt.ts'
import { heldNews, inChat } from './held-news.ts'
import { listButtons, reportButtons, statusButtons } from './next-step-buttons.ts'
import { standingWarning } from './warnings.ts'
import { type Content, cardIn, type Sources, type Worded, type Wordings } from './wording.ts'

/** Cards of purchases, and news of orders and lists for the people who ordered and for their owners. */
export const orderNotices: Wordings<'card' | 'announce' | 'list'> = {
  card: async ({ purchaseId }, chatId, sources) => {
    const { store, lists, now } = sources
    const found = await store.cards.ofPurchase(purchaseId, chatId)
    if (!found) return null
    const isOld = await freshenFor(found, sources)
    const shown = isOld ? await store.cards.ofPurchase(purchaseId, chatId) : found
    if (!shown) return null
    return {
      kind: 'live',
      screen: await purchaseCard(store, lists, shown, now(), chatId),
      messageId: shown.purchase.cardMessageId,
      standsOn: (messageId) => store.purchases.showOn(purchaseId, messageId),
    }
  },
  announce: async ({ orderId, what }, chatId, sources) => {
    const shown = await sources.store.cards.ofOrder(orderId, chatId)
    return shown && news(shown, what, chatId, sources)
  },
  list: (content, chatId, sources) => listNews(content, chatId, sources),
}

/**
 * Reads the balance again for an owner's draft, because the card shows it. @returns false if it cannot have changed.
 */
const freshenFor = async (
  { purchase, viewer, account }: ShownPurchase,
  { freshenBalance }: Sources,
): Promise<boolean> => {
  const [line] = purchase.lines
  if (purchase.state !== 'draft' || purchase.kind !== 'single' || viewer?.role !== 'owner' || !line)
    return false
  return freshenBalance(purchase.accountId, line.pricePesewas, account)
}

const listNews = async (
  { purchaseId, what, heldById }: Content<'list'>,
  chatId: number,
  sources: Sources,
): Promise<Worded> => {
  const { store, lists, now } = sources
  const purchase = await store.purchases.byId(purchaseId)
  if (!purchase) return null
  if (what !== 'held')
    return inChat(purchase, await listDone(store, lists, purchase, what, now(), chatId), chatId, store)
  if (purchase.heldById !== heldById) return null
  const holding = await store.orders.byId(heldById ?? '')
  const screen = await heldNews(purchase, chatId, sources)
  if (!screen || !holding) return screen
  const says = (await isWarnedOf(store, holding)) ? 'held' : 'asked'
  const warning = { chatId, purchaseId, orderId: holding.id, mistaken: null, says } as const
  return standingWarning(screen, warning, purchase.accountId, sources)
}

/**
 * The news of an order. The person who ordered gets it as a reply to the order's card. For an agent's order, the
 * responsible owner gets it too.
 */
const news = async (
  shown: ShownOrder,
  what: Announcement,
  chatId: number,
  sources: Sources,
): Promise<Worded> => {
  const { store } = sources
  const { order, purchase } = shown
  if (isOutdated(what, order)) return null
  const viewer = roleIn(order, chatId, shown.viewer)
  if (chatId !== order.chatId && viewer !== 'owner') return null
  const seen = orderSeenBy(order, await viewOf(store, order, viewer))
  const isHidden = what.about === 'doubt' && !(await seesEntries(order, viewer, store))
  const told: Screen = isHidden
    ? { text: announcementTexts.announceDoubtToAgent(seen) }
    : await announcement({ seen, viewer, shown }, what, chatId, sources)
  const screen =
    chatId === order.chatId
      ? { ...told, replyTo: cardIn(chatId, purchase) }
      : { ...told, text: `${whoOrdered(order)}\n${told.text}` }
  if ((isHidden || isWarning(what)) && (await isWarnedOf(store, order)))
    return standingWarning(screen, warningOf(order, what, chatId), order.accountId, sources)
  return screen
}

const whoOrdered = ({ ownerChatId, agentName }: Order): string =>
  ownerChatId === null ? orderedByOwner : orderedBy(agentName)

/**
 * Whether the news only says that an uncertain order may have been charged, so that its message can be replaced when
 * that is known. News of debits is kept, because it may be the only message that names them.
 */
const isWarning = ({ about }: Announcement): boolean => about === 'placement' || about === 'mistaken'

const warningOf = ({ id, purchaseId }: Order, what: Announcement, chatId: number) => ({
  chatId,
  purchaseId,
  orderId: id,
  mistaken: what.about === 'mistaken' ? what.reference : null,
  says: 'uncertain' as const,
})

/** Whether the viewer may see wallet entries. Owners may, and the last owner if the account has no owner any longer. */
const seesEntries = async (
  { accountId }: Order,
  viewer: ViewerRole,
  store: Sources['store'],
): Promise<boolean> => {
  if (viewer !== 'former_owner') return viewer === 'owner'
  return (await store.accounts.members(accountId)).every(({ role }) => role !== 'owner')
}

interface ToldOrder {
  seen: SeenOrder
  viewer: ViewerRole
  shown: ShownOrder
}

/** @param chatId the chat that gets the news: owners and agents see different cards. */
const announcement = async (
  { seen, viewer, shown }: ToldOrder,
  what: Announcement,
  chatId: number,
  { store, now }: Sources,
): Promise<Screen> => {
  const { order: whole, purchase } = shown
  const rows = () => statusButtons(shown, viewer)
  const report = reportButtons(whole, viewer)
  switch (what.about) {
    case 'status': {
      const text = statusNews(seen, what, savedName(shown))
      const code =
        what.status === 'delivered' ? (await balanceCodes(store))[whole.network as Network] : undefined
      return { text: code ? `${text}\n${customerCanCheck(code)}` : text, rows: rows() }
    }
    case 'other_price':
      return { text: announcementTexts.announceOtherPrice(seen), rows: seen.costs ? report : [] }
    case 'overcharged':
      return { text: announcementTexts.announceOvercharge(seen, what), rows: seen.costs ? report : [] }
    case 'refund':
      return {
        text: announcementTexts.announceRefund(seen),
        rows: isExtraOwed(whole) && seen.costs ? report : rows(),
      }
    case 'proof':
      return { text: announcementTexts.announceProof(seen), rows: rows() }
    case 'accepted_in_part':
      return { text: listTexts.acceptedInPart(seen), rows: listButtons(whole) }
    case 'doubt':
      return { text: announcementTexts.announceDoubt(seen, what, now()) }
    case 'mistaken':
      return { text: announcementTexts.announceMistaken(seen, what.reference) }
    case 'other_reference':
      return { text: announcementTexts.announceOtherReference(seen, what.reference), rows: rows() }
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
      const card = await orderCard(store, shown, now(), chatId)
      const isOnCard = isUnanswered(whole) && cardIn(chatId, purchase) !== null
      return isOnCard ? { ...card, text: announcementTexts.announceUnconfirmed(seen) } : card
    }
    case 'placed':
    case 'stale':
      return orderCard(store, shown, now(), chatId)
  }
}

/**
 * Whether the provider's answer was lost just now, so that the order's card is close above the news. For other
 * uncertain orders the card may be far up.
 */
const isUnanswered = ({ placement, reason }: Order): boolean =>
  placement === 'unconfirmed' && !['restored', 'history_unreadable', 'pending'].includes(reason ?? '')

const statusNews = (
  order: SeenOrder,
  what: Extract<Announcement, { about: 'status' }>,
  name: string | null,
): string => {
  const reported = isOnlyReported(order, what)
  return announcementTexts.announceStatus(order, what.status, reported, what.contradicts, name)
}
