import { type HeardBalance, noteBalance } from '../accounts/low-balance.ts'
import { isRefused } from '../accounts/refusal.ts'
import { NoWallet } from '../accounts/wallets.ts'
import { type Bundle, ProviderError } from '../provider/index.ts'
import type { Phone } from '../provider/phone.ts'
import { isLeft } from '../store/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import { networksDown } from './network-switch.ts'
import { type Order, type PurchaseRemark, totalPesewas } from './order.ts'
import { staleConfirmationMs } from './placement.ts'
import type { PlacerOptions } from './placer.ts'
import { offerOf, oldestToSend, type PriceReading } from './prices.ts'
import { askAgain } from './purchases.ts'
import { askAgainForRest } from './rest.ts'
import { tell } from './telling.ts'

/**
 * Whether a queued order may be sent as it was confirmed. What may not is cancelled, asked again or kept waiting, and
 * its card says so.
 */

/**
 * Whoever answers for it has left, the confirmation is too old, or the provider refuses the credentials: it is not
 * sent, whatever it costs now.
 */
export const isOutOfDate = async (options: PlacerOptions, order: Order): Promise<boolean> => {
  const { store, now, newId } = options
  const at = now()
  if ((await whyEnded(store, order)) !== null) {
    await store.transaction((tx) => endIfLeft(tx, order, at))
    return true
  }
  if (at.getTime() - (await confirmedAt(store, order)).getTime() > staleConfirmationMs) {
    await store.transaction((tx) => askAnew(tx, order, { remark: 'waited_long', newId, at }))
    return true
  }
  return !(await areAccepted(options, order))
}

/** How soon an order that waits for its network is looked at again. */
const networkAgainMs = 10_000

/** The operator takes no orders on its network now: it waits, and its card says so. */
export const waitsForNetwork = async ({ store, now }: PlacerOptions, order: Order): Promise<boolean> => {
  if (!(await networksDown(store)).has(order.network)) return false
  const at = now()
  const notBefore = new Date(at.getTime() + networkAgainMs)
  await store.transaction(async (tx) => {
    const current = await tx.orders.byId(order.id)
    if (current?.placement !== 'queued') return
    await tx.orders.patch(order.id, { reason: 'network_down', notBefore }, at)
    await tx.orders.passTurn(order.id)
    if (current.reason !== 'network_down') await tell(tx, order, at)
  })
  return true
}

/** Whether the provider accepts the credentials; where it refused them they are tried once more for each order. */
const areAccepted = async (options: PlacerOptions, order: Order): Promise<boolean> => {
  const { store, wallets, now, newId } = options
  const { accountId } = order
  const account = await store.accounts.byId(accountId)
  if (!account?.unauthorizedSince) return true
  if (isRefused(account) && (await wallets.verify(accountId))) return true
  await store.transaction(async (tx) => {
    const at = now()
    if (isRefused(account)) await askAnew(tx, order, { remark: 'unauthorized', newId, at })
    else await holdWhileVerified(tx, order, at)
  })
  return false
}

/** A suspected refusal is usually cleared up within a second. */
const verifiedAgainMs = 2_000

const holdWhileVerified = async (tx: Queries, order: Order, at: Date): Promise<void> => {
  const notBefore = new Date(at.getTime() + verifiedAgainMs)
  await tx.orders.patch(order.id, { reason: 'verifying', notBefore }, at)
  if (order.reason !== 'verifying') await tell(tx, order, at)
}

/**
 * The account's last owner has left, or whoever ordered is its agent no more: what is still queued by then is not
 * sent any more. An order that was being sent when they left, and is queued again, was not cancelled with the others.
 */
export const endIfLeft = async (tx: Queries, order: Order, at: Date): Promise<boolean> => {
  const reason = await whyEnded(tx, order)
  if (reason === null) return false
  if (await tx.orders.go({ id: order.id }, 'cancelled', { reason }, at)) {
    await tx.orders.wakeWaiting(order.id)
    await tell(tx, order, at, { about: 'placement' })
  }
  return true
}

const whyEnded = async (
  { accounts }: Pick<Queries, 'accounts'>,
  { accountId, userId, reportTo }: Order,
): Promise<'disconnected' | 'agent_left' | null> => {
  if (isLeft(await accounts.byId(accountId))) return 'disconnected'
  const isAgents = reportTo !== null
  return isAgents && (await accounts.member(userId))?.accountId !== accountId ? 'agent_left' : null
}

/** When the person last said that it is to be sent. */
const confirmedAt = async (store: Store, order: Order): Promise<Date> => {
  const purchase = order.listed ? await store.purchases.byId(order.purchaseId) : null
  return purchase?.confirmedAt ?? order.createdAt
}

/** Reads the price again, and for a list the balance: what is not as it was confirmed is not sent. */
export const isAsConfirmed = async (options: PlacerOptions, order: Order): Promise<boolean> => {
  const { store, prices, now, newId } = options
  try {
    // The price comes last, so that it is as new as can be when the order is sent.
    const balance = await balanceBefore(options, order)
    const mostAgeMs = await oldestToSend(store, order.accountId, now())
    const { bundles } = await prices.list(order.accountId, 'order', mostAgeMs)
    const bundle = bundles.find(({ id }) => id === order.bundleId)
    if (bundle && isSame(bundle, order)) return await isAffordable(options, order, balance)
    const at = now()
    const readAt = prices.readAt(order.accountId)
    await store.transaction(async (tx) => {
      if (bundle || order.listed) {
        await askAnew(tx, order, { prices: { bundles, readAt }, remark: 'price_changed', newId, at })
      } else if (await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'bundle_gone' }, at)) {
        await tx.orders.wakeWaiting(order.id)
        await tell(tx, order, at)
      }
    })
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
    const at = now()
    await store.transaction((tx) => cannotCheck(tx, order, error, { newId, at }))
  }
  return false
}

/** The balance before the first order of a list; null for any other. */
const balanceBefore = async (options: PlacerOptions, order: Order): Promise<HeardBalance | null> => {
  const { store, wallets, now } = options
  if (!order.listed || (await store.orders.placementsOf(order.purchaseId)).some(isSent)) return null
  const askedAt = now()
  const { balancePesewas } = await wallets.ask(order.accountId, 'order', (provider) => provider.balance())
  return { balancePesewas, askedAt, at: now() }
}

/** Where the balance has shrunk below what the list costs, the person is asked again. */
const isAffordable = async (
  { store, now, newId }: PlacerOptions,
  order: Order,
  balance: HeardBalance | null,
): Promise<boolean> =>
  balance === null ||
  store.transaction(async (tx) => {
    await noteBalance(tx, order.accountId, balance)
    const all = await tx.orders.ofPurchase(order.purchaseId)
    const queued = all.filter(({ placement }) => placement === 'queued')
    const total = queued.reduce((sum, each) => sum + totalPesewas(each), 0)
    if (total <= balance.balancePesewas) return true
    await askAnew(tx, order, { remark: 'balance_changed', newId, at: now() })
    return false
  })

const isSent = ({ placement }: Pick<Order, 'placement'>): boolean =>
  placement !== 'queued' && placement !== 'cancelled' && placement !== 'superseded'

interface AskAnew {
  remark: PurchaseRemark
  /** The price list that shows what is asked; without one it is asked as it was confirmed. */
  prices?: PriceReading
  newId: () => string
  at: Date
}

/** What must not be sent as it was confirmed is asked again: of a list all that is still queued, on one card. */
const askAnew = async (tx: Queries, order: Order, { prices, ...ask }: AskAnew): Promise<boolean> => {
  if (order.listed) return askAgainForRest(tx, order, { ...ask, prices: prices ?? null })
  const bundle = prices?.bundles.find(({ id }) => id === order.bundleId)
  if (!prices || !bundle) return askAgain(tx, order, { ...ask, line: lineOf(order) })
  const read = {
    pricedAt: prices.readAt,
    confirmedPesewas: order.unitPricePesewas,
    confirmedAgentPesewas: order.agentUnitPesewas,
  }
  return askAgain(tx, order, {
    ...ask,
    line: { ...lineOf(order), ...offerOf(bundle, prices.bundles), ...read },
  })
}

const lineOf = (order: Order) => ({
  phone: order.recipients[0]?.phone as Phone,
  bundleId: order.bundleId,
  network: order.network,
  volume: order.volume,
  offerSlug: order.offerSlug,
  pricePesewas: order.unitPricePesewas,
})

const isSame = (bundle: Bundle, order: Order): boolean =>
  bundle.pricePesewas === order.unitPricePesewas &&
  bundle.network === order.network &&
  bundle.volume === order.volume

const cannotCheck = async (
  tx: Queries,
  order: Order,
  error: ProviderError | NoWallet,
  { newId, at }: { newId: () => string; at: Date },
): Promise<void> => {
  if (error instanceof NoWallet) {
    if (await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'disconnected' }, at))
      await tell(tx, order, at)
    return
  }
  if (error.code === 'rate_limited' && error.retryAfterMs !== null) {
    await holdFor(tx, order, error.retryAfterMs, at)
    return
  }
  const remark = error.code === 'unauthorized' ? 'unauthorized' : 'prices_unreadable'
  await askAnew(tx, order, { remark, newId, at })
}

/** The account's request limit is reached: the order waits, and its card says until when. */
export const holdFor = async (tx: Queries, order: Order, waitMs: number, at: Date): Promise<void> => {
  const notBefore = new Date(at.getTime() + waitMs)
  await tx.orders.patch(order.id, { reason: 'rate_limited', notBefore }, at)
  await tell(tx, order, at)
}
