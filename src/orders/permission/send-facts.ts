import {
  blockersAmong,
  type Learned,
  type OfferReading,
  type OrderFacts,
  otherLists,
  queuedCost,
} from '../../domain/may-send.ts'
import { type Order, phonesOf } from '../../domain/order/order.ts'
import { ProviderError } from '../../provider/index.ts'
import { type Account, isLeft } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'
import type { HeardBalance } from '../../wallets/low-balance.ts'
import { isRefused } from '../../wallets/refused-credentials.ts'
import { NoWallet } from '../../wallets/wallets.ts'
import { isItsTurn } from '../listing/sequence.ts'
import type { PlacerOptions } from '../placing/placer-options.ts'
import { networksIn } from './switches.ts'

type FactQueries = Pick<Queries, 'accounts' | 'orders' | 'purchases'>

/**
 * Reads all facts in the database that decide whether a queued order may be sent, as of one moment.
 * @param order as the caller has read it; it may have changed since.
 */
export const factsOf = async (
  queries: FactQueries,
  order: Order,
  { offer }: Pick<Learned, 'offer'>,
): Promise<{ facts: OrderFacts; account: Account | null }> => {
  const { accountId, purchaseId, userId, ownerChatId, listed } = order
  const [{ order: written, account, networksDown, open }, member, purchase] = await Promise.all([
    queries.orders.toSend(order, phonesOf(order)),
    ownerChatId === null ? null : queries.accounts.member(userId),
    listed ? queries.purchases.byId(purchaseId) : null,
  ])
  const isAgentLeft = ownerChatId !== null && member?.accountId !== accountId
  const isCheckedAgainstBalance = offer?.kind === 'read' && offer.balancePesewas !== null
  const facts: OrderFacts = {
    order: written?.placement === 'queued' && written.quantity === order.quantity ? written : null,
    left: isLeft(account) ? 'disconnected' : isAgentLeft ? 'agent_left' : null,
    confirmedAt: purchase?.confirmedAt ?? order.createdAt,
    credentials: !account?.unauthorizedSince ? 'accepted' : isRefused(account) ? 'refused' : 'suspected',
    isNetworkDown: networksIn(networksDown).has(order.network),
    blockers: blockersAmong(order, open, await heldUpAmong(queries, otherLists(order, open))),
    isItsTurn: purchase === null || (await isItsTurn(queries, order, purchase)),
    queuedPesewas: queuedCost(
      isCheckedAgainstBalance ? await queries.orders.ofPurchase(purchaseId) : [order],
    ),
  }
  return { facts, account }
}

const heldUpAmong = async (
  { purchases }: Pick<Queries, 'purchases'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const lists = await Promise.all(ids.map((id) => purchases.byId(id)))
  return new Set(lists.flatMap((list) => (list?.heldById ? [list.id] : [])))
}

/** The provider's latest answer about the order's price, and about the balance if that was read. */
export interface HeardOffer {
  offer: OfferReading
  balance: HeardBalance | null
}

/** Reads the price again; before the first order of a list, also the balance. */
export const readOffer = async (options: PlacerOptions, order: Order): Promise<HeardOffer> => {
  const { prices } = options
  const { accountId } = order
  try {
    // The price is read last, so that it is as new as possible when the order is sent.
    const balance = await balanceBefore(options, order)
    const { bundles } = await prices.listToSend(accountId)
    const reading = { bundles, readAt: prices.readAt(accountId) }
    return {
      offer: { kind: 'read', prices: reading, balancePesewas: balance?.balancePesewas ?? null },
      balance,
    }
  } catch (error) {
    return { offer: unreadOffer(error), balance: null }
  }
}

const unreadOffer = (error: unknown): OfferReading => {
  if (error instanceof NoWallet) return { kind: 'no_wallet' }
  if (!(error instanceof ProviderError)) throw error
  const { code, retryAfterMs } = error
  if (code === 'rate_limited' && retryAfterMs !== null) return { kind: 'rate_limited', waitMs: retryAfterMs }
  return { kind: 'unreadable', remark: code === 'unauthorized' ? 'unauthorized' : 'prices_unreadable' }
}

/**
 * The balance to check before the order is sent. Null for a single order, and for a list of which an order was sent
 * already.
 */
const balanceBefore = async (
  { store, wallets, now }: PlacerOptions,
  { listed, purchaseId, accountId }: Order,
): Promise<HeardBalance | null> => {
  if (!listed || (await store.orders.placementsOf(purchaseId)).some(wasSent)) return null
  const askedAt = now()
  const { balancePesewas } = await wallets.ask(accountId, 'order', (provider) => provider.balance())
  return { balancePesewas, askedAt, at: now() }
}

const wasSent = ({ placement }: Pick<Order, 'placement'>): boolean =>
  placement !== 'queued' && placement !== 'cancelled' && placement !== 'superseded'
