import type { Member } from '../store/accounts/accounts.ts'
import type { Queries, Store } from '../store/store.ts'

/**
 * Runs a transaction that may attach a person to an account or detach them. It locks the person's account and all other
 * accounts concerned. These are looked up before the transaction and again inside it. If they have changed in between,
 * the transaction starts again.
 * @param work gets the person's membership; null if they belong to no account.
 * @param othersIn reads the ids of the other accounts to lock.
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
