import { type Departure, isShared, leave, type When } from '../accounts/departure.ts'
import { movePerson } from '../accounts/moving.ts'
import { crashPoint } from '../base/crash-point.ts'
import type { Account, Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Somebody } from './change.ts'

/**
 * Deleting a person's data (“Delete my data”) begins with their own data, which is deleted immediately. When the
 * last owner leaves, the account closes as with `/disconnect`. After that, the account's data is erased in small
 * steps. If a crash interrupts them, they continue after the restart:
 *
 * | the account | what is erased |
 * |---|---|
 * | is closing, with open orders | drafts and finished purchases |
 * | is erased | all purchases except those being sent at this moment, and finally the account's row |
 *
 * While a message about an order or purchase is queued, the order or purchase is kept, but for 48 hours at most.
 * Messages may be delayed by quiet hours, or because the chat refuses them.
 *
 * If the owner keeps the account after all or connects it again, nothing more is erased.
 */
type Forgetting =
  | { kind: 'forgotten'; departure: Departure | null }
  /** Nothing changed: orders are open, and the person must choose when to leave. */
  | { kind: 'open' }
  /** The person now belongs to another account than when the question was asked. */
  | { kind: 'other_account' }

/**
 * The longest time for which orders are kept because messages about them are queued, ms. It includes the day in
 * which an account closes.
 */
const patienceMs = 48 * 60 * 60_000
/** One commit erases no more purchases than this, because other work on the account waits for the commit. */
const maxTogether = 50

/**
 * Removes a person from their account and deletes their own data. `eraseForgotten` erases the account's data later.
 * @param when the person's answer to the question when to leave, which is asked if orders are open
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
  // A person without an account may have pressed the button before and not seen the answer. Then only their own data
  // has to be deleted.
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

/**
 * Erases the data of forgotten accounts, except what an open order needs.
 * @returns false if there are no such accounts
 */
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
