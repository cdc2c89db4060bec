import { type Departure, isShared, leave, type When } from '../accounts/departure.ts'
import { crashPoint } from '../crash-point.ts'
import type { Account } from '../store/accounts.ts'
import type { AllQueries, WholeStore } from '../store/store.ts'
import type { Somebody } from './change.ts'

/**
 * "Delete my data". What is the person's own goes at once; with the last owner goes the account, as by
 * `/disconnect`, and then, in small steps that a crash may interrupt, all that it has here:
 *
 * | the account | what goes |
 * |---|---|
 * | closes, with orders under watch | drafts and finished purchases |
 * | is erased | all of its purchases but what is being sent at this moment, and in the end its own row |
 *
 * Of both stays what somebody is still to be told of, so that no word on an order is lost with it: quiet hours and
 * chats that cannot be written to hold messages back.
 *
 * An account that is kept after all, because its owner changed their mind or connected it again, is forgotten no
 * further.
 */
type Forgetting =
  | { kind: 'forgotten'; departure: Departure | null }
  /** Nothing was changed: orders are open, and it has to be said when. */
  | { kind: 'open' }
  /** They are a member of another account than the one that was asked about. */
  | { kind: 'other_account' }

/** What is owed to people about an order has words only while it is there; so long at most, of which a day to close. */
const patienceMs = 48 * 60 * 60_000
/** Purchases that are erased in one commit, for which others wait. */
const mostTogether = 50

export const forgetPerson = async (
  store: WholeStore,
  person: Pick<Somebody, 'userId' | 'accountId'>,
  when: When,
  at: Date,
): Promise<Forgetting> => {
  const outcome = await store.transaction((tx) => forget(tx, person, when, at))
  if (outcome.kind === 'forgotten') crashPoint('person_forgotten')
  return outcome
}

const forget = async (
  tx: AllQueries,
  { userId, accountId }: Pick<Somebody, 'userId' | 'accountId'>,
  when: When,
  at: Date,
): Promise<Forgetting> => {
  const member = await tx.accounts.member(userId)
  // Who has none any more means themselves: they may have pressed before, and not have seen the answer.
  if (member && member.accountId !== accountId) return { kind: 'other_account' }
  const isLast = member?.role === 'owner' && !isShared(await tx.accounts.members(member.accountId), userId)
  const departure = member && (await leave(tx, member, when, at))
  if (departure?.kind === 'open') return { kind: 'open' }
  if (isLast) await forgetAccount(tx, member.accountId, at)
  for (const left of await tx.personalData.leftBy(userId)) await forgetAccount(tx, left, at)
  await tx.personalData.forgetPerson(userId)
  return { kind: 'forgotten', departure }
}

const forgetAccount = async (tx: AllQueries, accountId: string, at: Date): Promise<void> => {
  await tx.personalData.forgetFrom(accountId, at)
  await tx.personalData.forgetBooks(accountId)
  await tx.shops.forget(accountId)
}

/** Erases what is to be forgotten, as far as no open order needs it. @returns whether something was to be. */
export const eraseForgotten = async (store: WholeStore, now: () => Date): Promise<boolean> => {
  const accounts = await store.personalData.forgetting()
  for (const account of accounts) await eraseAccount(store, account, now())
  return accounts.length > 0
}

const eraseAccount = async (store: WholeStore, account: Account, at: Date): Promise<void> => {
  const isErased = account.sealedSecret === ''
  const isPatient = at.getTime() - (account.forgetAt?.getTime() ?? 0) < patienceMs
  let needed: number | null = 0
  while (needed !== null) {
    const from: number = needed
    needed = await store.transaction(async (tx): Promise<number | null> => {
      const current = await tx.accounts.byId(account.id)
      if (!current?.forgetAt) return null
      const { ids, passed } = await tx.personalData.erasable(
        account.id,
        { isErased, isPatient },
        from,
        mostTogether,
      )
      await tx.personalData.erasePurchases(ids)
      const isEnd = ids.length === 0 && passed === from
      if (isEnd && isErased) await tx.personalData.eraseAccountIfEmpty(account.id)
      return isEnd ? null : passed
    })
  }
}
