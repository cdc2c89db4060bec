import { type Departure, isShared, leave, type When } from '../accounts/departure.ts'
import { movePerson } from '../accounts/moving.ts'
import { crashPoint } from '../crash-point.ts'
import type { Account, Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Somebody } from './change.ts'

/**
 * “Delete my data”. The person's own data is deleted at once. When the last owner leaves, the account closes as with
 * `/disconnect`. Its data is then erased in small steps, which may be interrupted by a crash and go on after it:
 *
 * | the account | what is erased |
 * |---|---|
 * | is closing, with open orders | drafts and finished purchases |
 * | is erased | all purchases except those being sent at this moment, and finally the account's row |
 *
 * An order or purchase is kept, for 48 hours at most, while a message about it is queued: quiet hours and chats that
 * refuse messages hold messages back.
 *
 * If the owner keeps the account after all or connects it again, nothing more is erased.
 */
type Forgetting =
  | { kind: 'forgotten'; departure: Departure | null }
  /** Nothing changed: orders are open, and the person must choose when to leave. */
  | { kind: 'open' }
  /** The person now belongs to another account than when the question was asked. */
  | { kind: 'other_account' }

/** How long orders are kept at most for queued messages about them. Includes the day in which an account closes. */
const patienceMs = 48 * 60 * 60_000
/** How many purchases are erased in one commit. Other work on the account waits for that commit. */
const maxTogether = 50

/**
 * Removes a person from their account and deletes their own data; `eraseForgotten` later erases the account's data.
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
  // A person without an account may have pressed the button before without seeing the answer. Then only their own data
  // is left to delete.
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

/** Erases the data of forgotten accounts, except what an open order needs. @returns whether there are such accounts. */
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
