import { createHash } from 'node:crypto'
import type { Left, List, Selection, Shown } from '../../domain/list-draft.ts'
import { bundlesSeen, costsOf, leftOf, select } from '../../domain/list-draft.ts'
import type { Order, Purchase } from '../../domain/order.ts'
import { mapOf } from '../../lists/meaning/prefix-line.ts'
import type { Answers, ListReading, PriceSnapshot } from '../../lists/reading.ts'
import { minus, zero } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'
import { allowanceOf } from '../buying/agent-limit.ts'
import { earlierOrders } from '../buying/earlier-order.ts'
import { mayRead } from '../buying/purchases.ts'
import { pricesSeenBy, spendableWithin } from '../buying/spendable.ts'
import { rememberLast } from './last-reading.ts'

/** A list as its preview shows it. */
export interface Preview {
  purchase: Purchase
  list: List
  reading: ListReading
  selection: Selection
  /** Names what Confirm would order, in a few characters. It changes with the preview. */
  digest: string
}

/** Makes previews of lists. */
export interface Previews {
  /** Reads the list by the prices that were shown. */
  read(list: List): ListReading
  /** How much of it is left to do. */
  left(list: List): Left
  /** The preview as it was last looked at; null if there is no such list. */
  of(queries: Queries, purchaseId: string): Promise<Preview | null>
}

/** @param readText reads a list. The last reading is kept, because each press reads the same text again. */
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
 * The list as its person may see it now: the owner may have hidden the costs from agents meanwhile, and the balance is
 * another one after each charge.
 */
const seenNow = async (queries: Queries, purchase: Purchase, list: List, at: Date): Promise<List> => {
  const shown = { ...list.shown, ...(await purseNow(queries, purchase, list.shown, at)) }
  if (shown.seen) return { ...list, shown }
  const { seen } = await pricesSeenBy(queries, purchase, [])
  return { ...list, shown: seen ? { ...shown, seen } : shown }
}

/** What is left of a list is paid after the part that was confirmed. */
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

/** The prices and networks that were shown; the list is read by them. */
export const priceSnapshotOf = ({ shown, fixedBundleId }: List): PriceSnapshot => ({
  bundles: bundlesSeen(shown),
  prefixes: mapOf(shown.prefixes ?? {}),
  fixedBundleId,
  ...(isGiven(shown.served) && { served: shown.served }),
  ...(isGiven(shown.ported) && { ported: shown.ported }),
  ...(shown.names && { names: shown.names }),
})

/** The last reading still holds if the journal knows nothing of the list's numbers. */
const isGiven = (known: object | undefined): boolean => known !== undefined && Object.keys(known).length > 0

/** What the journal knows of the numbers of a list. Agents do not see the references of others' orders. */
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

/** A short name for what would be sent at which prices. It fits a button. */
const digestOf = ({ send }: Selection, shown: Shown): string => {
  const costs = costsOf(shown)
  const hash = createHash('sha256')
  for (const { phone, bundleId, pricePesewas } of send)
    hash.update(`${phone} ${bundleId} ${costs.get(bundleId)}${shown.seen ? ` ${pricePesewas}` : ''}\n`)
  return hash.digest('base64url').slice(0, 8)
}
