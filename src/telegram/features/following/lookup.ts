import { isRedacted, type Order } from '../../../domain/order/order.ts'
import { mayChange } from '../../../domain/order/timeline.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { isWalletError } from '../../../wallets/wallets.ts'
import { sharedCard } from '../../cards/shared-card.ts'
import { followedToast, unfollowedToast } from '../../cards/words/follower.ts'
import * as orderTexts from '../../cards/words/order.ts'
import type { BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { tooOldToFollow } from '../../words/numbers.ts'
import * as unreadableTexts from '../../words/unreadable.ts'
import { orderGone } from '../../words/unusable.ts'
import { sayOrder } from '../orders/order.ts'
import * as lookupTexts from './lookup-words.ts'

/**
 * Shows the order with that reference. The account's members see their view of it; anyone else sees network, volume,
 * masked number, status and time. An unknown reference is looked up at the provider only for owners, with their own
 * account's request limit.
 */
export const lookUp = async (ctx: BotContext, reference: string): Promise<void> => {
  const waitMs = await ctx.services.mayLookUp(askersOf(ctx))
  if (waitMs > 0) return ctx.talk.say(lookupTexts.tooManyLookups(waitMs))
  const order = await ctx.services.store.orders.byReference(reference)
  const isPrivate = ctx.chat?.type === 'private'
  const person = isPrivate ? await personOf(ctx) : null
  if (order) return sayTo(ctx, person, order)
  // Agents must not see orders that were made elsewhere with the owner's key.
  if (person?.role === 'owner') return lookUpElsewhere(ctx, person.accountId, reference)
  ctx.talk.say(lookupTexts.noSuchOrder(reference))
}

/**
 * The ids whose limits a look-up counts towards: the chat, and in a group also the asker. Members who write anonymously
 * count only as the chat, because Telegram shows them all as the same user.
 */
const askersOf = (ctx: BotContext): number[] => {
  const { chatId } = ctx.talk
  return ctx.from && !ctx.senderChat ? [chatId, ctx.from.id] : [chatId]
}

/** Shows an order in a new message: to people who may read it, their own card; to others, the shared card. */
const sayTo = async (ctx: BotContext, person: Person | null, order: Order): Promise<void> => {
  if (person && mayRead(person, order)) return sayOrder(ctx, order)
  putShared(ctx, order, 'say')
}

const putShared = ({ talk, services: { store, now } }: BotContext, order: Order, how: 'say' | 'show'): void =>
  talk[how](
    () => sharedCard(store, order, talk.chatId, now()),
    (messageId) => store.chats.showFollowOn(order.id, talk.chatId, messageId),
  )

/** Looks up, at the provider, an order that was made elsewhere with the same API key. */
const lookUpElsewhere = async (ctx: BotContext, accountId: string, reference: string): Promise<void> => {
  ctx.talk.aside(async () => {
    try {
      const record = await ctx.services.wallets.ask(accountId, 'person', (provider) =>
        provider.orderStatus(reference),
      )
      const price = record.totalPricePesewas ?? record.pricePesewas
      ctx.talk.say(lookupTexts.lookedUpElsewhere({ ...record, price, now: ctx.services.now() }))
    } catch (error) {
      if (!isWalletError(error)) throw error
      const unknown = error.code === 'not_found'
      ctx.talk.say(
        unknown
          ? lookupTexts.noSuchOrder(reference)
          : unreadableTexts.cannotRead(unreadableTexts.readable.status, error),
      )
    }
  })
}

/** Opens a share link: the customer sees the order and follows it from then on. */
export const openLink = async (ctx: BotContext, token: string): Promise<void> => {
  const { services } = ctx
  const orderId = services.keyring.verify('share', token)
  const order = orderId ? await services.store.orders.byId(orderId) : null
  if (!order) return ctx.talk.say(lookupTexts.brokenLink)
  const person = await personOf(ctx)
  if (person && mayRead(person, order)) return sayOrder(ctx, order)
  if (!isRedacted(order)) await services.store.chats.follow(order.id, ctx.talk.chatId, services.now())
  putShared(ctx, order, 'say')
}

/**
 * `Follow` and `Unfollow` on a stranger's view. No further check is needed: the order's id is too long to guess, so
 * only people who have seen the order can press the button.
 */
export const follow = async (ctx: BotContext, orderId: string, on: boolean): Promise<void> => {
  const { store, now } = ctx.services
  const order = await store.orders.byId(orderId)
  if (!order) return ctx.talk.toast(orderGone, true)
  if (on && isRedacted(order)) return ctx.talk.toast(tooOldToFollow, true)
  if (on) await store.chats.follow(orderId, ctx.talk.chatId, now())
  else await store.chats.unfollow(orderId, ctx.talk.chatId)
  ctx.talk.toast(on ? followedToast(!mayChange(order)) : unfollowedToast)
  putShared(ctx, order, 'show')
}

export const look = async (ctx: BotContext, orderId: string): Promise<void> => {
  const order = await ctx.services.store.orders.byId(orderId)
  if (!order) return ctx.talk.toast(orderGone, true)
  ctx.talk.toast(orderTexts.refreshed)
  putShared(ctx, order, 'show')
}

/** Shows in a new message an order that the chat follows or asked about. That message becomes its card. */
export const openShared = async (ctx: BotContext, orderId: string): Promise<void> => {
  const order = await ctx.services.store.orders.byId(orderId)
  if (!order) return ctx.talk.toast(orderGone, true)
  await sayTo(ctx, await personOf(ctx), order)
}
