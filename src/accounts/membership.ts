import { isAhead } from '../domain/ahead.ts'
import type { ConnectionOutcome } from '../domain/notice.ts'
import type { Member } from '../store/accounts/accounts.ts'
import type { PendingCredential } from '../store/chats/chats.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import type { Wallets } from '../wallets/wallets.ts'
import { attach, owe, type User } from './attachment.ts'
import type { Limits } from './connect-limits.ts'
import { createCredentialCheck, type Place } from './credential-check.ts'
import { type Departure, eraseClosed, leave, type When } from './departure.ts'
import { movePerson } from './moving.ts'
import { keepPendingPair, type Pair, pairIn } from './typed-credentials.ts'

/** Attaches people to accounts and lets them go. The chat is owed a notice of the outcome of typed credentials. */
export interface Membership {
  /**
   * Takes typed credentials in, sealed: they are checked even if the process ends before.
   *
   * The owners of an account are told of each other owner who connects it. A new key of the account ends all other
   * owners. New credentials that an owner types replace the old ones if their wallet has the account's orders, because
   * then a key was regenerated (see `sameness`). Otherwise the person is asked whether to switch.
   * @returns a function that checks them with the provider.
   */
  take(user: User, apiKey: string, apiSecret: string): Promise<() => Promise<void>>
  /**
   * `Switch`: leaves the account for the checked credentials. Its orders are followed to their end.
   * @param until the end of their time, which names them.
   * @returns a function that switches, after asking the provider once more; null if the credentials wait no longer.
   */
  switchTo(user: User, until: Date): Promise<(() => Promise<void>) | null>
  /**
   * `Same account`: the owner says that the checked credentials are a new key of their account. Only where the wallet may
   * be the account's and nothing proves it.
   * @returns a function that replaces the key, after asking the provider once more; null if the credentials wait no
   * longer.
   */
  replaceKey(user: User, until: Date): Promise<(() => Promise<void>) | null>
  /** `Keep`: forgets the credentials that wait for an answer. */
  stay(chatId: number, until: Date): Promise<void>
  /** Removes the member from that account. */
  disconnect(userId: number, accountId: string, when: When): Promise<Departure>
  /** Keeps the account that was to be erased, for an owner. @returns whether it is theirs, and was to be erased. */
  keep(userId: number, accountId: string): Promise<boolean>
  /** Checks the credentials that the last process could not answer. */
  resume(): Promise<void>
  /** Erases closing accounts that are done, and forgets credentials that waited too long. */
  tidy(): Promise<void>
}

/** The least characters of an API key or secret. */
export const shortestCredential = 4
/** The longest API key or secret we accept. */
export const longestCredential = 512

/** Whether a text could be an API key or secret: one word of plausible length that may stand in a header. */
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
  /** Called when something is owed to a chat. */
  onNotice: () => void
  /** Called for wrong credentials, with the account whose key they hold. */
  onWrong?: (userId: number, accountId: string | null) => Promise<void>
}): Membership => {
  const { store, keyring, wallets, now, newId, limits, onNotice, onWrong = async () => {} } = options

  const askAbout = createCredentialCheck({ store, keyring, wallets, limits, now })

  const answer = (tx: Queries, chatId: number, outcome: ConnectionOutcome): Promise<void> =>
    owe(tx, chatId, outcome, now())

  /** Asks the provider, and commits the outcome with its notice. */
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
        // Nothing was changed, and the button can be pressed again.
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

  /** The place by the owner's own word, unless something has come up since the question. */
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
          // Only private chats take secrets, and the id of a private chat is its user's.
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
