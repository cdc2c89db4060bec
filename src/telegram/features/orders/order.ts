import type { Order, Purchase } from '../../../domain/order/order.ts'
import { isRemoved } from '../../../domain/order/removed-phone.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { moveCard } from '../../../orders/following/warnings.ts'
import type { Phone } from '../../../provider/index.ts'
import { shownShopName } from '../../../shop/shop-name.ts'
import { againCause } from '../../../store/orders/cards.ts'
import { isWalletError, type WalletError } from '../../../wallets/wallets.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import { placedButtons } from '../../cards/order-buttons.ts'
import { earlierSeenBy, orderSeenBy, viewOf } from '../../cards/viewer.ts'
import * as agentWords from '../../cards/words/agent-permissions.ts'
import * as draftTexts from '../../cards/words/draft.ts'
import { stoppedToast } from '../../cards/words/list.ts'
import * as orderTexts from '../../cards/words/order.ts'
import type { Asker, BotContext } from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import { forwardButton, inRows } from '../../chat/screen.ts'
import { whatsAppButtons } from '../../chat/whatsapp.ts'
import { soldNoMore } from '../../words/bundle.ts'
import { needsNumber } from '../../words/numbers.ts'
import { cannotAsk } from '../../words/unreadable.ts'
import { notYours } from '../../words/unusable.ts'
import { orderWords, redrawHere, showCardOnce } from '../buying/card.ts'
import { type Offered, withPrices } from '../buying/priced-bundles.ts'
import { statusLink } from '../following/status-link.ts'
import { type HandlerFor, member, toastNotYours } from '../guards/guards.ts'
import { admit, sayClosing, sayDenied } from '../guards/order-denial.ts'
import { lookForRefunds } from './refund.ts'
import { reportText } from './report-words.ts'
import { forwardText, notSharedYet, shareText } from './share-words.ts'

/** `Confirm`: confirms the purchase. The press is answered immediately, without waiting for the provider. */
export const confirm = async (
  ctx: BotContext,
  person: Person,
  { purchaseId, after }: { purchaseId: string; after: string | null },
): Promise<void> => {
  const { services } = ctx
  const { purchases } = services
  const confirmation = await purchases.confirm(purchaseId, person, {
    cardMessageId: ctx.msgId ?? null,
    after,
  })
  switch (confirmation.kind) {
    case 'confirmed':
      return ctx.talk.toast(draftTexts.confirmedToast)
    case 'already':
      return ctx.talk.toast(
        confirmation.purchase.state === 'confirmed' ? draftTexts.alreadyConfirmed : draftTexts.alreadyEnded,
      )
    case 'expired':
      await purchases.expireDrafts()
      return ctx.talk.toast(draftTexts.draftExpired, true)
    case 'repeated': {
      const { store } = services
      const viewer = await store.accounts.member(ctx.talk.chatId)
      const earlier = await earlierSeenBy(store, confirmation.earlier, ctx.talk.chatId, viewer)
      return ctx.talk.toast(draftTexts.repeatedToast(earlier, services.now()), true)
    }
    case 'denied':
      await sayDenied(ctx, confirmation.denial)
      if (confirmation.denial.kind === 'closing') await sayClosing(ctx, person)
      return
    case 'unknown':
      toastCardNotYours(ctx)
  }
}

export const toastCardNotYours = (ctx: BotContext): void => ctx.talk.toast(draftTexts.cardNotYours)

/** `Cancel`: cancels a draft, or an order that was not sent yet. */
export const cancel = async (
  ctx: BotContext,
  person: Person,
  { purchaseId }: { purchaseId: string },
): Promise<void> => {
  const result = await ctx.services.purchases.cancel(purchaseId, person, ctx.msgId ?? null)
  const words = {
    cancelled: draftTexts.cancelledToast,
    stopped: stoppedToast,
    ended: draftTexts.alreadyEnded,
    too_late: draftTexts.tooLateToast,
    unknown: draftTexts.cardNotYours,
  }
  ctx.talk.toast(words[result], result === 'too_late')
}

/** `Send anyway`: sends the order without waiting for another open order for the same number. */
export const sendAnyway = async (
  ctx: BotContext,
  person: Person,
  { orderId }: { orderId: string },
): Promise<void> => {
  const outcome = await ctx.services.purchases.sendAnyway(orderId, person)
  if (outcome.kind === 'denied') return sayDenied(ctx, outcome.denial)
  ctx.talk.toast(outcome.kind === 'sent' ? draftTexts.confirmedToast : notYours)
}

/** An order that the person may read. */
interface OwnOrder {
  person: Person
  order: Order
}

/** A handler of presses on an order that the person may read. */
export const ofOwnOrder = <Press extends { orderId: string }>(
  run: HandlerFor<OwnOrder, Press>,
): Handler<Press> =>
  member(async (ctx, person, press) => {
    const order = await ctx.services.store.orders.byId(press.orderId)
    if (order && mayRead(person, order)) await run(ctx, { person, order }, press)
    else ctx.talk.toast(notYours)
  }, toastNotYours)

/** Shows an order in a new card, which replaces the old one. */
export const sayOrder = async (ctx: BotContext, order: Order): Promise<void> => {
  const { store, now } = ctx.services
  const words = await orderWords(ctx.services, order.id, ctx.talk.chatId)
  if (!words) return
  ctx.talk.say(words, async (messageId) => {
    // An order of a list has no card of its own.
    if (order.chatId !== ctx.talk.chatId || order.listed) return
    await store.transaction(
      async (tx) => {
        const purchase = await tx.purchases.byId(order.purchaseId)
        if (purchase) await moveCard(tx, purchase, messageId, now())
      },
      { accounts: [order.accountId] },
    )
  })
}

/**
 * `It was charged` and `It wasn’t charged`: the person decides, because the wallet's entries do not show whether the
 * order was charged.
 */
export const judge = async (
  ctx: BotContext,
  own: OwnOrder,
  { charged }: { orderId: string; charged: boolean },
): Promise<void> => {
  if (own.person.role !== 'owner') return ctx.talk.toast(agentWords.ownerJudges, true)
  const done = await ctx.services.purchases.judge(own.order, charged)
  ctx.talk.toast(done ? orderTexts.refreshed : orderTexts.alreadySettled)
}

/** `Refresh`: asks the provider now, and redraws the card. */
export const refresh = async (ctx: BotContext, own: OwnOrder): Promise<void> => {
  const { services } = ctx
  const { id: orderId, reference, accountId } = own.order
  ctx.talk.toast(orderTexts.refreshing)
  ctx.talk.aside(async () => {
    try {
      if (reference) await services.tracker.refresh(own.order)
      else await services.reconciler.check(accountId)
      await lookForRefunds(services, [orderId])
      const order = await services.store.orders.byId(orderId)
      if (order && outcomes([order]) === outcomes([own.order]))
        ctx.talk.say({ text: orderTexts.unchanged(order), silent: true })
    } catch (error) {
      if (!isWalletError(error)) throw error
      await sayCannotAsk(ctx, own, error)
    }
    await redrawHere(ctx, orderId)
  })
}

/** What people can see change once the provider was asked about these orders, to be compared. */
export const outcomes = (orders: readonly Order[]): string =>
  JSON.stringify(
    orders.map((order) => [
      order.placement,
      order.status,
      order.statusReported,
      order.reference,
      order.refundedPesewas,
      order.extraPesewas,
      order.recipients,
    ]),
  )

/** Says that the provider could not be asked, and what is known of the order now. */
const sayCannotAsk = async (
  ctx: BotContext,
  { person, order }: OwnOrder,
  error: WalletError,
): Promise<void> => {
  const { store } = ctx.services
  const current = (await store.orders.byId(order.id)) ?? order
  const seen = orderSeenBy(current, await viewOf(store, current, person.role))
  ctx.talk.say(cannotAsk(seen, error))
}

/** `Repeat` and `Order again`: makes a new purchase of the same bundle for the same number. */
export const again = async (ctx: BotContext, own: OwnOrder, press: Again): Promise<void> => {
  const phone = own.order.recipients[0]?.phone
  if (!phone || !(await admit(ctx, own.person))) return
  if (isRemoved(phone)) ctx.talk.toast(needsNumber, true)
  else await orderAgain(ctx, { ...own, phone }, press)
}

type Again = Extract<ButtonPress, { do: 'again' }>

/**
 * Handles a press on `Repeat` or `Order again` that had to wait for the prices. Because it comes late, it always shows
 * a card to confirm, even if the person's settings say to order without asking.
 */
export const orderAgainLate = async (ctx: Asker, person: Person, press: Again): Promise<void> => {
  const order = await ctx.services.store.orders.byId(press.orderId)
  const phone = order?.recipients[0]?.phone
  if (!order || !phone || isRemoved(phone) || !mayRead(person, order)) ctx.talk.show(notYours)
  else if (await admit(ctx, person)) await orderAgain(ctx, { person, order, phone }, press)
}

/** Makes the new purchase at today's price, one for each nonce. */
const orderAgain = async (
  ctx: Asker,
  { person, order, phone }: OwnOrder & { phone: Phone },
  press: Again,
): Promise<void> => {
  const { store, purchases, prices } = ctx.services
  const spent = await store.purchases.byCause(nonceCause(press))
  if (spent) return showRepeat(ctx, spent)
  const isUnasked = !order.listed && !ctx.onUnread
  const work = async (bundles: ListedBundle[], offered: Offered) => {
    const bundle = bundles.find(({ id }) => id === order.bundleId)
    if (!bundle) return ctx.talk.say(soldNoMore)
    const line = { ...offered(bundle), phone, pricedAt: prices.readAt(person.accountId) }
    const purchase = isUnasked
      ? await purchases.repeat(person, nonceCause(press), line)
      : await purchases.draft(person, nonceCause(press), [line])
    if (person.role === 'owner') await ctx.services.freshenBalance(person.accountId, line.pricePesewas)
    await showRepeat(ctx, purchase)
    // The card gets the next nonce, so that its button works again.
    await redrawHere(ctx, order.id)
  }
  withPrices(ctx, person, work, { messageId: ctx.msgId ?? 0, press })
}

const nonceCause = ({ orderId, nonce }: Again): string => `${againCause(orderId)}${nonce}`

/**
 * Shows the new purchase. If it is already confirmed, only the outbox sends its card, because two senders could each
 * send one.
 */
const showRepeat = async (ctx: Asker, purchase: Purchase): Promise<void> => {
  if (purchase.state !== 'draft') return ctx.services.purchases.redraw(purchase.id, null)
  if (purchase.cardMessageId !== null) ctx.talk.toast(draftTexts.alreadyAsked)
  else showCardOnce(ctx, 'say', purchase.id)
}

/** `Report`: shows a text to send to the provider's support. */
export const report = async (ctx: BotContext, own: OwnOrder): Promise<void> => {
  const { services } = ctx
  const events = await services.store.history.statusReports(own.order, maxEvents)
  const view = await viewOf(services.store, own.order, own.person.role)
  const seen = orderSeenBy(own.order, view)
  const complaints = await services.store.complaints.openOf(own.order.id)
  ctx.talk.say(reportText(seen, events, view.prices === 'cost', services.now(), complaints))
}

/** The maximum number of an order's statuses that a report lists. */
const maxEvents = 20

/** `⋯`: shows all buttons of the order below the pressed message. */
export const showMore = async (ctx: BotContext, { order }: OwnOrder): Promise<void> => {
  if (order.placement !== 'placed') return redrawHere(ctx, order.id)
  const shown = await ctx.services.store.cards.ofOrder(order.id, ctx.talk.chatId)
  if (shown) ctx.talk.showButtons(async () => inRows(placedButtons(shown), 2))
}

/** `Share`: shows an unguessable link to the customer's view, and a text to forward. */
export const share = async (ctx: BotContext, { order }: OwnOrder): Promise<void> => {
  if (!order.reference) return ctx.talk.toast(notSharedYet)
  const url = statusLink(ctx, ctx.services.keyring, order.id)
  const { name } = await ctx.services.store.shops.of(order.accountId)
  const text = forwardText(order, shownShopName(name))
  const [{ phone = null } = {}, ...others] = order.recipients
  const isOne = others.length === 0
  ctx.talk.say({
    text: shareText(url, order),
    rows: [
      [forwardButton(orderTexts.orderLabels.forward, url, text)],
      whatsAppButtons(isOne ? phone : null, `${text} ${url}`),
    ],
  })
}
