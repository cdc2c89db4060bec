import { setTimeout as wait } from 'node:timers/promises'
import type { Pesewas } from '../provider/money.ts'
import type { Store } from '../store/store.ts'
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

/** A balance this old is read again before it is shown, and shown with its time where it cannot be. */
export const freshMs = 60_000
/** One this old is read again before anybody is told that it is too little: they may just have topped up. */
const freshWhereShortMs = 5_000

/**
 * Reads the balance of an account for nobody who waits for it, so only where the provider's limits leave room, and
 * remembers it.
 * @throws {ProviderError | NoWallet}
 */
export const readBalanceQuietly = async (reader: Reader, accountId: string): Promise<void> => {
  await read(reader, accountId, 'polling')
}

/**
 * The balance for who waits for it: as it is known, or read anew where that is too old for what is to be said.
 * @param neededPesewas what is to be paid from it.
 * @throws {ProviderError | NoWallet}
 */
export const balanceFor = async (
  reader: Reader,
  accountId: string,
  neededPesewas: number,
): Promise<KnownBalance> => {
  const account = await reader.store.accounts.byId(accountId)
  const { balancePesewas = null, balanceAt = null } = account ?? {}
  if (balancePesewas !== null && balanceAt !== null) {
    const mostMs = balancePesewas >= neededPesewas ? freshMs : freshWhereShortMs
    const ageMs = reader.now().getTime() - balanceAt.getTime()
    if (ageMs >= 0 && ageMs < mostMs) return { balancePesewas, at: balanceAt }
  }
  return read(reader, accountId, 'person')
}

/** A card does not wait longer for its balance. */
const cardMs = 3_000

/** Reads the balance for a card, if it is too old for it. What cannot be read in time is left as it is known. */
export const freshenBalance = async (
  reader: Reader,
  accountId: string,
  neededPesewas: number,
): Promise<void> => {
  const done = new AbortController()
  const reading = balanceFor(reader, accountId, neededPesewas).catch(() => {})
  await Promise.race([reading, wait(cardMs, null, { signal: done.signal }).catch(() => {})])
  done.abort()
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
  await store.transaction((tx) =>
    noteBalance(tx, accountId, { balancePesewas, askedAt, at }, answer.accountType),
  )
  return { balancePesewas, at }
}
