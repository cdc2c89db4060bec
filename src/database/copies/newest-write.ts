import { FileFault } from '../database-file.ts'

/** Columns with times of writes. Times that lie ahead, such as the end of a lease, prove nothing. */
export const writtenAt = [
  ['Order', 'updatedAt'],
  ['Purchase', 'createdAt'],
  ['Purchase', 'confirmedAt'],
  ['Event', 'receivedAt'],
  ['Notice', 'createdAt'],
  ['Request', 'at'],
  ['Account', 'createdAt'],
  ['Account', 'balanceAt'],
  ['Session', 'updatedAt'],
] as const

/** The newest write. @throws {FileFault} if there is none. */
export const newestOf = (times: readonly Date[], place: string, now: Date): Date => {
  if (times.length === 0) {
    throw new FileFault(
      `${place}: has no rows that tell when it was copied. Say it yourself, for example --at ${now.toISOString()}`,
    )
  }
  return new Date(Math.min(Math.max(...times.map(Number)), now.getTime()))
}
