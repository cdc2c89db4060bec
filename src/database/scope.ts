/** A part of the database that a transaction may have to itself. */
export type Part = `account ${string}` | `chat ${number}`

/**
 * What a transaction has to itself. All that it reads in order to write must be within. On SQLite transactions run one
 * after another anyway; on PostgreSQL those whose scopes share no part run at the same time.
 *
 * | part | what is within |
 * |---|---|
 * | an account | its row, members, purchases, orders with their events, requests to the provider, shop and books |
 * | a chat | all that is owed to it, taken together |
 * | everything | the whole database |
 *
 * A message may be owed to a chat from any scope: it is one row more, and concerns only who reads all of them.
 */
export type Scope = 'everything' | readonly Part[]

export const ofAccount = (accountId: string): readonly Part[] => ofAccounts([accountId])

export const ofAccounts = (accountIds: readonly string[]): readonly Part[] =>
  accountIds.map((id): Part => `account ${id}`)

export const ofChat = (chatId: number): readonly Part[] => [`chat ${chatId}`]

/** For what only owes messages. */
export const ofNothing: readonly Part[] = []

export const isWithin = (scope: Scope, part: Part): boolean => scope === 'everything' || scope.includes(part)

/** The parts, each once and in the order in which every transaction locks them: so none waits for another in a circle. */
export const inLockOrder = (parts: readonly Part[]): Part[] => [...new Set(parts)].toSorted()

/** Thrown inside a transaction that came upon a part outside its scope: it is run again with that part. */
export class OutOfScope extends Error {
  override name = 'OutOfScope'
  readonly part: Part

  constructor(part: Part) {
    super('The transaction needs a part of the database that is outside its scope.')
    this.part = part
  }
}
