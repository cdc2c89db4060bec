import { type Connections, createProvider, type Provider, ProviderError } from '../provider/index.ts'
import { cardOf } from '../relay/notice.ts'
import type { Account } from '../store/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import { claimRequest, type Purpose } from './budget.ts'
import { CannotOpen, type Keyring } from './keyring.ts'
import { type ProviderCall, watchCalls } from './provider-calls.ts'

/** Where the credentials of an account are sealed to. */
export const credentialPlace = (accountId: string, field: 'key' | 'secret'): string => `${accountId}/${field}`

/** The account is gone, or its credentials were erased. */
export class NoWallet extends Error {
  override name = 'NoWallet'
  readonly code = 'no_wallet'

  constructor() {
    super('The account has no credentials any more.')
  }
}

/** The provider on behalf of accounts. */
export interface Wallets {
  /** @throws {NoWallet | ProviderError} `invalid_credentials`, where no key of ours opens them. */
  of(accountId: string): Promise<Provider>
  /**
   * Asks the provider for the account, and remembers what its refusal means for all that comes: a 401 stops
   * the polling and tells the owners once, a 429 freezes the account's budget until the time it names. Where
   * the budget has no room for the purpose nothing is asked: that is a `rate_limited` error too.
   * @throws {ProviderError | NoWallet}
   */
  ask<T>(accountId: string, purpose: Purpose, question: (provider: Provider) => Promise<T>): Promise<T>
  /** For a key and secret that belong to no account yet. */
  probe(apiKey: string, apiSecret: string): Provider
}

export const createWallets = (options: {
  store: Store
  keyring: Keyring
  connections: Connections
  baseUrl: string
  now: () => Date
  /** Stands in for the API's own client: where a simulation carries the requests. */
  clientOf?: (accountId: string) => Provider
  onCall?: (call: ProviderCall) => void
}): Wallets => {
  const { store, keyring, connections, baseUrl, now, clientOf, onCall } = options
  const providers = new Map<string, { sealedSecret: string; provider: Provider }>()

  const probe = (apiKey: string, apiSecret: string): Provider => {
    const provider = createProvider({ baseUrl, apiKey, apiSecret, connections })
    return onCall ? watchCalls(provider, onCall) : provider
  }

  const open = (account: Account): Provider => {
    const [key, secret] = openPair(keyring, account)
    return probe(key, secret)
  }

  const of = async (accountId: string): Promise<Provider> => {
    const account = await store.accounts.byId(accountId)
    if (!account?.sealedSecret) throw new NoWallet()
    const known = providers.get(accountId)
    if (known?.sealedSecret === account.sealedSecret) return known.provider
    const provider = clientOf?.(accountId) ?? open(account)
    providers.set(accountId, { sealedSecret: account.sealedSecret, provider })
    return provider
  }

  const remember = async (accountId: string, error: unknown): Promise<void> => {
    if (!(error instanceof ProviderError)) return
    if (error.code === 'unauthorized') await store.transaction((tx) => refuse(tx, accountId, now()))
    if (error.retryAfterMs !== null && error.code === 'rate_limited') {
      await store.accounts.freeze(accountId, new Date(now().getTime() + error.retryAfterMs))
    }
  }

  return {
    of,
    probe,
    ask: async (accountId, purpose, question) => {
      const provider = await of(accountId)
      const waitMs = await store.transaction((tx) => claimRequest(tx, accountId, purpose, now()))
      if (waitMs > 0) throw overBudget(waitMs)
      try {
        const answer = await question(provider)
        await store.accounts.markAuthorized(accountId)
        return answer
      } catch (error) {
        await remember(accountId, error)
        throw error
      }
    },
  }
}

/**
 * Credentials that no key opens are as good as ones that no header can carry: nothing can be asked with them, and
 * whatever waits for an answer goes on when the key is listed again, or they are typed again.
 */
const openPair = (
  keyring: Keyring,
  { id, sealedKey, sealedSecret }: Account,
): [key: string, secret: string] => {
  try {
    const key = keyring.open(sealedKey, credentialPlace(id, 'key'))
    return [key, keyring.open(sealedSecret, credentialPlace(id, 'secret'))]
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error
    throw new ProviderError('invalid_credentials', 'The credentials of the account cannot be opened.')
  }
}

/** The budget has no room for so long. */
export const overBudget = (retryAfterMs: number): ProviderError =>
  new ProviderError('rate_limited', 'The request limit of the account is reached.', { retryAfterMs })

/** The provider refused the account's credentials: nothing is asked for it any more, its owners are told once. */
export const refuse = async (tx: Queries, accountId: string, now: Date): Promise<void> => {
  if (!(await tx.accounts.markUnauthorized(accountId, now))) return
  for (const member of await tx.accounts.members(accountId)) {
    if (member.role === 'owner')
      await tx.notices.owe(member.chatId, { kind: 'reconnect', subject: 'account' }, now)
  }
  await redrawUnknown(tx, accountId, now)
}

/** The cards of orders of unknown outcome say whether the wallet can be read to tell. */
export const redrawUnknown = async (tx: Queries, accountId: string, now: Date): Promise<void> => {
  for (const { placement, chatId, purchaseId, listed } of await tx.orders.claimants(accountId)) {
    if (placement === 'unconfirmed') await tx.notices.owe(chatId, cardOf(purchaseId, listed), now)
  }
}
