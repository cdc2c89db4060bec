import { wait } from '../base/wait.ts'

/**
 * How often to try after another row took a unique value. If two transactions insert the same row, the second one
 * finds it on its next try. If that still fails after this many tries, something else is wrong.
 */
const maxTakenTries = 3
/**
 * At least this many tries are made, even over the time limit: the process may have been suspended during the first.
 */
const minTries = 3

/**
 * Repeats a transaction that PostgreSQL refused because of another one; a refused transaction has written nothing.
 * The random pauses grow with each try, so that one of many competing transactions gets through.
 * @param run calls `onBegin` once its transaction has begun
 */
export const untilNoConflict = async <T>(
  run: (onBegin: () => void) => Promise<T>,
  limitMs: number,
): Promise<T> => {
  const startedMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    let isBegun = false
    try {
      return await run(() => {
        isBegun = true
      })
    } catch (error) {
      const isLate = !isBegun && codesOf(error).includes(transactionFailed)
      const again = isLate || isConflict(error) || (isTaken(error) && tries < maxTakenTries)
      if (!again || (tries >= minTries && performance.now() - startedMs > limitMs)) throw error
      await wait(Math.random() * Math.min(200, 5 * 2 ** tries))
    }
  }
}

interface Failure {
  code?: string
  cause?: Cause
  meta?: { driverAdapterError?: { cause?: Cause } }
}

interface Cause {
  kind?: string
  originalCode?: string
}

/**
 * All codes of an error. Prisma has codes of its own for its queries, and passes the database's codes on for raw
 * SQL and COMMIT.
 */
const codesOf = (error: unknown): (string | undefined)[] => {
  const { code, cause, meta } = (error ?? {}) as Failure
  const causes = [cause, meta?.driverAdapterError?.cause]
  return [code, ...causes.flatMap((each) => [each?.kind, each?.originalCode])]
}

/** Prisma's code for a failed transaction. If the transaction never began, no connection was free in time. */
const transactionFailed = 'P2028'
/** Two transactions wanted to write the same row, or one waited too long for a lock. */
const conflicts = ['P2034', 'TransactionWriteConflict', '55P03']
const taken = ['P2002', 'UniqueConstraintViolation']

/** Whether the transaction was refused because of another one, so that nothing was written. */
const isConflict = (error: unknown): boolean =>
  codesOf(error).some((code) => code !== undefined && conflicts.includes(code))

/** Whether a row was refused because another row has the same unique value. */
export const isTaken = (error: unknown): boolean =>
  codesOf(error).some((code) => code !== undefined && taken.includes(code))
