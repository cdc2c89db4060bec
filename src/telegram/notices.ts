import { isAwaited, isShared } from '../accounts/departure.ts'
import { isRefused } from '../accounts/refusal.ts'
import { askedChat } from '../orders/enquiries.ts'
import type { Lists } from '../orders/lists.ts'
import { maintenanceOf } from '../orders/maintenance.ts'
import type { Order, PricelessOrder, Purchase } from '../orders/order.ts'
import { mayRead } from '../orders/purchases.ts'
import { isTerminal } from '../orders/status.ts'
import {
  type AgencyNews,
  type Announcement,
  type ConnectionOutcome,
  type ListNews,
  type Missed,
  type Notice,
  type NoticeContent,
  type OwnershipNews,
  ordersAgain,
  reachesBlocked,
  untilLetGo,
} from '../relay/notice.ts'
import type { Delivery } from '../relay/outbox.ts'
import { isForgotten } from '../store/enquiries.ts'
import type { WholeStore } from '../store/store.ts'
import { orderCard, purchaseCard } from './cards.ts'
import { engagementOf } from './engagement.ts'
import { answerCard, enquiryCard } from './enquiry-card.ts'
import { homeRows } from './features/home.ts'
import { listDone, listHeld } from './list-card.ts'
import { deliveryAfter } from './refusal.ts'
import { savedName } from './saved-names.ts'
import { type Key, key, type Screen } from './screen.ts'
import type { Sender, Sent } from './sender.ts'
import type { Services } from './services.ts'
import { askKey, maskedWhom, sharedCard } from './shared-card.ts'
import { type ReadBalance, type SummaryPeriod, summaryScreen } from './summary.ts'
import * as agentWords from './texts/agent.ts'
import * as announcementTexts from './texts/announcement.ts'
import * as auditTexts from './texts/audit.ts'
import * as connectTexts from './texts/connect.ts'
import * as digestTexts from './texts/digest.ts'
import * as disconnectTexts from './texts/disconnect.ts'
import { enquiryLabels } from './texts/enquiry.ts'
import { followAnnounce, followEnded, followMistaken } from './texts/follower.ts'
import { homeLabels } from './texts/home.ts'
import * as listTexts from './texts/list.ts'
import * as maintenanceTexts from './texts/maintenance.ts'
import { youAreBlocked } from './texts/operator.ts'
import { ordersErased } from './texts/settings.ts'
import * as walletTexts from './texts/wallet.ts'
import { atPrice, usualOf } from './usual.ts'
import { memberRole, orderSeenBy, roleOf, type SeenOrder, type ViewerRole, viewOf } from './viewer.ts'

type Departed = Extract<NoticeContent, { kind: 'departed' }>

/** Words a notice from what is true now, and sends it. */
export const createDeliver = (
  store: WholeStore,
  lists: Lists,
  sender: Sender,
  now: () => Date,
  readBalance: ReadBalance,
  freshenBalance: Services['freshenBalance'],
) => {
  const deliver = async (notice: Notice): Promise<Delivery> => {
    const { chatId, content } = notice
    if (!reachesBlocked(content) && (await store.operations.blockedSince(chatId))) return { kind: 'sent' }
    switch (content.kind) {
      case 'card':
        return showCard(chatId, content.purchaseId)
      case 'follow_card':
        return showShared(chatId, content.orderId)
      case 'announce':
        return withOrder(content.orderId, (order) => sayNews(chatId, order, content.what))
      case 'follow_announce':
        if (!(await store.chats.followOf(content.orderId, chatId))) return { kind: 'sent' }
        return withOrder(content.orderId, (order) => say(chatId, followNews(order, chatId, content)))
      case 'enquiry':
        return sayEnquiry(chatId, content)
      case 'answer':
        return sayAnswer(chatId, content.enquiryId, content.text)
      case 'digest':
        return sayDigest(chatId, content)
      case 'list':
        return sayList(chatId, content.purchaseId, content.what)
      case 'follow_mistaken':
        return withOrder(content.orderId, (order) => say(chatId, followMistaken(order, maskedWhom(order))))
      case 'reconnect':
        return sayRefused(chatId)
      case 'accepted_again':
        return say(chatId, connectTexts.acceptedAgain)
      case 'low_balance':
        return sayLowBalance(chatId, content)
      case 'audit':
        return say(chatId, auditTexts.audit(content, now()))
      case 'connection':
        return say(chatId, connectionScreen(chatId, content.outcome))
      case 'departed':
        return say(chatId, await departedWords(chatId, content))
      case 'agency':
        return sayAgency(chatId, content.news)
      case 'ownership':
        return say(chatId, ownershipScreen(content.news))
      case 'summary':
        return saySummary(chatId, content)
      case 'unfollowed':
        return sayUnfollowed(chatId, content.orderIds)
      case 'follow_ended':
        return withOrder(content.orderId, (order) => say(chatId, followEnded(order, maskedWhom(order))))
      case 'orders_again':
        return sayOrdersAgain(chatId)
      case 'blocked':
        return sayBlocked(chatId)
      case 'delete':
        return after(await sender.remove(chatId, content.messageId), chatId)
    }
  }

  /** Credentials that are accepted by now need no alarm. A private chat's id is its user's. */
  const sayRefused = async (chatId: number): Promise<Delivery> => {
    const member = await store.accounts.member(chatId)
    const account = member && (await store.accounts.byId(member.accountId))
    return isRefused(account) ? say(chatId, connectTexts.reconnect) : { kind: 'sent' }
  }

  /** Who is blocked no more need not be told that they were. */
  const sayBlocked = async (chatId: number): Promise<Delivery> =>
    (await store.operations.blockedSince(chatId)) ? say(chatId, youAreBlocked) : { kind: 'sent' }

  /** Who is told at a time when orders are paused once more is told after that. */
  const sayOrdersAgain = async (chatId: number): Promise<Delivery> => {
    if (!(await maintenanceOf(store))) return say(chatId, maintenanceTexts.ordersAgain)
    await store.notices.owe(chatId, ordersAgain, now(), null, untilLetGo)
    return { kind: 'sent' }
  }

  /** To who owns that account still. */
  const sayLowBalance = async (
    chatId: number,
    content: Extract<NoticeContent, { kind: 'low_balance' }>,
  ): Promise<Delivery> => {
    const { accountId, balancePesewas: balance, levelPesewas: level } = content
    const member = await store.accounts.member(chatId)
    if (member?.accountId !== accountId || member.role !== 'owner') return { kind: 'sent' }
    const goodFor = atPrice(balance, await usualOf(store, accountId, now()))
    const rows = [
      [
        key(homeLabels.balance, { do: 'balance' }),
        key(walletTexts.walletLabels.alert, { do: 'settings', act: { act: 'open', topic: 'level' } }),
      ],
    ]
    return say(chatId, { text: walletTexts.lowBalance({ balance, level, goodFor }), rows })
  }

  const showCard = async (chatId: number, purchaseId: string): Promise<Delivery> => {
    const purchase = await store.purchases.byId(purchaseId)
    if (!purchase) return { kind: 'sent' }
    await freshenFor(purchase, chatId)
    const screen = await purchaseCard(store, lists, purchase, now(), chatId)
    const sent = await put(chatId, purchase.cardMessageId, screen)
    if (sent.kind === 'sent' && sent.messageId !== purchase.cardMessageId) {
      await unlessLost(store.purchases.showOn(purchaseId, sent.messageId))
    }
    return after(sent, chatId)
  }

  /** A draft of an owner shows the balance. */
  const freshenFor = async (
    { state, kind, accountId, lines: [line] }: Purchase,
    chatId: number,
  ): Promise<void> => {
    if (state !== 'draft' || kind !== 'single' || !line) return
    const member = await store.accounts.member(chatId)
    if (member?.accountId === accountId && member.role === 'owner')
      await freshenBalance(accountId, line.pricePesewas)
  }

  const sayList = async (chatId: number, purchaseId: string, what: ListNews): Promise<Delivery> => {
    const purchase = await store.purchases.byId(purchaseId)
    const screen =
      purchase &&
      (what === 'held'
        ? await listHeld(store, purchase, chatId)
        : await listDone(store, purchase, what, now(), chatId))
    if (!screen || !purchase) return { kind: 'sent' }
    return chatId === purchase.chatId ? say(chatId, screen) : reportList(chatId, purchase, screen)
  }

  const showShared = async (chatId: number, orderId: string): Promise<Delivery> => {
    const follow = await store.chats.followOf(orderId, chatId)
    const order = await store.orders.byId(orderId)
    if (!follow || !order) return { kind: 'sent' }
    const sent = await put(chatId, follow.messageId, await sharedCard(store, order, chatId, now()))
    if (sent.kind === 'sent' && sent.messageId !== follow.messageId) {
      await unlessLost(store.chats.showFollowOn(orderId, chatId, sent.messageId))
    }
    return after(sent, chatId)
  }

  /** Who had ordered may be gone since it was asked: then it goes to whoever is asked now. */
  const sayEnquiry = async (
    chatId: number,
    notice: Extract<NoticeContent, { kind: 'enquiry' }>,
  ): Promise<Delivery> => {
    const enquiry = await store.enquiries.byId(notice.enquiryId)
    const order = enquiry && (await store.orders.byId(enquiry.orderId))
    const member = await store.accounts.member(chatId)
    if (!enquiry || !order || isForgotten(enquiry)) return { kind: 'sent' }
    if (member && mayRead(member, order)) {
      const isBlocked = await store.enquiries.isBlocked(enquiry)
      return say(chatId, enquiryCard(store, { enquiry, order, isBlocked }, member))
    }
    const other = await askedChat(store, order)
    if (other !== null) await store.notices.owe(other, notice, now())
    return { kind: 'sent' }
  }

  const sayAnswer = async (chatId: number, enquiryId: string, text: string): Promise<Delivery> => {
    const enquiry = await store.enquiries.byId(enquiryId)
    if (!enquiry || isForgotten(enquiry)) return { kind: 'sent' }
    return withOrder(enquiry.orderId, (order) => say(chatId, answerCard(store, enquiry, order, text)))
  }

  /** What did not go well is asked about at once. */
  const followNews = async (
    order: Order,
    chatId: number,
    content: Extract<NoticeContent, { kind: 'follow_announce' }>,
  ): Promise<Screen> => {
    const { status } = content
    const isReported = isOnlyReported(order, content)
    const isSad = isTerminal(status) && status !== 'delivered'
    const mayAsk = isSad && chatId > 0 && (await askedChat(store, order)) !== null
    return {
      text: followAnnounce(order, maskedWhom(order), status, isReported),
      rows: mayAsk ? [[askKey(order, enquiryLabels.ask)]] : [],
    }
  }

  const saySummary = async (chatId: number, period: SummaryPeriod): Promise<Delivery> => {
    const screen = await summaryScreen({ store, readBalance, now }, chatId, period)
    return screen ? say(chatId, screen) : { kind: 'sent' }
  }

  const departedWords = async (chatId: number, departed: Departed): Promise<string> => {
    const isConnected = (await store.accounts.member(chatId)) !== null
    const text = disconnectTexts.departed(departed.erased, isConnected)
    return departed.forgotten ? `${text}\n${ordersErased}` : text
  }

  const sayUnfollowed = async (chatId: number, orderIds: string[]): Promise<Delivery> => {
    const orders = await Promise.all(orderIds.map((id) => store.orders.byId(id)))
    return say(
      chatId,
      disconnectTexts.unfollowed(
        orders.filter((order) => order !== null),
        now(),
      ),
    )
  }

  /** @param chatId of a private chat: it is the id of its user. */
  const connectionScreen = async (chatId: number, outcome: ConnectionOutcome): Promise<Screen> => {
    switch (outcome.kind) {
      case 'connected': {
        const { accountType, balancePesewas, left } = outcome
        return {
          text: connectTexts.connected(accountType, balancePesewas, left, now()),
          rows: homeRows('owner'),
        }
      }
      case 'refused':
        return { text: connectTexts.credentialsRefused }
      case 'unchecked':
        return { text: connectTexts.credentialsUnchecked(outcome) }
      case 'interrupted':
        return { text: connectTexts.credentialsInterrupted }
      case 'busy':
        return { text: connectTexts.keyIsBusy }
      case 'other_account': {
        const { isCertain, accountType, balancePesewas, untilMs } = outcome
        const stays = await accountOf(chatId)
        const found = { isCertain, accountType, balance: balancePesewas, untilMs }
        return {
          text: connectTexts.askSwitch({ ...found, ...stays }),
          rows: [
            [
              key(connectTexts.connectLabels.switchAccount, { do: 'switch', sure: true, untilMs }),
              key(connectTexts.connectLabels.keep, { do: 'switch', sure: false, untilMs }),
            ],
          ],
        }
      }
    }
  }

  /** What a user would leave behind. */
  const accountOf = async (
    userId: number,
  ): Promise<{ shared: boolean; isAgent: boolean; refused: boolean; waiting: number; open: number }> => {
    const member = await store.accounts.member(userId)
    const accountId = member?.accountId ?? ''
    const waiting = (await store.orders.queuedOfAccount(accountId)).length
    const open = (await store.orders.underWatch(accountId)).filter(isAwaited).length
    const shared = isShared(await store.accounts.members(accountId), userId)
    const refused = isRefused(await store.accounts.byId(accountId))
    return { shared, isAgent: member?.role === 'agent', refused, waiting, open }
  }

  const put = (chatId: number, messageId: number | null, screen: Screen): Promise<Sent> =>
    messageId === null ? sender.send(chatId, screen) : sender.edit(chatId, messageId, screen)

  const withOrder = async (orderId: string, work: (order: Order) => Promise<Delivery>): Promise<Delivery> => {
    const order = await store.orders.byId(orderId)
    return order ? work(order) : { kind: 'sent' }
  }

  const sayDigest = async (
    chatId: number,
    { named, counted, quiet = false }: Extract<NoticeContent, { kind: 'digest' }>,
  ): Promise<Delivery> => {
    const lines = await Promise.all(named.map((missed) => digestLine(missed, chatId)))
    const told = lines.filter((line) => line !== null)
    const isEmpty = told.length === 0 && counted.length === 0
    return isEmpty ? { kind: 'sent' } : say(chatId, digestTexts.digest(told, counted, quiet))
  }

  const digestLine = async ({ orderId, about, followed }: Missed, chatId: number): Promise<string | null> => {
    const order = await store.orders.byId(orderId)
    if (!order) return null
    // As with a message of its own: who follows it no more, or owns the account no more, is told nothing of it.
    if (followed) {
      const isFollowed = (await store.chats.followOf(orderId, chatId)) !== null
      const isBlocked = (await store.operations.blockedSince(chatId)) !== null
      return isFollowed && !isBlocked ? digestTexts.followedDigestLine(order, maskedWhom(order)) : null
    }
    const view = await viewOf(store, order, await roleOf(store, order, chatId))
    const line = digestTexts.digestLine(orderSeenBy(order, view), about)
    if (chatId === order.chatId) return line
    return view.role === 'owner' ? `${agentWords.orderedBy(order.agentName)} ${line}` : null
  }

  /** News of an agent's list, to the owner who answers for them. What is done about it is done on its card. */
  const reportList = async (chatId: number, purchase: Purchase, { text }: Screen): Promise<Delivery> => {
    if ((await memberRole(store, purchase, chatId)) !== 'owner') return { kind: 'sent' }
    const [first] = await store.orders.ofPurchase(purchase.id)
    const rows = first ? listKeys(first) : []
    return say(chatId, { text: `${agentWords.orderedBy(first?.agentName ?? null)}\n${text}`, rows })
  }

  /** News of an order: to who ordered it, and of an agent's order to the owner who answers for them. */
  const sayNews = async (chatId: number, order: Order, what: Announcement): Promise<Delivery> => {
    const viewer = await roleOf(store, order, chatId)
    const view = await viewOf(store, order, viewer)
    if (chatId === order.chatId) {
      const seen = orderSeenBy(order, view)
      const isHidden = what.about === 'doubt' && !(await seesEntries(order, viewer))
      return say(
        chatId,
        isHidden ? announcementTexts.announceDoubtToAgent(seen) : announcement(seen, order, what, chatId),
      )
    }
    if (viewer !== 'owner') return { kind: 'sent' }
    const told = await announcement(orderSeenBy(order, view), order, what, chatId)
    const { text, rows } = typeof told === 'string' ? { text: told, rows: [] } : told
    return say(chatId, { text: `${agentWords.orderedBy(order.agentName)}\n${text}`, rows: rows ?? [] })
  }

  /** The wallet's entries are its owners'; of an account that nobody owns any more, its last owner's. */
  const seesEntries = async ({ accountId }: Order, viewer: ViewerRole): Promise<boolean> => {
    if (viewer !== 'former_owner') return viewer === 'owner'
    return (await store.accounts.members(accountId)).every(({ role }) => role !== 'owner')
  }

  const ownershipScreen = (news: OwnershipNews): Screen => {
    const team = key(homeLabels.agents, { do: 'agents', act: { act: 'list' } })
    switch (news.what) {
      case 'connected':
        return { text: agentWords.ownerConnected(news.who, new Date(news.atMs), now()), rows: [[team]] }
      case 'guessed':
        return { text: agentWords.wrongSecrets(new Date(news.atMs), now()) }
      case 'replaced':
      case 'removed':
        return { text: agentWords.ownerNoMore(news, new Date(news.atMs), now()) }
      case 'took_over':
        return { text: agentWords.tookOver(news.owners, news.paused, news.cancelled), rows: [[team]] }
    }
  }

  const sayAgency = async (chatId: number, news: AgencyNews): Promise<Delivery> => {
    switch (news.what) {
      case 'welcome': {
        const engagement = await engagementOf(store, chatId, now())
        if (!engagement) return { kind: 'sent' }
        return say(chatId, { text: agentWords.welcomeAgent(engagement), rows: homeRows('agent') })
      }
      case 'joined': {
        const [owner, agent] = [
          await store.accounts.member(chatId),
          await store.accounts.member(news.agentId),
        ]
        if (owner?.role !== 'owner' || agent?.role !== 'agent' || agent.accountId !== owner.accountId) {
          return { kind: 'sent' }
        }
        const open = { act: 'open', id: agent.userId } as const
        return say(chatId, {
          text: agentWords.joined(agent.name, agent.dailyLimitPesewas),
          rows: [[key(agentWords.agentLabel(agent.name, false), { do: 'agents', act: open })]],
        })
      }
      case 'paused': {
        const engagement = await engagementOf(store, chatId, now())
        if (!engagement) return { kind: 'sent' }
        const rows = engagement.isPaused ? [] : homeRows('agent').slice(0, 1)
        return say(chatId, { text: agentWords.pausedOrResumed(engagement), rows })
      }
      case 'left':
        return say(chatId, agentWords.leftByThemselves(news.name, news.cancelled, news.open))
      case 'dismissed':
        return say(chatId, agentWords.dismissed(news.cancelled, news.open))
    }
  }

  const statusNews = async (
    order: SeenOrder,
    what: Extract<Announcement, { about: 'status' }>,
    chatId: number,
  ): Promise<Screen> => {
    const name = await savedName(store, order, chatId)
    const reported = isOnlyReported(order, what)
    return { text: announcementTexts.announceStatus(order, what.status, reported, what.contradicts, name) }
  }

  /**
   * @param order as whoever is told sees it, `whole` as it is.
   * @param chatId where it is said: owners and agents see different cards.
   */
  const announcement = (
    order: SeenOrder,
    whole: Order,
    what: Announcement,
    chatId: number,
  ): Promise<Screen> | Screen | string => {
    switch (what.about) {
      case 'status':
        return statusNews(order, what, chatId)
      case 'other_price':
        return announcementTexts.announceOtherPrice(order)
      case 'refund':
        return { text: announcementTexts.announceRefund(order), rows: listKeys(order) }
      case 'proof':
        return announcementTexts.announceProof(order)
      case 'accepted_in_part':
        return { text: listTexts.acceptedInPart(order), rows: listKeys(order) }
      case 'doubt':
        return announcementTexts.announceDoubt(order, what, now())
      case 'mistaken':
        return announcementTexts.announceMistaken(order, what.reference)
      case 'other_reference':
        return announcementTexts.announceOtherReference(order, what.reference)
      case 'two_references':
        return announcementTexts.announceTwoReferences(order, what.reference)
      case 'second_status':
        return announcementTexts.announceSecondStatus(order, what.reference, what.status)
      case 'second_refund':
        return announcementTexts.announceSecondRefund(order, what.reference, what.refundedPesewas)
      case 'placement':
      case 'placed':
      case 'stale':
        return orderCard(store, whole, now(), chatId)
    }
  }

  const say = async (chatId: number, screen: Promise<Screen> | Screen | string): Promise<Delivery> => {
    const whole = typeof screen === 'string' ? { text: screen } : await screen
    return after(await sender.send(chatId, whole), chatId)
  }

  const after = async (sent: Sent, chatId: number): Promise<Delivery> => {
    if (sent.kind === 'sent') return { kind: 'sent' }
    if (sent.refusal.kind === 'migrated') await store.chats.migrate(chatId, sent.refusal.to)
    return deliveryAfter(sent.refusal)
  }

  return deliver
}

/**
 * Where the database cannot take where a card stands, its next redraw is one more message: better than this one sent
 * again and again until it can.
 */
const unlessLost = (written: Promise<void>): Promise<void> => written.catch(() => {})

/** A status that was confirmed while its announcement waited is told without the doubt. */
const isOnlyReported = (order: PricelessOrder, told: { status: string; reported: boolean }): boolean =>
  told.reported && (order.statusReported || order.status !== told.status)

/** What is to be done about one order of a list is done on the list's card. */
const listKeys = ({ listed, purchaseId }: PricelessOrder): Key[][] =>
  listed ? [[key(listTexts.listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })]] : []
