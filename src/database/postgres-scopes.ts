import { createHash } from 'node:crypto'
import type { IsolationLevel } from '@prisma/driver-adapter-utils'
import { inLockOrder, type Part, type Scope } from './scope.ts'

/** How a transaction begins, and with which others of this process it takes turns. */
export interface Beginning {
  /** Statements for one round trip. */
  sql: string
  /** It waits for all earlier transactions of this process that have one of these keys. */
  keys: readonly string[]
}

/**
 * A transaction of everything runs alone: it reads what the one before has written. With conflicts found by the server
 * instead (SERIALIZABLE), some were refused again and again for ten seconds, since on small tables it takes strangers
 * for rivals. The gate is a table, because a lock by a query would come after the transaction's snapshot.
 *
 * A transaction of some parts shares the gate with others, and has a lock for each part. Under READ COMMITTED each
 * statement sees all that was committed before it, so what follows the locks sees what their last holders wrote. All
 * locks are taken in one order.
 *
 * @param keySpace bots in several schemas of one database lock nothing of each other's.
 */
export const beginningOf = (scope: Scope, isolation: IsolationLevel, keySpace: string): Beginning => {
  if (scope === 'everything') {
    return {
      sql: `BEGIN ISOLATION LEVEL ${isolation}; LOCK TABLE "Gate" IN SHARE ROW EXCLUSIVE MODE`,
      keys: [`everything ${keySpace}`],
    }
  }
  const keys = inLockOrder(scope).map((part) => lockOf(keySpace, part))
  const locks = keys.map((key) => `SELECT pg_advisory_xact_lock(${key})`)
  return {
    sql: ['BEGIN ISOLATION LEVEL READ COMMITTED', 'LOCK TABLE "Gate" IN ROW EXCLUSIVE MODE', ...locks].join(
      '; ',
    ),
    keys,
  }
}

/** The number by which PostgreSQL's advisory locks know a part. */
const lockOf = (keySpace: string, part: Part): string =>
  createHash('sha256').update(`${keySpace}\0${part}`).digest().readBigInt64BE().toString()

/** Lets transactions of this process wait here for each other, so that they occupy no connection meanwhile. */
export const createTurns = (maxAtOnce: number) => {
  const last = new Map<string, Promise<void>>()
  const waiting: (() => void)[] = []
  let taken = 0

  const enter = async (): Promise<void> => {
    if (taken < maxAtOnce) taken += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const exit = (): void => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }

  /** @returns what ends the turn. */
  return async (keys: readonly string[]): Promise<() => void> => {
    const turn = Promise.withResolvers<void>()
    const before = keys.map((key) => last.get(key))
    for (const key of keys) last.set(key, turn.promise)
    await Promise.all(before)
    await enter()
    return () => {
      exit()
      for (const key of keys) if (last.get(key) === turn.promise) last.delete(key)
      turn.resolve()
    }
  }
}
