import { nothingShown, type Shown } from '../../domain/list-draft.ts'
import { cardOf } from '../../domain/notice.ts'
import type { Order, PriceReading } from '../../domain/order/order.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import type { Queries } from '../../store/store.ts'
import { pricesSeenBy, spendableOf } from '../buying/spendable.ts'
import { enqueueNews } from '../following/order-news.ts'
import { insertListDraft, listOf } from '../listing/new-list.ts'

/**
 * Replaces a list's queued orders, which may no longer be sent as they were confirmed, with a new draft, and enqueues
 * the draft's card.
 * @param ask.prices the price list to show; null for the confirmed one.
 * @returns false if none of the orders was still queued.
 */
export const askAgainForRest = async (
  tx: Queries,
  order: Order,
  ask: { remark: PurchaseRemark; prices: PriceReading | null; newId: () => string; at: Date },
): Promise<boolean> => {
  const { remark, newId, at } = ask
  const purchase = await tx.purchases.byId(order.purchaseId)
  const list = purchase && (await tx.lists.byPurchase(purchase.id))
  if (!list) return false
  const all = await tx.orders.ofPurchase(purchase.id)
  const rest: Order[] = []
  for (const each of all) {
    if (await tx.orders.go({ id: each.id }, 'superseded', { reason: remark }, at)) rest.push(each)
  }
  if (rest.length === 0) return false
  const account = await tx.accounts.byId(purchase.accountId)
  const known = { balancePesewas: account?.balancePesewas ?? null, at: account?.balanceAt ?? null }
  const bundles = ask.prices?.bundles ?? list.shown.bundles
  const shown = {
    ...nothingShown,
    ...(ask.prices ? pricesOf(rest, ask.prices) : { bundles }),
    ...(await pricesSeenBy(tx, purchase, bundles)),
    ...(await spendableOf(tx, purchase, async () => known, at)),
  }
  const draft = await insertListDraft(
    tx,
    purchase,
    { cause: `rest:${order.id}`, ...listOf(rest), retryOfId: purchase.id, remark, shown },
    { newId, at },
  )
  if (rest.length === all.length) await tx.purchases.supersede(purchase.id, draft.id)
  for (const each of rest) {
    // If the order retries phones of an earlier list, these phones are now retried by the new draft.
    const phones = each.recipients.map(({ phone }) => phone)
    await tx.orders.passRetry(purchase.id, draft.id, { bundleId: each.bundleId, phones })
    await tx.orders.wakeWaiting(each.id)
  }
  await enqueueNews(tx, order, at)
  await tx.notices.enqueue(purchase.chatId, cardOf(draft.id), at)
  return true
}

/** The current prices, with the confirmed price of each bundle whose price has changed since. */
const pricesOf = (
  rest: readonly Order[],
  { bundles, readAt }: PriceReading,
): Pick<Shown, 'bundles' | 'pricedAtMs' | 'confirmedPrices' | 'confirmedSeen'> => {
  const confirmed = new Map(rest.map(({ bundleId, unitPricePesewas }) => [bundleId, unitPricePesewas]))
  const changed = bundles.flatMap(({ id, pricePesewas }) => {
    const before = confirmed.get(id)
    return before === undefined || before === pricePesewas ? [] : [{ id, pricePesewas: before }]
  })
  const confirmedSeen = Object.fromEntries(
    rest.flatMap(({ bundleId, agentUnitPesewas }) =>
      agentUnitPesewas === null ? [] : [[bundleId, agentUnitPesewas]],
    ),
  )
  return {
    bundles,
    pricedAtMs: readAt?.getTime() ?? null,
    confirmedPrices: changed,
    confirmedSeen,
  }
}
