import { type Departure, isShared, leave, type When } from '../accounts/departure.ts'
import { movePerson } from '../accounts/moving.ts'
import { crashPoint } from '../crash-point.ts'
import type { Account, Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Somebody } from './change.ts'

/**
 * "Delete my data". The person's own data go at once. When the last owner leaves, the account goes too, as by
 * `/disconnect`. Its data are then erased in small steps that a crash may interrupt:
 *
 * | the account | what goes |
 * |---|---|
 * | closes, with orders under watch | drafts and finished purchases |
 * | is erased | all of its purchases but what is being sent at this moment, and in the end its own row |
 *
 * An order or purchase stays as long as somebody is still to be told of it: quiet hours and chats that cannot be
 * written to hold messages back.
 *
 * An account that is kept after all, because its owner changed their mind or connected it again, is forgotten no
 * further.
 */
type Forgetting =
  | { kind: 'forgotten'; departure: Departure | null }
  /** Nothing was changed: orders are open, and the person has to choose when to leave. */
  | { kind: 'open' }
  /** The person is a member of another account than the one that was asked about. */
  | { kind: 'other_account' }

/** How long orders stay at most for messages that are owed about them, with the day that an account takes to close. */
const patienceMs = 48 * 60 * 60_000
/** Purchases that are erased in one commit, for which others wait. */
const maxTogether = 50

/**
 * Removes a person from their account and begins to erase their data; `eraseForgotten` does the rest.
 * @param when when the person leaves if orders are open.
 */
export const forgetPerson = async (
  store: Store,
  person: Pick<Somebody, 'userId' | 'accountId'>,
  when: When,
  at: Date,
): Promise<Forgetting> => {
  const outcome = await movePerson(
    store,
    person.userId,
    (tx, member) => forget(tx, person, member, when, at),
    ({ personalData }) => personalData.leftBy(person.userId),
  )
  if (outcome.kind === 'forgotten') crashPoint('person_forgotten')
  return outcome
}

const forget = async (
  tx: Queries,
  { userId, accountId }: Pick<Somebody, 'userId' | 'accountId'>,
  member: Member | null,
  when: When,
  at: Date,
): Promise<Forgetting> => {
  // A person without an account may have pressed before, and not have seen the answer: only their own data are left.
  if (member && member.accountId !== accountId) return { kind: 'other_account' }
  const isLast = member?.role === 'owner' && !isShared(await tx.accounts.members(member.accountId), userId)
  const departure = member && (await leave(tx, member, when, at))
  if (departure?.kind === 'open') return { kind: 'open' }
  if (isLast) await forgetAccount(tx, member.accountId, at)
  for (const left of await tx.personalData.leftBy(userId)) await forgetAccount(tx, left, at)
  await tx.personalData.forgetPerson(userId)
  return { kind: 'forgotten', departure }
}

const forgetAccount = async (tx: Queries, accountId: string, at: Date): Promise<void> => {
  await tx.personalData.forgetFrom(accountId, at)
  await tx.personalData.forgetBooks(accountId)
}

/** Erases the data that are to be forgotten, unless an open order needs them. @returns whether there were any. */
export const eraseForgotten = async (store: Store, now: () => Date): Promise<boolean> => {
  const accounts = await store.personalData.forgetting()
  for (const account of accounts) await eraseAccount(store, account, now())
  return accounts.length > 0
}

const eraseAccount = async (store: Store, account: Account, at: Date): Promise<void> => {
  const isErased = account.sealedSecret === ''
  const isPatient = at.getTime() - (account.forgetAt?.getTime() ?? 0) < patienceMs
  let needed: number | null = 0
  while (needed !== null) {
    const from: number = needed
    needed = await store.transaction(
      async (tx): Promise<number | null> => {
        const current = await tx.accounts.byId(account.id)
        if (!current?.forgetAt) return null
        const how = { isErased, isPatient }
        const { ids, passed } = await tx.personalData.erasable(account.id, how, from, maxTogether)
        await tx.personalData.erasePurchases(ids)
        const isEnd = ids.length === 0 && passed === from
        if (isEnd && isErased) await tx.personalData.eraseAccountIfEmpty(account.id)
        return isEnd ? null : passed
      },
      { accounts: [account.id] },
    )
  }
}
