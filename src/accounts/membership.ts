import { type Balance, type Provider, ProviderError } from '../provider/index.ts'
import type { ConnectionOutcome, Left } from '../relay/notice.ts'
import type { Account } from '../store/accounts.ts'
import type { HalfCredential } from '../store/chats.ts'
import type { Queries, Store } from '../store/store.ts'
import { claimRequest } from './budget.ts'
import { isAlarming, type Limits, waitForTry } from './connect-limits.ts'
import { type Departure, eraseClosed, leave, reopen, type When } from './departure.ts'
import type { Keyring } from './keyring.ts'
import { noteBalance } from './low-balance.ts'
import { absorb, takeOver, tellOfOwner, tellOfWrongSecrets } from './ownership.ts'
import { redrawUnknown } from './refusal.ts'
import { hasClaimedDebit, mostKnown, type Read, readWallet, type Sameness, samenessOf } from './sameness.ts'
import { holdPair, type Pair, pairIn } from './typed-credentials.ts'
import { credentialPlace, overBudget, uselessCodes, type Wallets } from './wallets.ts'

/** Attaches people to accounts and lets them go. What becomes of typed credentials is owed to the chat as a notice. */
export interface Membership {
  /**
   * Takes typed credentials in, sealed: they are checked even if the process ends before.
   *
   * Owners of an account are told of each other that connects it; a new key of it ends all other owners.
   * New credentials that an owner types replace the old ones if the entries of their wallet have the account's orders
   * (a key was regenerated; see `sameness`); else the person is asked whether to switch.
   * @returns checks them with the provider.
   */
  take(user: User, apiKey: string, apiSecret: string): Promise<() => Promise<void>>
  /**
   * `Switch`: leaves the account, whose orders are followed to their end, for the checked credentials.
   * @param until the end of their time, which names them.
   * @returns does it, after asking the provider once more; null where the credentials wait no longer.
   */
  switchTo(user: User, until: Date): Promise<(() => Promise<void>) | null>
  /** `Keep`: forgets the credentials that wait for an answer. */
  stay(chatId: number, until: Date): Promise<void>
  /** Removes the member from that account. */
  disconnect(userId: number, accountId: string, when: When): Promise<Departure>
  /** An owner keeps the account that was to be erased. @returns whether it is theirs, and was. */
  keep(userId: number, accountId: string): Promise<boolean>
  /** Checks what the last process could not answer. */
  resume(): Promise<void>
  /** Erases closing accounts that are done, and forgets credentials that waited too long. */
  tidy(): Promise<void>
}

interface User {
  userId: number
  chatId: number
  /** As Telegram tells it; null where nobody could be called by it, or a crash lost it. */
  name: string | null
}

/** One word of a plausible length: what could be an API key or secret, and may stand in a header. */
export const looksLikeCredential = (text: string): boolean => /^[\x21-\x7e]{4,512}$/.test(text)

/** What good credentials are to the user, who may have an account already. */
type Place = { balance: Balance; askedAt: Date } & (
  | { kind: 'by_key' }
  /** They replace the credentials of that account. */
  | { kind: 'regenerated'; accountId: string }
  /** Of another account than the user's, or of one that cannot be told from another. */
  | { kind: 'other_account'; isCertain: boolean }
)

export const createMembership = (options: {
  store: Store
  keyring: Keyring
  wallets: Wallets
  now: () => Date
  newId: () => string
  limits: Limits
  /** Told when something is owed to a chat. */
  onNotice: () => void
  /** Told of wrong credentials, and of the account whose key they hold. */
  onWrong?: (userId: number, accountId: string | null) => Promise<void>
}): Membership => {
  const { store, keyring, wallets, now, newId, limits, onNotice, onWrong = async () => {} } = options

  const answer = (tx: Queries, chatId: number, outcome: ConnectionOutcome): Promise<number> =>
    tx.notices.owe(chatId, { kind: 'connection', subject: 'connection', outcome }, now())

  const seal = (accountId: string, { apiKey, apiSecret }: Pair) => ({
    keyHash: keyring.lookupHashes(apiKey)[0] ?? '',
    sealedKey: keyring.seal(apiKey, credentialPlace(accountId, 'key')),
    sealedSecret: keyring.seal(apiSecret, credentialPlace(accountId, 'secret')),
  })

  const attach = async (tx: Queries, user: User, pair: Pair, place: Place): Promise<void> => {
    const at = now()
    const { balancePesewas, accountType } = place.balance
    const known = await tx.accounts.byKeyHash(keyring.lookupHashes(pair.apiKey))
    const same = place.kind === 'regenerated' ? place.accountId : known?.id
    if (known && same !== undefined && known.id !== same) {
      if (await isSending(tx, known.id)) return void (await answer(tx, user.chatId, { kind: 'busy' }))
      await absorb(tx, known.id, same, user, at)
    }
    const member = await tx.accounts.member(user.userId)
    const left = member && member.accountId !== same ? leftBy(await leave(tx, member, 'done', at)) : null
    if (known && known.id === same) await reopen(tx, known, user.userId, at)
    const accountId = same ?? newId()
    const sealed = seal(accountId, pair)
    if (same) await tx.accounts.replaceCredentials(accountId, sealed)
    else await tx.accounts.insert({ id: accountId, ...sealed, accountType, now: at })
    if (same) {
      await tx.orders.settleNow(accountId, at)
      await redrawUnknown(tx, accountId, at)
    }
    const isNew = member?.accountId !== accountId || member.role !== 'owner'
    if (isNew) await tx.accounts.attach({ ...user, accountId, role: 'owner' }, at)
    if (place.kind === 'regenerated') await takeOver(tx, accountId, user, at)
    else if (isNew) await tellOfOwner(tx, accountId, user, at)
    await answer(tx, user.chatId, { kind: 'connected', accountType, balancePesewas, left })
    await noteBalance(tx, accountId, { balancePesewas, askedAt: place.askedAt, at }, accountType)
  }

  const count = async (accountId: string): Promise<void> => {
    const waitMs = await store.transaction((tx) => claimRequest(tx, accountId, 'person', now()))
    if (waitMs > 0) throw overBudget(waitMs)
  }

  /** @returns whether they own the account. @throws {TooManyTries} */
  const admit = async ({ userId, chatId }: User, known: Account | null): Promise<boolean> => {
    const member = await store.accounts.member(userId)
    const isOwner = member?.role === 'owner' && member.accountId === known?.id
    const waitMs = await waitForTry(limits, { chatId, accountId: known?.id ?? null, isOwner })
    if (waitMs > 0) throw new TooManyTries(waitMs)
    return isOwner
  }

  const placeOf = async (user: User, apiKey: string, provider: Provider): Promise<Place> => {
    const { userId } = user
    const known = await store.accounts.byKeyHash(keyring.lookupHashes(apiKey))
    const isOwner = await admit(user, known)
    // Whoever types a key that has an account here costs that account a request, whatever the secret.
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
    // Only an owner replaces credentials: an agent's are another wallet's, whatever it looks like.
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

  /** Compares what the wallet of other credentials was charged with the account's orders. */
  const compare = async (accountId: string, provider: Provider): Promise<Sameness> => {
    const orders = await store.orders.newestProven(accountId, mostKnown)
    const judge = (read: Read) => samenessOf(orders, read, now())
    const read = await readWallet(provider, (each) => judge(each) === 'same')
    const sameness = judge(read)
    if (sameness !== 'unknown') return sameness
    const isClaimed = hasClaimedDebit(await store.orders.claimants(accountId), read.entries)
    return isClaimed && (await hasUselessKey(accountId)) ? 'same' : 'unknown'
  }

  /** Whether the account's own credentials are good no more. */
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

  /** Asks the provider, and commits the outcome with its notice. */
  const check = async (user: User, pair: Pair, isSwitch: boolean): Promise<void> => {
    const found = await askAbout(user, pair)
    if (found.kind === 'refused') {
      const known = await store.accounts.byKeyHash(keyring.lookupHashes(pair.apiKey))
      await onWrong(user.userId, known?.id ?? null)
    }
    await store.transaction(async (tx) => {
      if (isSwitch && !(await tx.chats.isHeld(pair.row))) return
      // Nothing was changed, and the button can be pressed again.
      if (isSwitch && found.kind === 'unchecked') return void (await answer(tx, user.chatId, found))
      await tx.chats.dropCredentials(pair.row)
      if (found.kind === 'refused' || found.kind === 'unchecked') await answer(tx, user.chatId, found)
      else if (found.kind === 'other_account' && !isSwitch) await askToSwitch(tx, user.chatId, pair, found)
      else await attach(tx, user, pair, found)
    })
    onNotice()
  }

  const askAbout = async (
    user: User,
    { apiKey, apiSecret }: Pair,
  ): Promise<Place | Extract<ConnectionOutcome, { kind: 'refused' | 'unchecked' }>> => {
    try {
      return await placeOf(user, apiKey, wallets.probe(apiKey, apiSecret))
    } catch (error) {
      if (error instanceof TooManyTries)
        return { kind: 'unchecked', code: 'too_many_tries', retryAfterMs: error.waitMs }
      if (!(error instanceof ProviderError)) throw error
      const { code, retryAfterMs } = error
      if (uselessCodes.has(code)) return { kind: 'refused' }
      return { kind: 'unchecked', code, retryAfterMs }
    }
  }

  const askToSwitch = async (
    tx: Queries,
    chatId: number,
    pair: Pair,
    { balance, isCertain }: Extract<Place, { kind: 'other_account' }>,
  ): Promise<void> => {
    const { expiresAt } = await holdPair(tx.chats, keyring, 'switching', { chatId, ...pair }, now())
    const { accountType, balancePesewas } = balance
    const untilMs = expiresAt.getTime()
    await answer(tx, chatId, { kind: 'other_account', isCertain, accountType, balancePesewas, untilMs })
  }

  const waitingFor = async (chatId: number, until: Date): Promise<HalfCredential | null> => {
    const row = await store.chats.heldCredentials(chatId)
    return row && row.expiresAt > now() && row.expiresAt.getTime() === until.getTime() ? row : null
  }

  return {
    take: async (user, apiKey, apiSecret) => {
      const typed = { chatId: user.chatId, apiKey, apiSecret }
      const row = await holdPair(store.chats, keyring, 'checking', typed, now())
      return () => check(user, { apiKey, apiSecret, row }, false)
    },

    switchTo: async (user, until) => {
      const row = await waitingFor(user.chatId, until)
      const pair = row && pairIn(keyring, row, 'switching')
      return pair && (() => check(user, pair, true))
    },

    stay: async (chatId, until) => {
      const row = await waitingFor(chatId, until)
      if (row) await store.chats.dropCredentials(row)
    },

    disconnect: async (userId, accountId, when) => {
      const departure = await store.transaction(async (tx): Promise<Departure> => {
        const member = await tx.accounts.member(userId)
        return member?.accountId === accountId ? leave(tx, member, when, now()) : { kind: 'gone' }
      })
      onNotice()
      return departure
    },

    keep: (userId, accountId) =>
      store.transaction(async (tx) => {
        const member = await tx.accounts.member(userId)
        if (member?.accountId !== accountId || member.role !== 'owner') return false
        return tx.accounts.keep(accountId)
      }),

    resume: async () => {
      const held = (await store.chats.heldPairs()).filter(({ expiresAt }) => expiresAt > now())
      await Promise.all(
        held.map(async (row) => {
          const pair = pairIn(keyring, row, 'checking')
          // Only private chats take secrets, and the id of a private chat is its user's.
          if (pair) await check({ userId: row.chatId, chatId: row.chatId, name: null }, pair, false)
        }),
      )
    },

    tidy: async () => {
      const late = (await store.chats.heldPairs()).filter(({ expiresAt }) => expiresAt <= now())
      for (const row of late) {
        await store.transaction(async (tx) => {
          const isUnanswered = pairIn(keyring, row, 'checking') !== null
          const isOurs = await tx.chats.dropCredentials(row)
          if (isOurs && isUnanswered) await answer(tx, row.chatId, { kind: 'interrupted' })
        })
      }
      await store.chats.dropOldKeys(now())
      const erased = await eraseClosed(store, now)
      if (late.length + erased > 0) onNotice()
    },
  }
}

/** More keys and secrets were typed than are tried; see `connect-limits`. */
class TooManyTries extends Error {
  override name = 'TooManyTries'
  readonly waitMs: number

  constructor(waitMs: number) {
    super('Too many keys and secrets are tried.')
    this.waitMs = waitMs
  }
}

const isUseless = (error: unknown): boolean => error instanceof ProviderError && uselessCodes.has(error.code)

/** Its answer would come to an account that is gone. */
const isSending = async (tx: Queries, accountId: string): Promise<boolean> =>
  (await tx.orders.underWatch(accountId)).some(({ placement }) => placement === 'sending')

/** What is to be said of the account that was left for another; null where it went without trace. */
const leftBy = (departure: Departure): Left | null => {
  switch (departure.kind) {
    case 'closing':
      return {
        cancelled: departure.cancelled,
        open: departure.open,
        eraseByMs: departure.eraseBy.getTime(),
      }
    case 'erased':
      return { cancelled: departure.cancelled, open: 0, eraseByMs: null }
    case 'gone':
    case 'left':
    case 'resigned':
    case 'open':
      return null
  }
}
