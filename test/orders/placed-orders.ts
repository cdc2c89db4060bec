import type { Order } from '../../src/domain/order/order.ts'
import type { Placement } from '../../src/domain/order/placement.ts'
import { factsOf } from '../../src/orders/permission/send-facts.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import type { OrderPatch, PatchTo } from '../../src/store/orders/order-placing.ts'
import type { Store } from '../../src/store/store.ts'

export const addAccount = (store: Store, id: string, now: Date): Promise<void> =>
  store.accounts.insert({ id, keyHash: id, sealedKey: 'k', sealedSecret: 's', accountType: null, now })

/**
 * A confirmed order of 5GB from MTN in chat 1, taken through these placements. With several numbers, it is a bulk
 * order.
 */
export const addOrder = async (
  store: Store,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
  arrows: readonly (readonly [Placement, OrderPatch])[] = [],
  ...phones: string[]
): Promise<Order> => {
  const person = { accountId, userId: 1, chatId: 1 }
  const draft = { ...person, cause: id, lines: [], createdAt: now, expiresAt: new Date(now.getTime() + 1) }
  await store.purchases.insertDraft({ id: `p${id}`, ...draft })
  await store.purchases.leaveDraft({ id: `p${id}`, userId: 1, now }, 'confirmed')
  const bundle = {
    bundleId: 5,
    network: 'MTN',
    volume: '5GB',
    offerSlug: null,
    kind: phones.length > 1 ? ('bulk' as const) : ('single' as const),
  }
  let count = 0
  const numbers = phones.length > 0 ? phones : ['0241234567']
  const recipients = numbers.map((phone, position) => ({ phone: phone as Phone, position }))
  const order = { id, purchaseId: `p${id}`, ...person, ...bundle, recipients, createdAt: now }
  await store.orders.insertQueued([{ ...order, unitPricePesewas: pesewas(2350) }], () => `r${id}-${++count}`)
  for (const [to, patch] of arrows) {
    if (!(await store.orders.go({ id }, to, patch as PatchTo<typeof to>, now)))
      throw new Error(`${id} cannot go to ${to}.`)
  }
  return orderOf(store, id)
}

export const orderOf = async (store: Pick<Store, 'orders'>, id: string): Promise<Order> => {
  const order = await store.orders.byId(id)
  if (!order) throw new Error(`There is no order ${id}.`)
  return order
}

/** The order that has to end before this one, for each phone. */
export const blockersIn = async (store: Store, order: Order): Promise<Map<string, Order>> => {
  const { facts } = await factsOf(store, order, { offer: null })
  return new Map(facts.blockers)
}

/** The new messages about orders that are enqueued for chat 1. */
export const announced = async (store: Store): Promise<string[]> =>
  (await store.notices.ofChat(1)).flatMap(({ content }) =>
    content.kind === 'announce' ? [`${content.orderId} ${content.what.about}`] : [],
  )
