import type { Order } from '../../orders/order.ts'
import { progressOf } from '../../orders/progress.ts'
import type { BotContext } from '../context.ts'
import { listEntry } from '../list-texts.ts'
import { personOf } from '../person.ts'
import { type Key, key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'
import { when } from '../time.ts'

const { labels } = texts
const ordersPerPage = 8

/** `/orders`: a page of the account's orders, newest first, with a button to open each. A list is one of them. */
export const orders = async (ctx: BotContext, services: Services, page: number): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(texts.needAccount)
    return
  }
  const first = page * ordersPerPage
  const found = await services.store.orders.page(person.accountId, first, ordersPerPage + 1)
  const shown = found.slice(0, ordersPerPage)
  const lines = await Promise.all(shown.map((order, index) => lineOf(services, order, first + index + 1)))
  const openKeys = shown.map((order, index) => openKey(order, String(first + index + 1)))
  const paging: Key[] = [
    ...(page > 0 ? [key(labels.previous, { do: 'orders', page: page - 1 })] : []),
    ...(found.length > ordersPerPage ? [key(labels.next, { do: 'orders', page: page + 1 })] : []),
  ]
  const rows = [openKeys.slice(0, 4), openKeys.slice(4), paging, [key(labels.home, { do: 'home' })]]
  ctx.talk.show({ text: texts.orders(lines, page), rows })
}

const lineOf = async ({ store, now }: Services, order: Order, index: number): Promise<string> => {
  if (!order.listed) return texts.orderLine(index, order, now())
  const progress = progressOf(await store.orders.ofPurchase(order.purchaseId))
  return listEntry(index, progress, when(order.createdAt, now()))
}

const openKey = ({ id, listed, purchaseId }: Order, label: string): Key =>
  key(label, listed ? { do: 'list', purchaseId, act: { act: 'open' } } : { do: 'open', orderId: id })
