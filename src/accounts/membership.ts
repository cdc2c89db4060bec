import { cancelQueued, tell } from '../orders/purchases.ts'
import { type Balance, type Provider, ProviderError } from '../provider/index.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Keyring } from './keyring.ts'
import { credentialPlace, type Wallets } from './wallets.ts'

export type Connection =
  | { kind: 'connected'; balance: Balance }
  | { kind: 'refused' }
  /** Good credentials, but of another account than the user's: nothing was changed. */
  | { kind: 'other_account'; open: number }
  /** The provider could not be asked. */
  | { kind: 'unchecked'; error: ProviderError }

/** Attaches people to accounts and lets them go. */
export interface Membership {
  /**
   * Checks the credentials with one request; stores them sealed if the provider takes them. New credentials of an
   * account that has orders replace the old ones if the provider knows one of its references by them (a key was
   * regenerated); else they are another account's, which has to be left first, lest its orders are forgotten.
   */
  connect(user: User, apiKey: string, apiSecret: string): Promise<Connection>
  /** Removes the member; with the last owner what is queued is cancelled and the credentials are erased. */
  disconnect(userId: number): Promise<Departure | null>
}

interface User {
  userId: number
  chatId: number
}

/** What became of the orders of an account that nobody owns any more. */
export interface Departure {
  cancelled: number
  openReferences: string[]
}

/** One word of a plausible length: what could be an API key or secret, and may stand in a header. */
export const looksLikeCredential = (text: string): boolean => /^[\x21-\x7e]{4,512}$/.test(text)

export const createMembership = (options: {
  store: Store
  keyring: Keyring
  wallets: Wallets
  now: () => Date
  newId: () => string
}): Membership => {
  const { store, keyring, wallets, now, newId } = options

  const seal = (accountId: string, apiKey: string, apiSecret: string) => ({
    keyHash: keyring.lookupHashes(apiKey)[0] ?? '',
    sealedKey: keyring.seal(apiKey, credentialPlace(accountId, 'key')),
    sealedSecret: keyring.seal(apiSecret, credentialPlace(accountId, 'secret')),
  })

  const attach = (
    user: User,
    credentials: { apiKey: string; apiSecret: string },
    place: Place,
  ): Promise<void> =>
    store.transaction(async (tx) => {
      const at = now()
      const { apiKey, apiSecret } = credentials
      const { balancePesewas, accountType } = place.balance
      if (place.kind === 'leave_for') await leave(tx, user.userId, at)
      const known = await tx.accounts.byKeyHash(keyring.lookupHashes(apiKey))
      const same = place.kind === 'regenerated' ? place.accountId : known?.id
      const accountId = same ?? newId()
      const sealed = seal(accountId, apiKey, apiSecret)
      if (same) await tx.accounts.replaceCredentials(accountId, sealed)
      else await tx.accounts.insert({ id: accountId, ...sealed, accountType, now: at })
      await tx.accounts.rememberBalance(accountId, balancePesewas, at, accountType)
      await tx.accounts.attach({ ...user, accountId, role: 'owner' }, at)
    })

  /** What the new credentials are to the user, who may have an account already. */
  const placeOf = async (
    userId: number,
    apiKey: string,
    provider: Provider,
  ): Promise<Place | OtherAccount> => {
    const balance = await provider.balance()
    const member = await store.accounts.member(userId)
    const known = await store.accounts.byKeyHash(keyring.lookupHashes(apiKey))
    if (!member || member.accountId === known?.id) return { kind: 'by_key', balance }
    const { accountId } = member
    const reference = await store.orders.newestReference(accountId)
    if (reference !== null && known === null && (await knows(provider, reference))) {
      return { kind: 'regenerated', accountId, balance }
    }
    const open = await store.orders.open(accountId)
    if (reference !== null || open.length > 0) return { kind: 'other_account', open: open.length }
    return { kind: 'leave_for', balance }
  }

  return {
    connect: async (user, apiKey, apiSecret) => {
      try {
        const place = await placeOf(user.userId, apiKey, wallets.probe(apiKey, apiSecret))
        if (place.kind === 'other_account') return place
        await attach(user, { apiKey, apiSecret }, place)
        return { kind: 'connected', balance: place.balance }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        if (error.code === 'unauthorized' || error.code === 'invalid_credentials') return { kind: 'refused' }
        return { kind: 'unchecked', error }
      }
    },

    disconnect: (userId) => store.transaction((tx) => leave(tx, userId, now())),
  }
}

type Place = { balance: Balance } & (
  | { kind: 'by_key' }
  /** They replace the credentials of that account. */
  | { kind: 'regenerated'; accountId: string }
  /** The user's account has no orders that could be forgotten. */
  | { kind: 'leave_for' }
)

type OtherAccount = Extract<Connection, { kind: 'other_account' }>

const knows = async (provider: Provider, reference: string): Promise<boolean> => {
  try {
    await provider.orderStatus(reference)
    return true
  } catch (error) {
    if (error instanceof ProviderError && error.code === 'not_found') return false
    throw error
  }
}

/** Lets a member go; the last owner takes the credentials along, and the cards of what was open say so. */
const leave = async (tx: Queries, userId: number, at: Date): Promise<Departure | null> => {
  const member = await tx.accounts.member(userId)
  if (!member) return null
  const { accountId } = member
  await tx.accounts.detach(userId)
  const others = await tx.accounts.members(accountId)
  if (others.some(({ role }) => role === 'owner')) return { cancelled: 0, openReferences: [] }

  const queued = await tx.orders.queuedOfAccount(accountId)
  await cancelQueued(tx, queued, at)
  const open = await tx.orders.open(accountId)
  for (const order of open) await tx.orders.patch(order.id, { nextPollAt: null }, at)
  await tx.accounts.erase(accountId)
  for (const order of [...queued, ...open]) await tell(tx, order, at)
  for (const other of others) await tx.accounts.detach(other.userId)
  return {
    cancelled: queued.length,
    openReferences: open.flatMap(({ reference }) => (reference ? [reference] : [])),
  }
}
