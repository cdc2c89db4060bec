import type { Store } from '../store/store.ts'
import { noteBalance } from './low-balance.ts'
import type { Wallets } from './wallets.ts'

/**
 * Reads the balance of an account for nobody who waits for it, so only where the provider's limits leave room, and
 * remembers it.
 * @throws {ProviderError | NoWallet}
 */
export const readBalanceQuietly = async (
  { store, wallets, now }: { store: Store; wallets: Wallets; now: () => Date },
  accountId: string,
): Promise<void> => {
  const askedAt = now()
  const { balancePesewas, accountType } = await wallets.ask(accountId, 'polling', (provider) =>
    provider.balance(),
  )
  const heard = { balancePesewas, askedAt, at: now() }
  await store.transaction((tx) => noteBalance(tx, accountId, heard, accountType))
}
