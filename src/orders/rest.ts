import { cardOf } from '../relay/notice.ts'
import type { Queries } from '../store/store.ts'
import { nothingShown, type Shown } from './list.ts'
import { insertListDraft, listOf } from './list-draft.ts'
import type { Order, PurchaseRemark } from './order.ts'
import type { PriceReading } from './prices.ts'
import { pricesSeenBy, purseOf } from './purse.ts'
import { tell } from './telling.ts'

/**
 * Puts a new draft in the place of what of a list is queued and must not be sent as it was confirmed, and shows it.
 * @param ask.prices the price list that it is shown by; null: the one that was confirmed.
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
    ...(await purseOf(tx, purchase, async () => known, at)),
  }
  const draft = await insertListDraft(
    tx,
    purchase,
    { cause: `rest:${order.id}`, ...listOf(rest), retryOfId: purchase.id, remark, shown },
    { newId, at },
  )
  if (rest.length === all.length) await tx.purchases.supersede(purchase.id, draft.id)
  for (const each of rest) {
    // What it orders again for an earlier list is in this draft's hands now.
    const phones = each.recipients.map(({ phone }) => phone)
    await tx.orders.passRetry(purchase.id, draft.id, { bundleId: each.bundleId, phones })
    await tx.orders.wakeWaiting(each.id)
  }
  await tell(tx, order, at)
  await tx.notices.owe(purchase.chatId, cardOf(draft.id), at)
  return true
}

/** Prices as they are now, with those that were confirmed where they are others. */
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
