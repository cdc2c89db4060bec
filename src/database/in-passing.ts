import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlQuery, Transaction } from '@prisma/driver-adapter-utils'

const isInPassing = new AsyncLocalStorage<true>()

/**
 * Runs a write that nobody waits for. A transaction on PostgreSQL sends it together with its next statement, at the
 * latest with COMMIT, so it takes no round trip of its own. If it fails, the next statement fails in its place, and the
 * transaction with it. Everywhere else it is run at once.
 * @param write one whose only answer is how many rows it changed.
 */
export const inPassing = (write: () => PromiseLike<unknown>): Promise<void> =>
  isInPassing.run(true, async () => void (await write()))

/** A transaction of PostgreSQL that sends such writes with the statements that follow them. */
export const sendingInPassing = (transaction: Transaction): Transaction => {
  let held: SqlQuery[] = []

  /** Sends all at once. The server refuses whatever follows a failed write, COMMIT too: the first failure is the cause. */
  const send = async <T>(statement: () => Promise<T>): Promise<T> => {
    const writes = held.map((write) => transaction.executeRaw(write))
    held = []
    const answer = statement()
    await Promise.allSettled([...writes, answer])
    await Promise.all(writes)
    return answer
  }

  return {
    ...transaction,
    queryRaw: (query) => send(() => transaction.queryRaw(query)),
    executeRaw: async (query) => {
      if (query.sql === 'ROLLBACK') held = []
      else if (isInPassing.getStore()) {
        held.push(query)
        return 0
      }
      return send(() => transaction.executeRaw(query))
    },
  }
}
