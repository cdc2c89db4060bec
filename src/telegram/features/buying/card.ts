import type { Purchase } from '../../../domain/order/order.ts'
import { isWarnedOf } from '../../../orders/following/warnings.ts'
import type { Lists } from '../../../orders/listing/list-orders.ts'
import { bookOf, type Contact } from '../../../store/shop/contacts.ts'
import type { Store } from '../../../store/store.ts'
import { statusButtons } from '../../cards/notices/next-step-buttons.ts'
import { openDraftCard, orderCard, purchaseCard, toDraw } from '../../cards/purchase-card.ts'
import { roleIn } from '../../cards/viewer.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import type { Button, Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'

/**
 * Shows a purchase's card, unless a message shows it already. A redelivered message and a double press lead to the same
 * purchase, and two cards would look like two orders.
 */
export const showCardOnce = (
  { talk, services: { store, lists, now } }: Asker,
  how: 'say' | 'show',
  purchaseId: string,
): void => {
  const words = () => cardNotShown(store, lists, purchaseId, { at: now(), chatId: talk.chatId })
  talk[how](words, (messageId) => store.purchases.showOn(purchaseId, messageId))
}

/** The purchase's card; null if a message already shows it. */
const cardNotShown = async (
  store: Store,
  lists: Lists,
  purchaseId: string,
  { at, chatId }: { at: Date; chatId: number },
): Promise<Screen | null> => {
  const shown = await store.cards.ofPurchase(purchaseId, chatId)
  return shown?.purchase.cardMessageId === null ? purchaseCard(store, lists, shown, at, chatId) : null
}

/**
 * Like `showCardOnce`, for a new draft.
 * @param saved the contact with its number, if the caller has just read it; null if the number is not saved.
 */
export const showDraftOnce = (ctx: Asker, draft: Purchase, saved?: Contact | null): void => {
  const { store, lists, now } = ctx.services
  const { chatId } = ctx.talk
  const words = async () => {
    const at = now()
    const found = await toDraw(store, draft, chatId, at)
    const { purchase, member } = found
    const [line] = draft.lines
    if (!member || !line || purchase?.state !== 'draft' || purchase.cardMessageId !== null)
      return cardNotShown(store, lists, draft.id, { at, chatId })
    const contact = saved === undefined ? await store.contacts.byPhone(bookOf(member), line.phone) : saved
    return openDraftCard(store, { ...found, purchase, name: contact?.name ?? null }, chatId, at)
  }
  ctx.talk.show(words, (messageId) => store.purchases.showOn(draft.id, messageId))
}

/**
 * Redraws a purchase's card with its current state, in the message with the pressed button. Without a press, redraws
 * the message that shows the card.
 */
export const redrawPurchase = (ctx: BotContext, purchaseId: string): Promise<void> =>
  ctx.services.purchases.redraw(purchaseId, (ctx.callbackQuery && ctx.msgId) ?? null)

/** The person to answer, and the message with the pressed button if the press is handled at once. */
type Pressed = Asker & Partial<Pick<BotContext, 'callbackQuery'>>

/**
 * Redraws an order in the message with the pressed button. In the order's own chat, that message becomes its card and
 * the outbox draws it, because a second writer could replace a newer state by an older one.
 */
export const redrawHere = async (ctx: Pressed, orderId: string): Promise<void> => {
  const { store, purchases } = ctx.services
  const order = await store.orders.byId(orderId)
  if (!order) return
  if (order.chatId === ctx.talk.chatId && ctx.msgId !== undefined && !order.listed) {
    const purchase = await store.purchases.byId(order.purchaseId)
    const isNews = purchase !== null && isNewsOfEnd(ctx, purchase)
    if (isNews) ctx.talk.showButtons(async () => newsButtons(store, orderId, ctx.talk.chatId))
    await purchases.redraw(order.purchaseId, isNews ? null : ctx.msgId)
    return
  }
  // The card replaces the warning in this message and says more than the line that would close it, so the warning is
  // forgotten.
  if (ctx.msgId !== undefined && !(await isWarnedOf(store, order)))
    await store.warnings.forget({ chatId: ctx.talk.chatId, messageId: ctx.msgId })
  const words = () => orderWords(ctx.services, orderId, ctx.talk.chatId)
  // If the request had to wait for the provider, the card replaces the message that said so.
  if (ctx.onUnread && ctx.msgId !== undefined) ctx.talk.edit(ctx.msgId, words)
  else ctx.talk.show(words)
}

/**
 * Whether the pressed message is the news of the purchase's end, and not an earlier card. The news replies to the card
 * and keeps its text.
 */
const isNewsOfEnd = (ctx: Pressed, { isBare, cardMessageId }: Purchase): boolean =>
  isBare && ctx.msgId !== cardMessageId && ctx.callbackQuery?.message?.reply_to_message !== undefined

/** The first buttons of an order that has ended, with the nonce for its next repeat. */
const newsButtons = async (store: Store, orderId: string, chatId: number): Promise<Button[][]> => {
  const shown = await store.cards.ofOrder(orderId, chatId)
  return shown ? statusButtons(shown, roleIn(shown.order, chatId, shown.viewer)) : []
}

/** An order's card, with its state when this is called. */
export const orderWords = async (
  { store, now }: Services,
  orderId: string,
  viewerId: number,
): Promise<Screen | null> => {
  const shown = await store.cards.ofOrder(orderId, viewerId)
  return shown && orderCard(store, shown, now(), viewerId)
}
