import { isAwaited, isShared } from '../accounts/departure.ts'
import type { Lists } from '../orders/lists.ts'
import type { Order } from '../orders/order.ts'
import type { Announcement, ConnectionOutcome, ListNews, Missed, Notice } from '../relay/notice.ts'
import type { Delivery } from '../relay/outbox.ts'
import type { Store } from '../store/store.ts'
import { maskedWhom, orderCard, purchaseCard, sharedCard } from './cards.ts'
import { memberRows } from './features/home.ts'
import { listDone, listHeld } from './list-card.ts'
import * as listTexts from './list-texts.ts'
import { deliveryAfter } from './refusal.ts'
import { type Key, key, type Screen } from './screen.ts'
import type { Sender, Sent } from './sender.ts'
import * as texts from './texts.ts'

/** Words a notice from what is true now, and sends it. */
export const createDeliver = (store: Store, lists: Lists, sender: Sender, now: () => Date) => {
  const deliver = async (notice: Notice): Promise<Delivery> => {
    const { chatId, content } = notice
    switch (content.kind) {
      case 'card':
        return showCard(chatId, content.purchaseId)
      case 'follow_card':
        return showShared(chatId, content.orderId)
      case 'announce':
        return withOrder(content.orderId, (order) => say(chatId, announcement(order, content.what)))
      case 'follow_announce':
        if (!(await store.chats.followOf(content.orderId, chatId))) return { kind: 'sent' }
        return withOrder(content.orderId, (order) => {
          const whom = maskedWhom(order)
          return say(
            chatId,
            texts.followAnnounce(order, whom, content.status, isOnlyReported(order, content)),
          )
        })
      case 'digest':
        return sayDigest(chatId, content.named, content.counted)
      case 'list':
        return sayList(chatId, content.purchaseId, content.what)
      case 'follow_mistaken':
        return withOrder(content.orderId, (order) =>
          say(chatId, texts.followMistaken(order, maskedWhom(order))),
        )
      case 'reconnect':
        return say(chatId, texts.reconnect)
      case 'audit':
        return say(chatId, texts.audit(content, now()))
      case 'connection':
        return say(chatId, connectionScreen(chatId, content.outcome))
      case 'departed':
        return say(chatId, texts.departed(content.erased, (await store.accounts.member(chatId)) !== null))
      case 'unfollowed':
        return sayUnfollowed(chatId, content.orderIds)
      case 'follow_ended':
        return withOrder(content.orderId, (order) => say(chatId, texts.followEnded(order, maskedWhom(order))))
      case 'delete':
        return after(await sender.remove(chatId, content.messageId), chatId)
    }
  }

  const showCard = async (chatId: number, purchaseId: string): Promise<Delivery> => {
    const purchase = await store.purchases.byId(purchaseId)
    if (!purchase) return { kind: 'sent' }
    const screen = await purchaseCard(store, lists, purchase, now())
    const sent = await put(chatId, purchase.cardMessageId, screen)
    if (sent.kind === 'sent' && sent.messageId !== purchase.cardMessageId) {
      await unlessLost(store.purchases.showOn(purchaseId, sent.messageId))
    }
    return after(sent, chatId)
  }

  const sayList = async (chatId: number, purchaseId: string, what: ListNews): Promise<Delivery> => {
    const purchase = await store.purchases.byId(purchaseId)
    const screen =
      purchase &&
      (what === 'held' ? await listHeld(store, purchase) : await listDone(store, purchase, what, now()))
    return screen ? say(chatId, Promise.resolve(screen)) : { kind: 'sent' }
  }

  const showShared = async (chatId: number, orderId: string): Promise<Delivery> => {
    const follow = await store.chats.followOf(orderId, chatId)
    const order = await store.orders.byId(orderId)
    if (!follow || !order) return { kind: 'sent' }
    const sent = await put(chatId, follow.messageId, sharedCard(order, true, now()))
    if (sent.kind === 'sent' && sent.messageId !== follow.messageId) {
      await unlessLost(store.chats.showFollowOn(orderId, chatId, sent.messageId))
    }
    return after(sent, chatId)
  }

  const sayUnfollowed = async (chatId: number, orderIds: string[]): Promise<Delivery> => {
    const orders = await Promise.all(orderIds.map((id) => store.orders.byId(id)))
    return say(
      chatId,
      texts.unfollowed(
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
        return { text: texts.connected(accountType, balancePesewas, left, now()), rows: memberRows }
      }
      case 'refused':
        return { text: texts.credentialsRefused }
      case 'unchecked':
        return { text: texts.credentialsUnchecked(outcome) }
      case 'interrupted':
        return { text: texts.credentialsInterrupted }
      case 'other_account': {
        const { accountType, balancePesewas, untilMs } = outcome
        const stays = await accountOf(chatId)
        return {
          text: texts.askSwitch({ accountType, balance: balancePesewas, untilMs, ...stays }),
          rows: [
            [
              key(texts.labels.switchAccount, { do: 'switch', sure: true, untilMs }),
              key(texts.labels.keep, { do: 'switch', sure: false, untilMs }),
            ],
          ],
        }
      }
    }
  }

  /** What a user would leave behind. */
  const accountOf = async (userId: number): Promise<{ shared: boolean; waiting: number; open: number }> => {
    const accountId = (await store.accounts.member(userId))?.accountId ?? ''
    const waiting = (await store.orders.queuedOfAccount(accountId)).length
    const open = (await store.orders.underWatch(accountId)).filter(isAwaited).length
    return { shared: isShared(await store.accounts.members(accountId), userId), waiting, open }
  }

  const put = (chatId: number, messageId: number | null, screen: Screen): Promise<Sent> =>
    messageId === null ? sender.send(chatId, screen) : sender.edit(chatId, messageId, screen)

  const withOrder = async (orderId: string, work: (order: Order) => Promise<Delivery>): Promise<Delivery> => {
    const order = await store.orders.byId(orderId)
    return order ? work(order) : { kind: 'sent' }
  }

  const sayDigest = async (
    chatId: number,
    named: Missed[],
    counted: [status: string, count: number][],
  ): Promise<Delivery> => {
    const lines = await Promise.all(named.map(digestLine))
    return say(
      chatId,
      texts.digest(
        lines.filter((line) => line !== null),
        counted,
      ),
    )
  }

  const digestLine = async ({ orderId, about, followed }: Missed): Promise<string | null> => {
    const order = await store.orders.byId(orderId)
    if (!order) return null
    return followed ? texts.followedDigestLine(order, maskedWhom(order)) : texts.digestLine(order, about)
  }

  const announcement = (order: Order, what: Announcement): Promise<Screen> | Screen | string => {
    switch (what.about) {
      case 'status':
        return texts.announceStatus(order, what.status, isOnlyReported(order, what), what.contradicts)
      case 'other_price':
        return texts.announceOtherPrice(order)
      case 'refund':
        return { text: texts.announceRefund(order), rows: listKeys(order) }
      case 'proof':
        return texts.announceProof(order)
      case 'accepted_in_part':
        return { text: listTexts.acceptedInPart(order), rows: listKeys(order) }
      case 'doubt':
        return texts.announceDoubt(order, what.debits, what.more, now())
      case 'mistaken':
        return texts.announceMistaken(order, what.reference)
      case 'other_reference':
        return texts.announceOtherReference(order, what.reference)
      case 'placement':
      case 'stale':
        return orderCard(store, order, now())
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
const isOnlyReported = (order: Order, told: { status: string; reported: boolean }): boolean =>
  told.reported && (order.statusReported || order.status !== told.status)

/** What is to be done about one order of a list is done on the list's card. */
const listKeys = ({ listed, purchaseId }: Order): Key[][] =>
  listed ? [[key(listTexts.listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })]] : []
