import type { Pesewas } from '../../provider/money.ts'
import type { MostOrdered } from '../../store/accounts/wallet-orders.ts'
import type { Store } from '../../store/store.ts'
import { isWalletError } from '../../wallets/wallets.ts'
import type { Services } from '../chat/services.ts'
import type { GoodFor } from './words/low-balance.ts'

/**
 * The usual bundle is the one that was ordered most often within this time, ms. Texts say how many of
 * these bundles the balance pays for.
 */
export const usualWithinMs = 30 * 24 * 60 * 60_000

/** How many usual bundles the balance pays for at the price in `usual`; null if there is no usual bundle. */
export const atPrice = (balance: Pesewas, usual: MostOrdered | null): GoodFor | null =>
  usual && { ...usual, count: Math.max(0, Math.floor(balance / Math.max(1, usual.pricePesewas))) }

/** The usual bundle at the price of its newest order. The provider is not asked. */
export const usualOf = ({ walletOrders }: Pick<Store, 'walletOrders'>, accountId: string, now: Date) =>
  walletOrders.usual(accountId, new Date(now.getTime() - usualWithinMs))

/** The usual bundle at today's price; null if the price list cannot be read, or no longer has the bundle. */
export const usualToday = async (
  { store, prices, now }: Pick<Services, 'store' | 'prices' | 'now'>,
  accountId: string,
): Promise<MostOrdered | null> => {
  const usual = await usualOf(store, accountId, now())
  if (!usual) return null
  try {
    const { bundles } = await prices.list(accountId, 'person')
    const bundle = bundles.find(({ id }) => id === usual.bundleId)
    return bundle ? { ...usual, pricePesewas: bundle.pricePesewas } : null
  } catch (error) {
    if (isWalletError(error)) return null
    throw error
  }
}
