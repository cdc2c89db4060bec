import type { BotContext } from '../context.ts'
import { personOf } from '../person.ts'
import { type Key, key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'

const { labels } = texts
const ordersPerPage = 8

/** `/orders`: a page of the account's orders, newest first, with a button to open each. */
export const orders = async (ctx: BotContext, services: Services, page: number): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(texts.needAccount)
    return
  }
  const first = page * ordersPerPage
  const found = await services.store.orders.page(person.accountId, first, ordersPerPage + 1)
  const shown = found.slice(0, ordersPerPage)
  const now = services.now()
  const lines = shown.map((order, index) => texts.orderLine(first + index + 1, order, now))
  const openKeys = shown.map(({ id }, index) => key(String(first + index + 1), { do: 'open', orderId: id }))
  const paging: Key[] = [
    ...(page > 0 ? [key(labels.previous, { do: 'orders', page: page - 1 })] : []),
    ...(found.length > ordersPerPage ? [key(labels.next, { do: 'orders', page: page + 1 })] : []),
  ]
  const rows = [openKeys.slice(0, 4), openKeys.slice(4), paging, [key(labels.home, { do: 'home' })]]
  ctx.talk.show({ text: texts.orders(lines, page), rows })
}
