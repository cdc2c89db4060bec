import type { Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'

/**
 * Runs a transaction that may attach a person to an account or let them go. It has the account that they belong to to
 * itself, and all others that it concerns: they are read before it and again in it, and if they are others by then, it
 * begins anew.
 * @param work is told where the person belongs; null: to no account.
 * @param othersIn reads the ids of the other accounts that it concerns.
 */
export const movePerson = async <T>(
  store: Store,
  userId: number,
  work: (tx: Queries, member: Member | null) => Promise<T>,
  othersIn: (queries: Queries) => Promise<string[]> = async () => [],
): Promise<T> => {
  const lookIn = async (queries: Queries) => {
    const member = await queries.accounts.member(userId)
    return { member, accounts: [...(member ? [member.accountId] : []), ...(await othersIn(queries))] }
  }
  for (;;) {
    const { accounts } = await lookIn(store)
    const done = await store.transaction(
      async (tx) => {
        const found = await lookIn(tx)
        return found.accounts.join() === accounts.join() ? { result: await work(tx, found.member) } : null
      },
      { accounts },
    )
    if (done) return done.result
  }
}
