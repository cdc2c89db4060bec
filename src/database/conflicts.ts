import { wait } from '../wait.ts'

/** If two transactions insert the same row, the second one finds it on its next try; after more tries it is a fault. */
const maxTakenTries = 3
/** Tried this often however long it took: the process may have been suspended during the first try. */
const minTries = 3

/**
 * Repeats a transaction that PostgreSQL refused because of another one: nothing was written. The pause grows with each
 * try, so that of many rivals one gets through.
 * @param run tells `onBegin` once its transaction has begun.
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

/** The codes of a failure. Prisma gives its own for its queries, and the database's for plain SQL and for COMMIT. */
const codesOf = (error: unknown): (string | undefined)[] => {
  const { code, cause, meta } = (error ?? {}) as Failure
  const causes = [cause, meta?.driverAdapterError?.cause]
  return [code, ...causes.flatMap((each) => [each?.kind, each?.originalCode])]
}

/** Before the transaction has begun: there was no connection for it in time. */
const transactionFailed = 'P2028'
/** Two transactions wanted the same write, or one waited too long for a lock of the server. */
const conflicts = ['P2034', 'TransactionWriteConflict', '55P03']
const taken = ['P2002', 'UniqueConstraintViolation']

/** Whether the transaction was refused because of another one: nothing was written. */
const isConflict = (error: unknown): boolean =>
  codesOf(error).some((code) => code !== undefined && conflicts.includes(code))

/** Whether a row was refused because another one has what may stand there once. */
export const isTaken = (error: unknown): boolean =>
  codesOf(error).some((code) => code !== undefined && taken.includes(code))
