import { createHash } from 'node:crypto'
import type { List, RestOfList, Selection, Shown } from '../../domain/list-draft.ts'
import { bundlesSeen, costsOf, leftOf, select } from '../../domain/list-draft.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import { mapOf } from '../../lists/meaning/prefix-line.ts'
import type { Answers, ListReading, PriceSnapshot } from '../../lists/reading-result.ts'
import { minus, zero } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'
import { earlierOrders } from '../buying/earlier-order.ts'
import { mayRead } from '../buying/purchases.ts'
import { pricesSeenBy, spendableWithin } from '../buying/spendable.ts'
import { allowanceOf } from '../permission/agent-limit.ts'
import { rememberLast } from './last-reading.ts'

/** A list together with everything that its preview shows. */
export interface Preview {
  purchase: Purchase
  list: List
  reading: ListReading
  selection: Selection
  /** A short hash of what “Confirm” would order, used to notice that the preview has changed. */
  digest: string
}

export interface Previews {
  read(list: List): ListReading
  /** How many lines of the list are not ordered yet. */
  left(list: List): RestOfList
  /** The preview with the prices that were read last, and the current balance or limit; null if the list is gone. */
  of(queries: Queries, purchaseId: string): Promise<Preview | null>
}

/** @param readText reads a list. It should keep its last result, because each press reads the same text again. */
export const createPreviews = (
  readText: (text: string, priceSnapshot: PriceSnapshot, answers: Answers) => ListReading,
  now: () => Date,
): Previews => {
  const remembered = rememberLast(readText)
  const read = (list: List): ListReading =>
    remembered(list.text, priceSnapshotOf(list), list.answers.questions)
  return {
    read,
    left: (list) => {
      const reading = read(list)
      return leftOf(reading, select(reading, list.answers, list.shown).done)
    },
    of: async (queries, purchaseId) => {
      const purchase = await queries.purchases.byId(purchaseId)
      const stored = purchase && (await queries.lists.byPurchase(purchaseId))
      if (!stored) return null
      const list = await seenNow(queries, purchase, stored, now())
      const reading = read(list)
      const selection = select(reading, list.answers, list.shown)
      return { purchase, list, reading, selection, digest: digestOf(selection, list.shown) }
    },
  }
}

/**
 * The list, updated to what its person may see now: the owner may have hidden costs from agents since the last look,
 * and each charge changes the balance.
 */
const seenNow = async (queries: Queries, purchase: Purchase, list: List, at: Date): Promise<List> => {
  const shown = { ...list.shown, ...(await purseNow(queries, purchase, list.shown, at)) }
  if (shown.seen) return { ...list, shown }
  const { seen } = await pricesSeenBy(queries, purchase, [])
  return { ...list, shown: seen ? { ...shown, seen } : shown }
}

/** What can be spent now. For the rest of a list, the cost of the part that was confirmed is subtracted. */
const purseNow = async (
  queries: Queries,
  { accountId, userId, state, remark, retryOfId }: Purchase,
  shown: Shown,
  at: Date,
): Promise<Partial<Shown>> => {
  if (state !== 'draft' || shown.balancePesewas === null) return {}
  if (shown.limitPesewas !== undefined) {
    const member = await queries.accounts.member(userId)
    return member ? spendableWithin(await allowanceOf(queries, member, at)) : {}
  }
  const account = await queries.accounts.byId(accountId)
  if (!account || account.balancePesewas === null) return {}
  const isLeft = remark === 'left_over' && retryOfId !== null
  const before = isLeft ? await queries.orders.unchargedCost(retryOfId) : zero
  return {
    balancePesewas: minus(account.balancePesewas, before),
    balanceAtMs: account.balanceAt?.getTime() ?? null,
  }
}

/** The prices and networks that were shown. The list is read with these. */
export const priceSnapshotOf = ({ shown, fixedBundleId }: List): PriceSnapshot => ({
  bundles: bundlesSeen(shown),
  prefixes: mapOf(shown.prefixes ?? {}),
  fixedBundleId,
  served: shown.served ?? {},
  ported: shown.ported ?? {},
  ...(shown.names && { names: shown.names }),
})

/** Recent and open orders for the numbers of a list. An agent does not get the references of other people's orders. */
export const journalOf = async (
  queries: Queries,
  { accountId, userId }: Pick<Purchase, 'accountId' | 'userId'>,
  phones: Phone[],
  at: Date,
): Promise<Pick<Shown, 'recent' | 'waiting'>> => {
  const member = await queries.accounts.member(userId)
  const isShown = (order: Order) => (member ? mayRead(member, order) : order.userId === userId)
  const recent = (await earlierOrders(queries, accountId, phones, at)).map(({ phone, order }) => ({
    phone,
    bundleId: order.bundleId,
    orderId: order.id,
    reference: isShown(order) ? order.reference : null,
  }))
  const open = await queries.orders.phonesWithOpen(accountId, phones)
  return { recent, waiting: phones.filter((phone) => open.has(phone)) }
}

/** A hash of what would be sent at which prices, short enough for a button's data. */
const digestOf = ({ send }: Selection, shown: Shown): string => {
  const costs = costsOf(shown)
  const hash = createHash('sha256')
  for (const { phone, bundleId, pricePesewas } of send)
    hash.update(`${phone} ${bundleId} ${costs.get(bundleId)}${shown.seen ? ` ${pricePesewas}` : ''}\n`)
  return hash.digest('base64url').slice(0, 8)
}
