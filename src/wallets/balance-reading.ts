import { wait } from '../base/wait.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Account } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Purpose } from './budget.ts'
import { noteBalance } from './low-balance.ts'
import type { Wallets } from './wallets.ts'

interface Reader {
  store: Store
  wallets: Wallets
  now: () => Date
}

interface KnownBalance {
  balancePesewas: Pesewas
  at: Date
}

export type StoredBalance = Pick<Account, 'balancePesewas' | 'balanceAt'>

/**
 * A balance older than this is read again before it is shown. If that read fails, the stored balance is shown with its
 * time.
 */
export const balanceFreshMs = 60_000
/**
 * Before a person is told that the balance is too low, a balance older than this is read again, because they may just
 * have topped up.
 */
const freshWhereShortMs = 5_000

/**
 * Reads and stores an account's balance while nobody is waiting for it, and therefore only if the request budget has
 * room for polling.
 * @throws {WalletError}
 */
export const readBalanceQuietly = async (reader: Reader, accountId: string): Promise<void> => {
  await read(reader, accountId, 'polling')
}

/**
 * The balance for a person who is waiting: the stored one, or a new one if the stored one is too old for its purpose.
 * @param neededPesewas the payment that the balance must cover
 * @throws {WalletError}
 */
export const balanceFor = async (
  reader: Reader,
  accountId: string,
  neededPesewas: number,
): Promise<KnownBalance> => {
  const stored = await reader.store.accounts.byId(accountId)
  return usable(stored, neededPesewas, reader.now()) ?? read(reader, accountId, 'person')
}

/** The stored balance; null if it is too old to say whether it covers the payment. */
const usable = (stored: StoredBalance | null, neededPesewas: number, now: Date): KnownBalance | null => {
  const { balancePesewas = null, balanceAt = null } = stored ?? {}
  if (balancePesewas === null || balanceAt === null) return null
  const maxMs = balancePesewas >= neededPesewas ? balanceFreshMs : freshWhereShortMs
  const ageMs = now.getTime() - balanceAt.getTime()
  return ageMs >= 0 && ageMs < maxMs ? { balancePesewas, at: balanceAt } : null
}

/**
 * The time to show with a balance, so that nobody takes an old balance for the current one. Null if the balance counts
 * as current: it is at most a minute old, and no order was sent since.
 */
export const asOf = async (
  queries: Pick<Queries, 'orders'>,
  accountId: string,
  readAt: Date,
  now: Date,
): Promise<Date | null> => {
  const ageMs = now.getTime() - readAt.getTime()
  if (ageMs < 0 || ageMs >= balanceFreshMs) return readAt
  return (await queries.orders.isSentSince(accountId, readAt)) ? readAt : null
}

/** The longest time that a card waits for its balance. */
const cardMs = 3_000

/**
 * Refreshes the balance for a card if it is too old. If that is slow or fails, the card shows the stored balance.
 * @param known the stored balance, if the caller has just read it
 * @returns whether it was too old, so that the stored balance may have changed
 */
export const freshenBalance = async (
  reader: Reader,
  accountId: string,
  neededPesewas: number,
  known?: StoredBalance | null,
): Promise<boolean> => {
  const stored = known ?? (await reader.store.accounts.byId(accountId))
  if (usable(stored, neededPesewas, reader.now())) return false
  const done = new AbortController()
  const reading = read(reader, accountId, 'person').catch(() => {})
  await Promise.race([reading, wait(cardMs, null, { signal: done.signal }).catch(() => {})])
  done.abort()
  return true
}

const read = async (
  { store, wallets, now }: Reader,
  accountId: string,
  purpose: Purpose,
): Promise<KnownBalance> => {
  const askedAt = now()
  const answer = await wallets.ask(accountId, purpose, (provider) => provider.balance())
  const { balancePesewas } = answer
  const at = now()
  await store.transaction(
    (tx) => noteBalance(tx, accountId, { balancePesewas, askedAt, at }, answer.accountType),
    { accounts: [accountId] },
  )
  return { balancePesewas, at }
}
