import { crashPoint } from '../../base/crash-point.ts'
import { givenUpMs } from '../../domain/times/polling-schedule.ts'
import type { Remainder, SealedAccount } from '../../store/accounts/credentials.ts'
import type { Store } from '../../store/store.ts'
import { credentialPlace } from '../wallets.ts'
import { CannotOpen, type Keyring, keyIdOf, sealedPrefix } from './keyring.ts'

/**
 * Rotates `CREDENTIALS_KEY` while bots work with the old and the new key. Each account's credentials are sealed again
 * under the first key, and its look-up hash is computed with it. For each account:
 *
 * | state | what happens |
 * |---|---|
 * | `current`: sealed and hashed by the first key | nothing |
 * | `outdated`: another key opens it | sealed and hashed again, provided that the row has not changed since it was read |
 * | changed by somebody since it was read | read again |
 * | `twin`: outdated, and another account has the same API key under the first key | sealed again; keeps its old hash |
 * | `unreadable`: none of the keys opens it | nothing |
 *
 * Each account is one commit, and its row shows its state. So if a run is stopped at any point, the next run continues.
 * Typed credentials that still wait to be checked are not touched, because a running check finds its row by the sealed
 * value in it. None of them waits longer than ten minutes.
 *
 * The survey counts the accounts in each state.
 */
export interface Survey {
  accounts: number
  /** How many accounts are sealed with each key, by key id. */
  byKey: Map<string, number>
  outdated: number
  /** The ids of accounts that no key opens. */
  unreadable: string[]
  /**
   * Pairs of accounts with the same API key: `id` still has its old hash, because `other` has the hash under the
   * first key.
   */
  twins: { id: string; other: string }[]
}

/** The uses of an old key, apart from accounts. */
export interface Leftover {
  /** When the first key was first known to be in use; null if the accounts were never re-sealed for it. */
  since: Date | null
  /** Earlier orders. The provider sends their callbacks to URLs that the old key signed. */
  orders: Remainder
  invitations: Remainder
  /** Typed credentials that have not been checked or completed yet. */
  typed: Remainder
}

interface RotationOptions {
  store: Store
  keyring: Keyring
  now: () => Date
  /** Called with the number of accounts done so far and the number of all accounts. */
  onProgress?: (done: number, total: number) => void
}

const pageSize = 100

/**
 * How often to try again while other writers change the row. A change or two happens by chance, but many mean that
 * something is wrong.
 */
const maxTries = 20

/** Re-seals all outdated accounts. @returns how many there were */
export const resealAll = async (options: RotationOptions): Promise<number> => {
  const { store, keyring, now, onProgress } = options
  await noteFirstKey(store, keyring, now())
  const total = await store.credentials.count()
  let [done, resealed] = [0, 0]
  for await (const account of accountsOf(store)) {
    if (await reseal(store, keyring, account)) {
      resealed += 1
      crashPoint('account_resealed')
    }
    done += 1
    onProgress?.(done, total)
  }
  return resealed
}

/**
 * Re-seals one account. @returns false if nothing was changed: it is up to date, does not exist, or cannot be opened
 */
const reseal = async (store: Store, keyring: Keyring, account: SealedAccount): Promise<boolean> => {
  let known: SealedAccount | null = account
  for (let tries = 1; known && tries <= maxTries; tries += 1) {
    const pair = opened(keyring, known)
    if (!pair) return false
    const { other, hash } = await holderOf(store, keyring, known, pair)
    const keyHash: string = other === null ? hash : known.keyHash
    if (isUnderFirst(keyring, known) && known.keyHash === keyHash) return false
    const outcome = await store.credentials.replace(known, {
      ...sealedAnew(keyring, known.id, pair),
      keyHash,
    })
    if (outcome === 'replaced') return true
    known = await store.credentials.byId(known.id)
  }
  return false
}

interface OpenedPair {
  apiKey: string
  apiSecret: string
}

const opened = (keyring: Keyring, { id, sealedKey, sealedSecret }: SealedAccount): OpenedPair | null => {
  try {
    const apiKey = keyring.open(sealedKey, credentialPlace(id, 'key'))
    return { apiKey, apiSecret: keyring.open(sealedSecret, credentialPlace(id, 'secret')) }
  } catch (error) {
    if (error instanceof CannotOpen) return null
    throw error
  }
}

const isUnderFirst = (keyring: Keyring, { sealedKey, sealedSecret }: SealedAccount): boolean =>
  [sealedKey, sealedSecret].every((sealed) => keyIdOf(sealed) === keyring.keyIds[0])

/**
 * `hash`: the look-up hash of the API key under the first key. `other`: another account that already has that hash;
 * null if none has.
 */
const holderOf = async (
  store: Store,
  keyring: Keyring,
  { id }: SealedAccount,
  { apiKey }: OpenedPair,
): Promise<{ other: string | null; hash: string }> => {
  const [hash = ''] = keyring.lookupHashes(apiKey)
  const holder = await store.credentials.byHash(hash)
  return { other: holder && holder.id !== id ? holder.id : null, hash }
}

const sealedAnew = (keyring: Keyring, id: string, { apiKey, apiSecret }: OpenedPair) => ({
  id,
  sealedKey: keyring.seal(apiKey, credentialPlace(id, 'key')),
  sealedSecret: keyring.seal(apiSecret, credentialPlace(id, 'secret')),
})

async function* accountsOf(store: Store): AsyncGenerator<SealedAccount> {
  let page = await store.credentials.page('', pageSize)
  while (page.length > 0) {
    yield* page
    page = await store.credentials.page(page.at(-1)?.id ?? '', pageSize)
  }
}

/** Opens every account to find its state. */
export const survey = async ({ store, keyring, onProgress }: RotationOptions): Promise<Survey> => {
  const found: Survey = { accounts: 0, byKey: new Map(), outdated: 0, unreadable: [], twins: [] }
  const total = await store.credentials.count()
  for await (const account of accountsOf(store)) {
    found.accounts += 1
    const keyId = keyIdOf(account.sealedSecret)
    found.byKey.set(keyId, (found.byKey.get(keyId) ?? 0) + 1)
    await judge(store, keyring, account, found)
    onProgress?.(found.accounts, total)
  }
  return found
}

const judge = async (store: Store, keyring: Keyring, account: SealedAccount, found: Survey) => {
  const pair = opened(keyring, account)
  if (!pair) return void found.unreadable.push(account.id)
  const { other, hash } = await holderOf(store, keyring, account, pair)
  if (other !== null) found.twins.push({ id: account.id, other })
  const isHashed = other !== null || account.keyHash === hash
  if (!isHashed || !isUnderFirst(keyring, account)) found.outdated += 1
}

/** The name of the `Fact` row that holds the first key's id and the time of its first use. */
const factName = 'first_key'

const noteFirstKey = async (store: Store, { keyIds: [id = ''] }: Keyring, at: Date): Promise<void> => {
  if ((await sinceOf(store, id)) === null) {
    await store.facts.write(factName, JSON.stringify({ id, since: at.toISOString() }))
  }
}

const sinceOf = async (store: Store, keyId: string): Promise<Date | null> => {
  const [id, since] = factIn(await store.facts.read(factName))
  return id === keyId ? new Date(since) : null
}

const factIn = (value: string | null): [id: string, since: string] => {
  const { id, since } = JSON.parse(value ?? '{}') as { id?: string; since?: string }
  return [id ?? '', since ?? '']
}

export const leftover = async ({ store, keyring, now }: RotationOptions): Promise<Leftover> => {
  const [id = ''] = keyring.keyIds
  const since = await sinceOf(store, id)
  const at = now()
  const { count, lastSentAt } = await store.credentials.ordersBefore(since ?? at)
  return {
    since,
    orders: { count, until: lastSentAt && new Date(lastSentAt.getTime() + givenUpMs) },
    invitations: await store.credentials.invitationsBefore(since ?? at, at),
    typed: await store.credentials.typedUnderOthers(sealedPrefix(id), at),
  }
}
