import { FileFault } from '../database-file.ts'

/**
 * The columns that tell when a row was written. Columns whose times may be in the future, such as the end of a
 * lease, are left out.
 */
export const writtenAt = [
  ['Order', 'updatedAt'],
  ['Purchase', 'createdAt'],
  ['Purchase', 'confirmedAt'],
  ['StatusReport', 'receivedAt'],
  ['Notice', 'createdAt'],
  ['Request', 'at'],
  ['Account', 'createdAt'],
  ['Account', 'balanceAt'],
  ['Session', 'updatedAt'],
] as const

/**
 * The newest of the times, but not later than `now`.
 * @throws {FileFault} if there are none
 */
export const newestOf = (times: readonly Date[], place: string, now: Date): Date => {
  if (times.length === 0) {
    throw new FileFault(
      `${place}: has no rows that show when it was copied. Give the time, for example --at ${now.toISOString()}`,
    )
  }
  return new Date(Math.min(Math.max(...times.map(Number)), now.getTime()))
}
