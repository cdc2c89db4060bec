import type { ConnectionOutcome } from '../domain/notice.ts'
import { isAhead } from '../domain/times/ahead.ts'
import type { Member } from '../store/accounts/accounts.ts'
import type { PendingCredential } from '../store/chats/chats.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import type { Wallets } from '../wallets/wallets.ts'
import { attach, enqueueOutcome, type User } from './attachment.ts'
import type { Limits } from './connect-limits.ts'
import { createCredentialCheck, type Place } from './credential-check.ts'
import { type Departure, eraseClosed, leave, type When } from './departure.ts'
import { movePerson } from './moving.ts'
import { keepPendingPair, type Pair, pairIn } from './typed-credentials.ts'

/**
 * Connects people to accounts and disconnects them. The outcome of typed credentials is sent to the chat as a notice.
 */
export interface Membership {
  /**
   * Stores typed credentials, sealed, so that they are checked even if the process stops first.
   *
   * The owners of an account are told when somebody else connects it. If an owner types new credentials whose wallet
   * has the account's orders, the key was regenerated (see `sameness`): the new credentials replace the old ones, and
   * all other owners are removed. Otherwise the person is asked whether to switch.
   * @returns a function that checks the credentials with the provider.
   */
  take(user: User, apiKey: string, apiSecret: string): Promise<() => Promise<void>>
  /**
   * Handles the button `Switch`: leaves the current account for the one that the checked credentials belong to. Orders
   * of the account that is left are followed to their end.
   * @param until when the waiting credentials expire, which identifies them.
   * @returns a function that asks the provider once more and switches; null if the credentials no longer wait.
   */
  switchTo(user: User, until: Date): Promise<(() => Promise<void>) | null>
  /**
   * Handles the button `Same account`: the owner confirms that the checked credentials are a new key of their account.
   * The button is shown only if that is plausible but not proven.
   * @returns a function that asks the provider once more and replaces the key; null if the credentials no longer wait.
   */
  replaceKey(user: User, until: Date): Promise<(() => Promise<void>) | null>
  /** Handles the button `Keep`: deletes the credentials that wait for the person's decision. */
  stay(chatId: number, until: Date): Promise<void>
  disconnect(userId: number, accountId: string, when: When): Promise<Departure>
  /** Keeps an account that is closing. @returns false if the person does not own it, or it is not closing. */
  keep(userId: number, accountId: string): Promise<boolean>
  /** Checks the credentials that the previous process did not finish checking. */
  resume(): Promise<void>
  /** Erases closing accounts whose orders have ended, and deletes typed credentials that have waited too long. */
  tidy(): Promise<void>
}

/** In characters. */
export const shortestCredential = 4
/** In characters. */
export const longestCredential = 512

/**
 * Whether a text could be an API key or secret: one word of plausible length whose characters are allowed in an HTTP
 * header.
 */
export const looksLikeCredential = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && text.length >= shortestCredential && text.length <= longestCredential

/**
 * @param options.limits how often keys may be tried.
 * @param options.newId makes the id of a new account.
 */
export const createMembership = (options: {
  store: Store
  keyring: Keyring
  wallets: Wallets
  now: () => Date
  newId: () => string
  limits: Limits
  onNotice: () => void
  /**
   * Called when the provider refuses typed credentials. `accountId`: the account that has the typed key; null if none
   * has it.
   */
  onWrong?: (userId: number, accountId: string | null) => Promise<void>
}): Membership => {
  const { store, keyring, wallets, now, newId, limits, onNotice, onWrong = async () => {} } = options

  const askAbout = createCredentialCheck({ store, keyring, wallets, limits, now })

  const answer = (tx: Queries, chatId: number, outcome: ConnectionOutcome): Promise<void> =>
    enqueueOutcome(tx, chatId, outcome, now())

  /**
   * Asks the provider, and commits the outcome together with its notice. @param answered the button that the person
   * pressed; null if they have just typed the pair.
   */
  const check = async (user: User, pair: Pair, answered: 'switch' | 'same' | null): Promise<void> => {
    const found = await askAbout(user, pair)
    const knownIn = ({ accounts }: Queries) => accounts.byKeyHash(keyring.lookupHashes(pair.apiKey))
    if (found.kind === 'refused') await onWrong(user.userId, (await knownIn(store))?.id ?? null)
    const othersIn = async (queries: Queries): Promise<string[]> => {
      const known = await knownIn(queries)
      return [...(known ? [known.id] : []), ...(found.kind === 'regenerated' ? [found.accountId] : [])]
    }
    await movePerson(
      store,
      user.userId,
      async (tx, member) => {
        if (answered && !(await tx.chats.isPending(pair.row))) return
        // If the provider could not be asked, the credentials are kept, so that the button can be pressed again.
        if (answered && found.kind === 'unchecked') return void (await answer(tx, user.chatId, found))
        await tx.chats.dropCredentials(pair.row)
        if (found.kind === 'refused' || found.kind === 'unchecked') await answer(tx, user.chatId, found)
        else {
          const place = answered === 'same' ? judged(member, found) : found
          const isToAsk = place.kind === 'other_account' && answered !== 'switch'
          if (isToAsk) await askToSwitch(tx, user.chatId, pair, place)
          else await attach(tx, { user, pair, place }, { keyring, newId, at: now() })
        }
      },
      othersIn,
    )
    onNotice()
  }

  /**
   * For an owner who says that the credentials are a new key of their account: treats them as such, unless the check
   * contradicts the owner.
   */
  const judged = (member: Member | null, place: Place): Place => {
    const isOpen = place.kind === 'other_account' && place.mayBeSame && member?.role === 'owner'
    return isOpen ? { ...place, kind: 'regenerated', accountId: member.accountId } : place
  }

  const askToSwitch = async (
    tx: Queries,
    chatId: number,
    pair: Pair,
    { balance, isCertain, mayBeSame }: Extract<Place, { kind: 'other_account' }>,
  ): Promise<void> => {
    const { expiresAt } = await keepPendingPair(tx.chats, keyring, 'switching', { chatId, ...pair }, now())
    const { accountType, balancePesewas } = balance
    const untilMs = expiresAt.getTime()
    const found = { isCertain, mayBeSame, accountType, balancePesewas, untilMs }
    await answer(tx, chatId, { kind: 'other_account', ...found })
  }

  const waitingFor = async (chatId: number, until: Date): Promise<PendingCredential | null> => {
    const row = await store.chats.pendingCredentials(chatId)
    return row &&
      isAhead(row.expiresAt, 'typedCredentials', now()) &&
      row.expiresAt.getTime() === until.getTime()
      ? row
      : null
  }

  const answerWith = async (answered: 'switch' | 'same', user: User, until: Date) => {
    const row = await waitingFor(user.chatId, until)
    const pair = row && pairIn(keyring, row, 'switching')
    return pair && (() => check(user, pair, answered))
  }

  return {
    take: async (user, apiKey, apiSecret) => {
      const typed = { chatId: user.chatId, apiKey, apiSecret }
      const row = await keepPendingPair(store.chats, keyring, 'checking', typed, now())
      return () => check(user, { apiKey, apiSecret, row }, null)
    },

    switchTo: (user, until) => answerWith('switch', user, until),

    replaceKey: (user, until) => answerWith('same', user, until),

    stay: async (chatId, until) => {
      const row = await waitingFor(chatId, until)
      if (row) await store.chats.dropCredentials(row)
    },

    disconnect: async (userId, accountId, when) => {
      const departure = await store.transaction(
        async (tx): Promise<Departure> => {
          const member = await tx.accounts.memberIn(userId, accountId)
          return member ? leave(tx, member, when, now()) : { kind: 'gone' }
        },
        { accounts: [accountId] },
      )
      onNotice()
      return departure
    },

    keep: (userId, accountId) =>
      store.transaction(
        async (tx) => {
          const member = await tx.accounts.memberIn(userId, accountId)
          return member?.role === 'owner' && tx.accounts.keep(accountId)
        },
        { accounts: [accountId] },
      ),

    resume: async () => {
      const pending = (await store.chats.pendingPairs()).filter(({ expiresAt }) =>
        isAhead(expiresAt, 'typedCredentials', now()),
      )
      await Promise.all(
        pending.map(async (row) => {
          const pair = pairIn(keyring, row, 'checking')
          // Credentials are accepted only in private chats, whose id is the user's id.
          if (pair) await check({ userId: row.chatId, chatId: row.chatId, name: null }, pair, null)
        }),
      )
    },

    tidy: async () => {
      const late = (await store.chats.pendingPairs()).filter(
        ({ expiresAt }) => !isAhead(expiresAt, 'typedCredentials', now()),
      )
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
