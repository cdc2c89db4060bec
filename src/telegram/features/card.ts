import { orderCard, purchaseCard } from '../cards.ts'
import type { BotContext } from '../context.ts'
import type { Services } from '../services.ts'

/**
 * Shows a purchase's card, unless it has one already: a redelivered message and a double press lead to the same
 * purchase, and two cards would look like two orders.
 */
export const showCardOnce = (
  { talk }: BotContext,
  { store, lists, now }: Services,
  how: 'say' | 'show',
  purchaseId: string,
): void => {
  const words = async () => {
    const purchase = await store.purchases.byId(purchaseId)
    return purchase && purchase.cardMessageId === null
      ? purchaseCard(store, lists, purchase, now(), talk.chatId)
      : null
  }
  talk[how](words, (messageId) => store.purchases.showOn(purchaseId, messageId))
}

/**
 * Draws an order on the message whose button was pressed. In its own chat that message is the order's card from
 * now on, and the outbox draws it: a second writer could put an older state over a newer one.
 */
export const redrawHere = async (ctx: BotContext, services: Services, orderId: string): Promise<void> => {
  const { store, purchases, now } = services
  const order = await store.orders.byId(orderId)
  if (!order) return
  if (order.chatId === ctx.talk.chatId && ctx.msgId !== undefined && !order.listed) {
    await purchases.redraw(order.purchaseId, ctx.msgId)
  } else ctx.talk.show(async () => orderCard(store, order, now(), ctx.talk.chatId))
}
