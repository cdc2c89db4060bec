import type { ConnectionOutcome } from '../domain/notice.ts'
import type { Order } from '../domain/order/order.ts'
import { watchedClaimants } from '../orders/reconciling/claimants.ts'
import { type Balance, type Provider, ProviderError } from '../provider/index.ts'
import type { Account } from '../store/accounts/accounts.ts'
import type { Store } from '../store/store.ts'
import { countRequest } from '../wallets/budget.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import { overBudget, uselessCodes, type Wallets } from '../wallets/wallets.ts'
import { isAlerting, type Limits, waitForTry } from './connect-limits.ts'
import { enqueueWrongSecrets } from './ownership.ts'
import {
  hasClaimedDebit,
  hasNamedDebit,
  maxKnown,
  type Read,
  readWallet,
  type Sameness,
  samenessOf,
} from './sameness.ts'

/**
 * How valid credentials relate to the user's account, if they have one. `askedAt` is when the balance was requested.
 */
export type Place = { balance: Balance; askedAt: Date } & (
  | { kind: 'by_key' }
  /** The credentials are new ones of the user's account, and replace the old ones. */
  | { kind: 'regenerated'; accountId: string }
  /**
   * The credentials belong to an account other than the user's, for certain or probably. `mayBeSame`: they may be a
   * new key of the user's account, and the user is allowed to confirm that.
   */
  | { kind: 'other_account'; isCertain: boolean; mayBeSame: boolean }
)

/** The provider refused the credentials, or could not be asked. */
type Unplaced = Extract<ConnectionOutcome, { kind: 'refused' | 'unchecked' }>

/**
 * Asks the provider about a pair of credentials that a person typed, and compares the wallet behind them with the
 * person's account.
 */
export type AskAbout = (
  person: { userId: number; chatId: number },
  pair: { apiKey: string; apiSecret: string },
) => Promise<Place | Unplaced>

export const createCredentialCheck = (options: {
  store: Store
  keyring: Keyring
  wallets: Wallets
  limits: Limits
  now: () => Date
  /** Replacements for the rules in `sameness`, for tests. */
  judgeRead?: typeof samenessOf
  judgeNamed?: typeof hasNamedDebit
}): AskAbout => {
  const { store, keyring, wallets, limits, now } = options
  const { judgeRead = samenessOf, judgeNamed = hasNamedDebit } = options

  const count = async (accountId: string): Promise<void> => {
    const waitMs = await store.transaction((tx) => countRequest(tx, accountId, 'person', now()), {
      accounts: [accountId],
    })
    if (waitMs > 0) throw overBudget(waitMs)
  }

  /** Checks the limits on tries. @returns true if the person owns the account with the key. @throws {TooManyTries} */
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
    // A request with the key of a known account counts in that account's budget, even if the secret is wrong.
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
    // Only an owner can replace credentials. Credentials that an agent types count as those of another account.
    if (role !== 'owner') return { kind: 'other_account', isCertain: true, mayBeSame: false, ...read }
    const { sameness, isLikely } = await compare(accountId, provider)
    if (sameness === 'same') return { kind: 'regenerated', accountId, ...read }
    const mayBeSame =
      isLikely && (await mayJudge(userId, accountId, known)) && (await hasUselessKey(accountId))
    return { kind: 'other_account', isCertain: sameness === 'other', mayBeSame, ...read }
  }

  /**
   * Whether the owner's word is enough to replace the account's key without proof. It is not if anybody else could lose
   * an account by that: an owner who joined earlier, or a member of an account that already uses the new key.
   */
  const mayJudge = async (userId: number, accountId: string, known: Account | null): Promise<boolean> => {
    const members = await store.accounts.members(accountId)
    const self = members.find((member) => member.userId === userId)
    const isFirst =
      self !== undefined &&
      members.every(({ role, createdAt }) => role !== 'owner' || self.createdAt <= createdAt)
    const others = known ? await store.accounts.members(known.id) : []
    return isFirst && others.length === 0
  }

  const tellOfGuesses = async (accountId: string): Promise<void> => {
    if (!(await isAlerting(limits, accountId))) return
    await store.transaction((tx) => enqueueWrongSecrets(tx, accountId, now()), { accounts: [accountId] })
  }

  /** Compares the debits in the new credentials' wallet with the account's orders. */
  const compare = async (
    accountId: string,
    provider: Provider,
  ): Promise<{ sameness: Sameness; isLikely: boolean }> => {
    const proven = await store.orders.newestProven(accountId, maxKnown)
    const judge = (read: Read) => judgeRead(proven, read, now())
    const read = await readWallet(provider, (each) => judge(each) === 'same')
    const sameness = judge(read)
    if (sameness !== 'unknown') return { sameness, isLikely: false }
    const orders = await watchedClaimants(store, accountId)
    const claims = await Promise.all(orders.map(async (order) => ({ order, named: await namedFor(order) })))
    if (judgeNamed(claims, read.entries)) return { sameness: 'same', isLikely: false }
    return { sameness, isLikely: hasClaimedDebit(orders, read.entries) }
  }

  const namedFor = async ({ id }: Order): Promise<Set<string>> =>
    new Set((await store.statusReports.ofOrder(id, 'unmatched')).map(({ reference }) => reference))

  /**
   * Whether the provider refuses the account's current credentials, so that the new ones are likely their replacement.
   */
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

/** Credentials were tried more often than `connect-limits` allows. */
class TooManyTries extends Error {
  override name = 'TooManyTries'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Too many keys and secrets are tried.')
    this.waitMs = waitMs
  }
}

const isUseless = (error: unknown): boolean => error instanceof ProviderError && uselessCodes.has(error.code)
