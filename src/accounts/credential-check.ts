import type { ConnectionOutcome } from '../journal/notice.ts'
import { watchedClaimants } from '../orders/claimants.ts'
import { type Balance, type Provider, ProviderError } from '../provider/index.ts'
import type { Account } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'
import { claimRequest } from '../wallets/budget.ts'
import type { Keyring } from '../wallets/keyring.ts'
import { overBudget, uselessCodes, type Wallets } from '../wallets/wallets.ts'
import { isAlarming, type Limits, waitForTry } from './connect-limits.ts'
import { tellOfWrongSecrets } from './ownership.ts'
import { hasClaimedDebit, maxKnown, type Read, readWallet, type Sameness, samenessOf } from './sameness.ts'

/**
 * The place of good credentials for the user, who may have an account already. `askedAt` is the time of the balance.
 */
export type Place = { balance: Balance; askedAt: Date } & (
  | { kind: 'by_key' }
  /** They replace the credentials of that account. */
  | { kind: 'regenerated'; accountId: string }
  /** They belong to another account than the user's, or to one that cannot be told from the user's. */
  | { kind: 'other_account'; isCertain: boolean }
)

/** Credentials that the provider refuses, or that it could not be asked about. */
type Unplaced = Extract<ConnectionOutcome, { kind: 'refused' | 'unchecked' }>

/** Asks the provider about a pair of credentials that a person typed, and compares its wallet with their account. */
export type AskAbout = (
  person: { userId: number; chatId: number },
  pair: { apiKey: string; apiSecret: string },
) => Promise<Place | Unplaced>

/** @param options.limits how often keys may be tried. */
export const createCredentialCheck = (options: {
  store: Store
  keyring: Keyring
  wallets: Wallets
  limits: Limits
  now: () => Date
}): AskAbout => {
  const { store, keyring, wallets, limits, now } = options

  const count = async (accountId: string): Promise<void> => {
    const waitMs = await store.transaction((tx) => claimRequest(tx, accountId, 'person', now()))
    if (waitMs > 0) throw overBudget(waitMs)
  }

  /** @returns whether they own the account. @throws {TooManyTries} */
  const admit = async (
    { userId, chatId }: { userId: number; chatId: number },
    known: Account | null,
  ): Promise<boolean> => {
    const member = await store.accounts.member(userId)
    const isOwner = member?.role === 'owner' && member.accountId === known?.id
    const waitMs = await waitForTry(limits, { chatId, accountId: known?.id ?? null, isOwner })
    if (waitMs > 0) throw new TooManyTries(waitMs)
    return isOwner
  }

  const placeOf = async (
    person: { userId: number; chatId: number },
    apiKey: string,
    provider: Provider,
  ): Promise<Place> => {
    const { userId } = person
    const known = await store.accounts.byKeyHash(keyring.lookupHashes(apiKey))
    const isOwner = await admit(person, known)
    // A typed key that has an account here costs that account a request, whatever the secret.
    if (known) await count(known.id)
    const askedAt = now()
    const balance = await provider.balance().catch(async (error: unknown) => {
      if (known && !isOwner && isUseless(error)) await tellOfGuesses(known.id)
      throw error
    })
    const member = await store.accounts.member(userId)
    if (!member || member.accountId === known?.id) return { kind: 'by_key', balance, askedAt }
    const { accountId, role } = member
    const read = { balance, askedAt }
    // Only an owner replaces credentials: an agent's belong to another wallet, whatever it looks like.
    if (role !== 'owner') return { kind: 'other_account', isCertain: true, ...read }
    const sameness = await compare(accountId, provider)
    return sameness === 'same'
      ? { kind: 'regenerated', accountId, ...read }
      : { kind: 'other_account', isCertain: sameness === 'other', ...read }
  }

  const tellOfGuesses = async (accountId: string): Promise<void> => {
    if (!(await isAlarming(limits, accountId))) return
    await store.transaction((tx) => tellOfWrongSecrets(tx, accountId, now()))
  }

  /** Compares the charges of the other credentials' wallet with the account's orders. */
  const compare = async (accountId: string, provider: Provider): Promise<Sameness> => {
    const orders = await store.orders.newestProven(accountId, maxKnown)
    const judge = (read: Read) => samenessOf(orders, read, now())
    const read = await readWallet(provider, (each) => judge(each) === 'same')
    const sameness = judge(read)
    if (sameness !== 'unknown') return sameness
    const isClaimed = hasClaimedDebit(await watchedClaimants(store, accountId), read.entries)
    return isClaimed && (await hasUselessKey(accountId)) ? 'same' : 'unknown'
  }

  /** Whether the account's own credentials are no longer good. */
  const hasUselessKey = async (accountId: string): Promise<boolean> => {
    if ((await store.accounts.byId(accountId))?.unauthorizedSince) return true
    try {
      await wallets.ask(accountId, 'person', (provider) => provider.balance())
      return false
    } catch (error) {
      if (isUseless(error)) return true
      throw error
    }
  }

  return async (person, { apiKey, apiSecret }) => {
    try {
      return await placeOf(person, apiKey, wallets.probe(apiKey, apiSecret))
    } catch (error) {
      if (error instanceof TooManyTries)
        return { kind: 'unchecked', code: 'too_many_tries', retryAfterMs: error.waitMs }
      if (!(error instanceof ProviderError)) throw error
      const { code, retryAfterMs } = error
      if (uselessCodes.has(code)) return { kind: 'refused' }
      return { kind: 'unchecked', code, retryAfterMs }
    }
  }
}

/** Too many keys and secrets were typed for all to be tried; see `connect-limits`. */
class TooManyTries extends Error {
  override name = 'TooManyTries'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Too many keys and secrets are tried.')
    this.waitMs = waitMs
  }
}

const isUseless = (error: unknown): boolean => error instanceof ProviderError && uselessCodes.has(error.code)
