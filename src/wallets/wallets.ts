import { type Connections, createProvider, type Provider, ProviderError } from '../provider/index.ts'
import { type Account, isErased } from '../store/accounts/accounts.ts'
import type { Store } from '../store/store.ts'
import { countRequest, type Purpose, roomsFor, waitForRoom } from './budget.ts'
import { CannotOpen, type Keyring } from './credentials/keyring.ts'
import { noteBalance } from './low-balance.ts'
import { type ProviderCall, watchCalls } from './provider-calls.ts'
import { accept, isRefused, nextVerification, refuse, suspect } from './refused-credentials.ts'

/** Errors after which the credentials are useless for any request. */
export const uselessCodes: ReadonlySet<string> = new Set(['unauthorized', 'invalid_credentials'])

/** The most accounts whose credentials are tried in one round. */
const maxVerified = 20

/** The `place` to which an account's credentials are sealed; see `Keyring.seal`. */
export const credentialPlace = (accountId: string, field: 'key' | 'secret'): string => `${accountId}/${field}`

/** The account no longer exists, or its credentials were erased. */
export class NoWallet extends Error {
  override name = 'NoWallet'
  readonly code = 'no_wallet'

  constructor() {
    super('The account has no credentials any more.')
  }
}

/** Why a request for an account failed: at the provider or on the way, or because the account is gone. */
export type WalletError = ProviderError | NoWallet

export const isWalletError = (error: unknown): error is WalletError =>
  error instanceof ProviderError || error instanceof NoWallet

/** Access to the provider on behalf of accounts. */
export interface Wallets {
  /**
   * A client for an account that was just read.
   * @throws {WalletError} `invalid_credentials` if none of our keys opens the credentials
   */
  clientFor(account: Account | null): Provider
  /**
   * Makes a request for the account, and stores what a refusal means for later requests.
   *
   * After a 401 the credentials are verified. If they are good, the request is repeated once, provided that a person or
   * an order waits for it. (`unauthorized` is thrown only for credentials that are known to be refused.) A 429 freezes
   * the account's budget until the time that the answer gives. If the budget has no room for the purpose, no request is
   * made, and a `rate_limited` error is thrown too.
   * @throws {WalletError}
   */
  ask<T>(accountId: string, purpose: Purpose, question: (provider: Provider) => Promise<T>): Promise<T>
  /**
   * Tries suspected or refused credentials with a balance read.
   * @returns whether the provider accepts them
   */
  verify(accountId: string): Promise<boolean>
  /** Tries the suspected or refused credentials that are due. */
  verifyDue(): Promise<void>
  /** A client for a key and secret that do not belong to an account yet. */
  probe(apiKey: string, apiSecret: string): Provider
}

export const createWallets = (options: {
  store: Store
  keyring: Keyring
  connections: Connections
  baseUrl: string
  now: () => Date
  /** Replaces the real client, for example in a simulation. */
  clientOf?: (accountId: string) => Provider
  onCall?: (call: ProviderCall) => void
  onNotice?: () => void
  /** Called when the provider accepts credentials again, so that waiting orders can be sent. */
  onAccepted?: () => void
}): Wallets => {
  const { store, keyring, connections, baseUrl, now, clientOf, onCall } = options
  const providers = new Map<string, { sealedSecret: string; provider: Provider }>()

  const client = (apiKey: string, apiSecret: string, mayRepeatRead: () => Promise<boolean>): Provider => {
    const provider = createProvider({
      baseUrl,
      apiKey,
      apiSecret,
      connections,
      mayRepeatRead,
      now: () => now().getTime(),
    })
    return onCall ? watchCalls(provider, onCall) : provider
  }

  /** Requests without an account are not counted in any budget. */
  const probe = (apiKey: string, apiSecret: string) => client(apiKey, apiSecret, async () => true)

  const open = (account: Account): Provider => {
    const [key, secret] = openPair(keyring, account)
    // A read is repeated if its connection broke. The second request is counted too.
    return client(
      key,
      secret,
      async () => (await countRequest(store, account.id, 'reconciling', now())) === 0,
    )
  }

  const clientFor = (account: Account | null): Provider => {
    if (!account?.sealedSecret) throw new NoWallet()
    const { id, sealedSecret } = account
    const known = providers.get(id)
    if (known?.sealedSecret === sealedSecret) return known.provider
    const provider = clientOf?.(id) ?? open(account)
    providers.set(id, { sealedSecret, provider })
    return provider
  }

  const askOnce = async <T>(
    accountId: string,
    purpose: Purpose,
    question: (provider: Provider) => Promise<T>,
  ): Promise<T> => {
    const askedAt = now()
    const { account, isCounted } = await store.transaction(
      async (tx) => {
        const account = await tx.accounts.byId(accountId)
        const rooms = roomsFor(purpose, askedAt)
        const isCounted = !isErased(account) && (await tx.requests.countIfRoom(accountId, askedAt, rooms))
        return { account, isCounted }
      },
      { accounts: [accountId] },
    )
    const provider = clientFor(account)
    if (!isCounted) throw overBudget(await waitForRoom(store, accountId, purpose, askedAt))
    try {
      const answer = await question(provider)
      // If a refusal came after the account was read, it is newer than this request, and this answer proves nothing
      // about it.
      if (account?.unauthorizedSince) await succeeded(accountId, askedAt)
      return answer
    } catch (error) {
      await remember(accountId, error)
      throw error
    }
  }

  const succeeded = async (accountId: string, askedAt: Date): Promise<void> => {
    if (!(await store.transaction((tx) => accept(tx, accountId, askedAt, now()), { accounts: [accountId] })))
      return
    options.onNotice?.()
    options.onAccepted?.()
  }

  const remember = async (accountId: string, error: unknown): Promise<void> => {
    if (!(error instanceof ProviderError)) return
    if (error.code === 'unauthorized')
      await store.transaction((tx) => suspect(tx, accountId, now()), { accounts: [accountId] })
    if (error.retryAfterMs !== null && error.code === 'rate_limited') {
      await store.accounts.freeze(accountId, new Date(now().getTime() + error.retryAfterMs))
    }
  }

  const readBalance = async (accountId: string): Promise<boolean> => {
    const account = await store.accounts.byId(accountId)
    if (!account?.unauthorizedSince) return !isErased(account)
    const askedAt = now()
    try {
      const { balancePesewas, accountType } = await askOnce(accountId, 'reconciling', (provider) =>
        provider.balance(),
      )
      const heard = { balancePesewas, askedAt, at: now() }
      await store.transaction((tx) => noteBalance(tx, accountId, heard, accountType), {
        accounts: [accountId],
      })
      return true
    } catch (error) {
      if (error instanceof NoWallet) return false
      if (!(error instanceof ProviderError)) throw error
      await afterFailedRead(accountId, account.unauthorizedSince, error)
      return false
    }
  }

  /**
   * Handles a failed balance read. A request without an answer proves nothing about the credentials, so they stay
   * suspected or refused.
   */
  const afterFailedRead = async (
    accountId: string,
    since: Date,
    { code, retryAfterMs }: ProviderError,
  ): Promise<void> => {
    const at = now()
    if (uselessCodes.has(code))
      await store.transaction((tx) => refuse(tx, accountId, at), { accounts: [accountId] })
    else {
      const againMs = Math.max(nextVerification(since, at).getTime(), at.getTime() + (retryAfterMs ?? 0))
      await store.accounts.verifyAgain(accountId, new Date(againMs))
    }
    options.onNotice?.()
  }

  const isKnownRefused = async (accountId: string): Promise<boolean> =>
    isRefused(await store.accounts.byId(accountId))

  const verifying = new Map<string, Promise<boolean>>()

  /** Concurrent callers share one verification. */
  const verify = (accountId: string): Promise<boolean> => {
    const running = verifying.get(accountId)
    if (running) return running
    const read = readBalance(accountId).finally(() => verifying.delete(accountId))
    verifying.set(accountId, read)
    return read
  }

  return {
    clientFor,
    probe,
    verify,

    verifyDue: async () => {
      await Promise.all((await store.accounts.dueToVerify(now(), maxVerified)).map(verify))
    },

    ask: async (accountId, purpose, question) => {
      try {
        return await askOnce(accountId, purpose, question)
      } catch (error) {
        if (!isUnauthorized(error)) throw error
        const isGood = !(await isKnownRefused(accountId)) && (await verify(accountId))
        if (await isKnownRefused(accountId)) throw error
        if (!isGood || !(purpose === 'person' || purpose === 'order')) throw inDoubt()
        return askOnce(accountId, purpose, question).catch((again: unknown) => {
          throw isUnauthorized(again) ? inDoubt() : again
        })
      }
    },
  }
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof ProviderError && error.code === 'unauthorized'

/** The error for credentials that were refused once, while other requests were accepted or could not be made. */
const inDoubt = (): ProviderError =>
  new ProviderError('bad_answer', 'The provider refused the credentials for this one request.')

/**
 * If no key opens the credentials, they count as unusable. Requests then wait until the key is listed again or the
 * credentials are typed again.
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

/**
 * The error for a request for which the budget has no room. @param retryAfterMs after this time there is room again.
 */
export const overBudget = (retryAfterMs: number): ProviderError =>
  new ProviderError('rate_limited', 'The request limit of the account is reached.', { retryAfterMs })
