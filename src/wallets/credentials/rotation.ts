import { crashPoint } from '../../crash-point.ts'
import { givenUpMs } from '../../domain/polling-schedule.ts'
import type { Remainder, SealedAccount } from '../../store/accounts/credentials.ts'
import type { Store } from '../../store/store.ts'
import { credentialPlace } from '../wallets.ts'
import { CannotOpen, type Keyring, keyIdOf, sealedPrefix } from './keyring.ts'

/**
 * Changing `CREDENTIALS_KEY` while bots work with the older and the new key: the credentials of each account are
 * sealed anew under the first key, and its look-up hash is made with it. What that means for one account:
 *
 * | it is | it becomes |
 * |---|---|
 * | `current`: sealed and hashed by the first key | left as it is |
 * | `outdated`: opens with another key | sealed and hashed anew, only where the row still stands as it was read |
 * | changed by somebody meanwhile | looked at again |
 * | `twin`: outdated, and another account has its API key by the first key | sealed anew; keeps its older hash |
 * | `unreadable`: opens with none of the keys | left as it is |
 *
 * Each account is one commit of its own and says itself where it stands: ended at any moment, the work goes on with
 * the next run. Typed credentials that wait are not touched: a check that is under way knows its row by what is
 * sealed in it, and none waits longer than ten minutes.
 *
 * How the accounts stand:
 */
export interface Survey {
  accounts: number
  /** How many accounts are sealed under each key, by the key's id. */
  byKey: Map<string, number>
  outdated: number
  /** The ids of accounts that no key opens. */
  unreadable: string[]
  /** Pairs of accounts with one API key: the older one, and the one that has it under the first key. */
  twins: { id: string; other: string }[]
}

/** The remaining uses of an older key, beside the accounts. */
export interface Leftover {
  /** When the first key was first known to be in use; null: the accounts were never re-sealed for it. */
  since: Date | null
  /** Earlier orders, which the provider reports to addresses that the older key signed. */
  orders: Remainder
  invitations: Remainder
  /** Typed credentials that wait to be checked or completed. */
  typed: Remainder
}

interface RotationOptions {
  store: Store
  keyring: Keyring
  now: () => Date
  /** Called with the number of accounts done and the number of all. */
  onProgress?: (done: number, total: number) => void
}

const pageSize = 100

/** A concurrent writer changes a row once or twice; more changes are no coincidence. */
const maxTries = 20

/** Re-seals outdated accounts. @returns how many there were. */
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

/** Re-seals one account. @returns whether it was outdated and no longer is. */
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

/** The other account that has the same API key under the first key. */
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

/** Opens every account and counts how they stand. */
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

/** The row of `Fact` with the first key and its time. */
const factName = 'first_key'

const noteFirstKey = async (store: Store, { keyIds: [id = ''] }: Keyring, at: Date): Promise<void> => {
  if ((await sinceOf(store, id)) === null) {
    await store.chats.setFact(factName, JSON.stringify({ id, since: at.toISOString() }))
  }
}

const sinceOf = async (store: Store, keyId: string): Promise<Date | null> => {
  const [id, since] = factIn(await store.chats.fact(factName))
  return id === keyId ? new Date(since) : null
}

const factIn = (value: string | null): [id: string, since: string] => {
  const { id, since } = JSON.parse(value ?? '{}') as { id?: string; since?: string }
  return [id ?? '', since ?? '']
}

/** The uses of an older key that remain now, beside the accounts. */
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
