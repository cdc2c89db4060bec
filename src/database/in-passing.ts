import { AsyncLocalStorage } from 'node:async_hooks'
import type { SqlQuery, Transaction } from '@prisma/driver-adapter-utils'

const isInPassing = new AsyncLocalStorage<true>()

/**
 * Runs a write that nobody waits for. A transaction on PostgreSQL sends it together with its next statement, at the
 * latest with COMMIT, so it takes no round trip of its own; writes to several tables become one statement. If it fails,
 * the next statement fails in its place, and the transaction with it. Everywhere else it is run at once.
 * @param write one whose only answer is how many rows it changed.
 */
export const inPassing = (write: () => PromiseLike<unknown>): Promise<void> =>
  isInPassing.run(true, async () => void (await write()))

/** A transaction of PostgreSQL that sends such writes with the statements that follow them. */
export const sendingInPassing = (transaction: Transaction): Transaction => {
  let held: SqlQuery[] = []

  /** Sends all at once. The server refuses whatever follows a failed write, COMMIT too: the first failure is the cause. */
  const send = async <T>(statement: () => Promise<T>): Promise<T> => {
    const writes = joined(held).map((write) => transaction.executeRaw(write))
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

/** One statement takes no more values, so that there are few texts: each is prepared once and kept. */
const maxValues = 100

/**
 * The writes in fewer statements. The parts of a statement see nothing of each other, and take effect in no order: so
 * only writes that name one table each, all of them different, become one.
 */
const joined = (writes: readonly SqlQuery[]): SqlQuery[] => {
  const groups: SqlQuery[][] = []
  for (const write of writes) {
    const group = groups.at(-1)
    if (group && fitTogether([...group, write])) group.push(write)
    else groups.push([write])
  }
  return groups.map(asOne)
}

const fitTogether = (writes: readonly SqlQuery[]): boolean => {
  const tables = writes.map(({ sql }) => onlyTableIn(sql))
  const values = writes.reduce((sum, { args }) => sum + args.length, 0)
  return !tables.includes(null) && new Set(tables).size === writes.length && values <= maxValues
}

/** The table that a statement names; null: it names none, or several. */
const onlyTableIn = (sql: string): string | null => {
  const [named, another] = sql.matchAll(/\b(?:INTO|UPDATE|FROM|JOIN|USING)\s+(?:"\w+"\.)?"(\w+)"/gi)
  return (!another && named?.[1]) || null
}

const asOne = (writes: readonly SqlQuery[]): SqlQuery => {
  let before = 0
  const parts = writes.map(({ sql, args }) => {
    const offset = before
    before += args.length
    return sql.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + offset}`)
  })
  const last = parts.pop() ?? ''
  const earlier = parts.map((part, index) => `"${index}" AS (${part})`)
  return {
    sql: earlier.length === 0 ? last : `WITH ${earlier.join(', ')} ${last}`,
    args: writes.flatMap(({ args }) => args),
    argTypes: writes.flatMap(({ argTypes }) => argTypes),
  }
}
