import { timerMs } from '../base/wait.ts'

/**
 * The work waited too long for its keys and was not done. It has PostgreSQL's code for a lock that is not available
 * (`lock_not_available`), because it means the same.
 */
class WaitedTooLong extends Error {
  override name = 'WaitedTooLong'
  readonly code = '55P03'
}

/**
 * Runs the work once no other work with one of its keys is running.
 * @throws {WaitedTooLong}
 */
export type Exclusively = <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T>

/**
 * A mutex for each key, within this process. Work joins the queues of all its keys at the same moment, so that a
 * deadlock is impossible.
 * @param maxAtOnce how many pieces of work may run at the same time, whatever their keys are
 * @param patienceMs the longest wait
 */
export const createKeyLocks = (maxAtOnce: number, patienceMs: number): Exclusively => {
  const last = new Map<string, Promise<void>>()
  const queue: (() => void)[] = []
  let running = 0

  const enter = async (): Promise<void> => {
    if (running < maxAtOnce) running += 1
    else await new Promise<void>((resolve) => queue.push(resolve))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async (keys, work) => {
    const done = Promise.withResolvers<void>()
    const before = keys.map((key) => last.get(key))
    for (const key of keys) last.set(key, done.promise)
    const end = (): void => {
      leave()
      for (const key of keys) if (last.get(key) === done.promise) last.delete(key)
      done.resolve()
    }
    const entered = Promise.all(before).then(enter)
    if (!(await isInTime(entered, patienceMs))) {
      void entered.then(end)
      throw new WaitedTooLong('Too many transactions wait for each other.')
    }
    return work().finally(end)
  }
}

/**
 * Whether the event comes within that time. It uses a plain timer, because an abort signal would create an error object
 * for each transaction.
 */
const isInTime = (event: Promise<unknown>, ms: number): Promise<boolean> => {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, timerMs(ms), false)
  event.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  return promise
}
