import { createHash } from 'node:crypto'
import { wait } from '../wait.ts'
import type { Prisma } from './client/sqlite/client.ts'
import { inLockOrder, type Part, type Scope } from './scope.ts'

/**
 * Takes the locks of a transaction, before it reads anything.
 *
 * A transaction of everything runs alone: it reads what the one before has written. With conflicts found by the server
 * instead (SERIALIZABLE), some were refused again and again for ten seconds: on small tables it reports false conflicts.
 * The gate is a table, because a lock by a query would come after the transaction's snapshot.
 *
 * A transaction of some parts shares the gate with others, and has a lock for each part. Under READ COMMITTED each
 * statement sees all that was committed before it, so what follows the locks sees what their last holders wrote. All
 * locks are taken in one order.
 *
 * @param keySpace bots in several schemas of one database lock nothing of each other's.
 */
export const takeLocks = async (
  client: Prisma.TransactionClient,
  scope: Scope,
  keySpace: string,
): Promise<void> => {
  if (scope === 'everything') {
    await client.$executeRaw`LOCK TABLE "Gate" IN SHARE ROW EXCLUSIVE MODE`
    return
  }
  await client.$executeRaw`LOCK TABLE "Gate" IN ROW EXCLUSIVE MODE`
  for (const part of inLockOrder(scope))
    await client.$executeRaw`SELECT pg_advisory_xact_lock(${lockOf(keySpace, part)})`
}

/** The number by which PostgreSQL's advisory locks know a part. */
const lockOf = (keySpace: string, part: Part): bigint =>
  createHash('sha256').update(`${keySpace}\0${part}`).digest().readBigInt64BE()

/** A transaction has waited too long for others of its process. The code is PostgreSQL's for a lock. */
class NoTurn extends Error {
  override name = 'NoTurn'
  readonly code = '55P03'
}

/**
 * Lets transactions of this process wait here for others of the same scope, so that they occupy no connection meanwhile.
 * @param maxAtOnce so many run at once.
 * @param patienceMs the longest wait.
 */
export const createTurns = (maxAtOnce: number, patienceMs: number) => {
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

  return async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
    const keys = scope === 'everything' ? [scope] : inLockOrder(scope)
    const turn = Promise.withResolvers<void>()
    const before = keys.map((key) => last.get(key))
    for (const key of keys) last.set(key, turn.promise)
    const end = () => {
      exit()
      for (const key of keys) if (last.get(key) === turn.promise) last.delete(key)
      turn.resolve()
    }
    const entered = Promise.all(before).then(enter)
    if (!(await isInTime(entered, patienceMs))) {
      void entered.then(end)
      throw new NoTurn('Too many transactions wait for each other.')
    }
    return work().finally(end)
  }
}

const isInTime = async (event: Promise<unknown>, ms: number): Promise<boolean> => {
  const timer = new AbortController()
  const late = wait(ms, false, { signal: timer.signal })
  late.catch(() => {})
  try {
    return await Promise.race([event.then(() => true), late])
  } finally {
    timer.abort()
  }
}
