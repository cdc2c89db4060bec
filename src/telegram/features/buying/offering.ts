import type { Offer, PurchaseLine } from '../../../domain/order/order.ts'
import { keepOn, likelyNetworks } from '../../../orders/buying/likely-network.ts'
import { nearNumber } from '../../../orders/buying/near-number.ts'
import { type Person, whoseOrders } from '../../../orders/buying/purchases.ts'
import type { Phone } from '../../../provider/index.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { KnownNumber } from '../../../store/shop/known-numbers.ts'
import type { Asker } from '../../chat/context.ts'
import { currentSnapshot } from '../../chat/request-context.ts'
import type { Services } from '../../chat/services.ts'
import type { Buyer } from './bundle-screens.ts'
import { showCardOnce, showDraftOnce } from './card.ts'

/** How many of a contact's orders are searched for the last bundle. */
const ordersLookedAt = 50

/** What was read about a number. */
export interface ReadNumber extends Pick<KnownNumber, 'saved' | 'served' | 'balance'> {
  /** The networks that the number probably belongs to. */
  likely: readonly string[]
}

/**
 * The number that gets a bundle, with what is known about it.
 * @param known what was already read about the number, if anything
 */
export const buyerOf = async (
  { store }: Services,
  person: Person,
  phone: Phone,
  known?: ReadNumber,
): Promise<Buyer> => {
  const { contacts } = store
  const likely = known?.likely ?? (await likelyNetworks(store, person.accountId, phone))
  const saved = known ? known.saved : await contacts.byPhone(bookOf(person), phone)
  if (!saved) return { phone, name: null, bought: [], likely }
  const orders = await contacts.ordersFor({ ...whoseOrders(person), phone }, ordersLookedAt)
  const bought = orders.filter(({ placement }) => placement === 'placed').map(({ bundleId }) => bundleId)
  return { phone, name: saved.name, bought, likely }
}

/** Shows the purchase that the same message or press has made before. @returns false if there is none. */
export const showEarlier = async (ctx: Asker, cause: string): Promise<boolean> => {
  const snapshot = currentSnapshot()
  const earlierId =
    snapshot?.cause === cause ? snapshot.purchaseId : (await ctx.services.store.purchases.byCause(cause))?.id
  if (!earlierId) return false
  showCardOnce(ctx, 'say', earlierId)
  return true
}

/** `Keep`: remembers for the account which network the number is on, whatever its prefix says. */
export const keepNumber = async (
  { store, now }: Services,
  { accountId }: Person,
  phone: Phone,
  network: string,
): Promise<void> =>
  store.transaction((tx) => keepOn(tx, accountId, { phones: [phone], network }, now()), {
    accounts: [accountId],
  })

/**
 * Whether the number may be on the network: its prefix does not say otherwise, or an order for it was delivered there
 * before.
 * @param known as in `buyerOf`.
 */
export const mayBeOnNetwork = async (
  { store }: Services,
  { accountId }: Person,
  network: string,
  phone: Phone,
  known?: ReadNumber,
): Promise<boolean> => {
  const likely = known?.likely ?? (await likelyNetworks(store, accountId, phone))
  if (likely.length === 0 || likely.includes(network)) return true
  const served = known?.served ?? (await store.orders.servedOn(accountId, [phone]))[phone]
  return served?.includes(network) === true
}

/** Makes the draft, and shows its card to confirm. @param known as in `buyerOf`. */
export const offer = async (
  ctx: Asker,
  person: Person,
  cause: string,
  chosen: Offer & Pick<PurchaseLine, 'asLastTime' | 'writtenPesewas' | 'phone'>,
  known?: ReadNumber,
): Promise<void> => {
  const { services } = ctx
  const pricedAt = services.prices.readAt(person.accountId)
  const isFamiliar = known !== undefined && (known.saved !== null || known.served.length > 0)
  const near = isFamiliar ? null : await nearNumber(services.store.knownNumbers, bookOf(person), chosen.phone)
  const [purchase] = await Promise.all([
    services.purchases.draft(person, cause, [{ ...chosen, pricedAt, ...(near && { near }) }]),
    person.role === 'owner' && services.freshenBalance(person.accountId, chosen.pricePesewas, known?.balance),
  ])
  showDraftOnce(ctx, purchase, known?.saved)
}
