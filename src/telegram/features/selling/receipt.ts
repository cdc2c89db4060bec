import type { Order } from '../../../domain/order/order.ts'
import { mayRead, type Person } from '../../../orders/buying/purchases.ts'
import { receiptPicture } from '../../../pictures/receipt.ts'
import type { Pesewas } from '../../../provider/money.ts'
import { receiptOf } from '../../../shop/receipt.ts'
import { readAmount } from '../../../shop/written-amount.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ActOf } from '../../buttons/table.ts'
import { numberChoice } from '../../cards/number-choice.ts'
import { orderSale, sellingLabels } from '../../cards/words/shop.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import {
  askingFor,
  type Button,
  copyButtons,
  homeButton,
  leaveButton,
  plainText,
  type Screen,
} from '../../chat/screen.ts'
import { whatsAppButtons } from '../../chat/whatsapp.ts'
import { bundleName } from '../../words/bundle.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import { notYours } from '../../words/unusable.ts'
import { statusLink } from '../following/status-link.ts'
import * as receiptTexts from './receipt-words.ts'
import { asksShopName, sellingButton } from './shop.ts'
import * as words from './words.ts'

type ReceiptAct = Extract<ActOf<'selling'>, { act: 'receipt' | 'receipts' | 'receipt_for' }>

/** The order if the person may read it; otherwise null. */
const readable = async (ctx: BotContext, person: Person, orderId: string): Promise<Order | null> => {
  const { store } = ctx.services
  const order = await store.orders.byId(orderId)
  if (order && mayRead(person, order)) return order
  ctx.talk.toast(notYours)
  return null
}

/** `Receipt`: sends a message to forward, without anything that customers must not see. */
export const make = async (ctx: BotContext, person: Person, act: ReceiptAct): Promise<void> => {
  const order = await readable(ctx, person, act.orderId)
  if (!order) return
  if (order.placement !== 'placed') return ctx.talk.toast(receiptTexts.notPlacedYet)
  if (act.act === 'receipts') return ctx.talk.show(whomScreen(order, act.page))
  if (await asksShopName(ctx, person, act)) return
  if (act.act === 'receipt_for') return send(ctx, person, order, act.position)
  if (order.recipients.length > 1) ctx.talk.say(whomScreen(order, 0))
  else await send(ctx, person, order, 'all')
}

/** Asks which number of the order the receipt is for. */
const whomScreen = (order: Order, page: number): Screen => {
  const { id, recipients } = order
  const together = words.receiptTogetherLabel(recipients.length)
  return {
    text: receiptTexts.whoseReceipt(
      bundleName(order.network, order.volume, order.offerSlug),
      recipients.length,
    ),
    rows: [
      [sellingButton(together, { act: 'receipt_for', orderId: id, position: 'all' })],
      ...numberChoice(
        recipients,
        page,
        (label, position) => sellingButton(label, { act: 'receipt_for', orderId: id, position }),
        (label, to) => sellingButton(label, { act: 'receipts', orderId: id, page: to }),
      ),
      [homeButton],
    ],
  }
}

const send = async (
  ctx: BotContext,
  person: Person,
  order: Order,
  position: number | 'all',
): Promise<void> => {
  const { store, keyring } = ctx.services
  const shop = await store.shops.of(person.accountId)
  const receipt = receiptOf(order, shop, position)
  if (!receipt) return ctx.talk.toast(notYours)
  const phone = 'phone' in receipt.whom ? receipt.whom.phone : null
  const names = phone === null ? null : await store.contacts.names(bookOf(person), [phone])
  const facts = {
    name: names?.get(phone ?? '') ?? null,
    url: order.reference === null ? null : statusLink(ctx, keyring, order.id),
  }
  ctx.talk.sendPhoto(async () => ({
    svg: receiptPicture(receiptTexts.receiptPicture(receipt, facts)),
    text: receiptTexts.receipt(receipt, facts),
  }))
  const isOwner = person.role === 'owner'
  ctx.talk.say({
    text: receiptTexts.receiptHint(order.sellUnitPesewas, order.quantity > 1, isOwner),
    rows: [
      priceButtons(order, isOwner),
      [
        ...copyButtons(labels.copyText, plainText(receiptTexts.receipt(receipt))),
        ...(phone === null ? [] : whatsAppButtons(phone, plainText(receiptTexts.receipt(receipt, facts)))),
      ],
    ],
  })
}

const priceButtons = ({ id: orderId, sellUnitPesewas }: Order, isOwner: boolean): Button[] => {
  if (sellUnitPesewas !== null) return [sellingButton(sellingLabels.otherPrice, { act: 'sold_for', orderId })]
  return [
    sellingButton(sellingLabels.setPrice, { act: 'sold_for', orderId }),
    ...(isOwner ? [sellingButton(sellingLabels.setPrices, { act: 'rule' })] : []),
  ]
}

// ── What an order was really sold for ──────────────────────────────────────────────────────────────────────────

/** Asks for the price that an order was really sold for. */
export const askSoldFor = async (ctx: BotContext, person: Person, orderId: string): Promise<void> => {
  const order = await readable(ctx, person, orderId)
  if (!order) return
  await askNext(ctx, { what: 'selling', ask: { about: 'sold_for', orderId } })
  const leave = leaveButton
  ctx.talk.say({ text: words.askSoldFor(order, costFor(person, order)), rows: [[leave]] })
}

export const takeSoldFor = async (
  ctx: BotContext,
  person: Person,
  orderId: string,
  text: string,
): Promise<void> => {
  const amount = readAmount(text)
  if (amount.kind === 'refused' || amount.pesewas === 0) {
    const fault = amount.kind === 'refused' ? amount.fault : 'zero'
    return ctx.talk.say(askingFor(hints.price, words.notAPrice(fault)))
  }
  await forgetQuestion(ctx)
  const order = await readable(ctx, person, orderId)
  if (!order) ctx.talk.say(notYours)
  else await changeSold(ctx, person, order, amount.pesewas)
}

/** Restores the earlier price, unless the price was changed again since. */
export const undoSold = async (
  ctx: BotContext,
  person: Person,
  { orderId, before, after }: Extract<ActOf<'selling'>, { act: 'undo_sold' }>,
): Promise<void> => {
  const order = await readable(ctx, person, orderId)
  if (!order) return
  const isLast = order.sellUnitPesewas === after
  ctx.talk.toast(isLast ? words.undone : words.notUndone)
  if (isLast) await changeSold(ctx, person, order, before)
}

/** The order's cost per number; null for agents, who do not see it. */
const costFor = ({ role }: Person, { unitPricePesewas }: Order): Pesewas | null =>
  role === 'owner' ? unitPricePesewas : null

const changeSold = async (
  ctx: BotContext,
  person: Person,
  order: Order,
  after: Pesewas | null,
): Promise<void> => {
  const { store, purchases, now } = ctx.services
  const { id: orderId, sellUnitPesewas: before } = order
  await store.orders.patch(orderId, { sellUnitPesewas: after }, now())
  await purchases.redraw(order.purchaseId, null)
  const changed = { ...order, sellUnitPesewas: after }
  const undo = sellingButton(sellingLabels.undo, { act: 'undo_sold', orderId, before, after })
  const receipt = sellingButton(sellingLabels.receipt, { act: 'receipt', orderId })
  ctx.talk.show({
    text: words.soldFor(changed, costFor(person, order), orderSale(changed, person.role)),
    rows: [[...(before === after ? [] : [undo]), ...(order.placement === 'placed' ? [receipt] : [])]],
  })
}
