import type { Queries, Store } from '../../../src/store/store.ts'
import type { World } from '../world.ts'
import { withSurroundings } from './mutated.ts'
import type { BotProcess } from './process.ts'

/** The database could not be written to, or could not be reached. */
class DatabaseFault extends Error {
  override name = 'DatabaseFault'
  readonly code: 'ECONNREFUSED' | 'ECONNRESET' | 'SQLITE_FULL'
  constructor(code: DatabaseFault['code']) {
    super('The database does not answer.')
    this.code = code
  }
}

/** Thrown into a transaction to roll it back, so that it runs again. */
class Conflict extends Error {
  override name = 'Conflict'
}

/** The longest time that a query waits for a database that does not answer. */
const maxHangMs = 15_000

/** One process's connection to the database. Each query takes a moment, and may fail, hang, or lose its answer. */
export class Connection {
  readonly #world: World
  readonly #process: BotProcess

  constructor(world: World, process: BotProcess) {
    this.#world = world
    this.#process = process
  }

  /** Runs a query or a transaction. It takes effect at one instant, some time after the call. */
  async query<T>(what: string, run: () => Promise<T>): Promise<T> {
    const { random, weather } = this.#world
    const wasReached = this.#isReached
    await this.#process.pass(what, random.between(0, 3))
    if (!this.#isReached) return this.#hang(what, wasReached && random.chance(0.5) ? run : null)
    if (random.chance(weather.database)) return this.#fail(what)
    const before = this.#world.tables.version
    const result = await run()
    if (this.#world.tables.version !== before) this.#world.say('write', () => what)
    if (random.chance(weather.answerLost)) return this.#fail(`the answer of ${what}`, 'ECONNRESET')
    return this.#process.after(what, result)
  }

  /** Commits all of the work or nothing. After a conflict with another transaction, the work runs again. */
  async transaction<T>(run: (undo: () => void) => Promise<T>): Promise<T> {
    const { random, weather } = this.#world
    while (random.chance(weather.conflict)) await this.query('transaction in conflict', () => undone(run))
    return this.query('transaction', () => {
      const { tables } = this.#world
      const before = tables.changes
      return run(() => {
        if (this.#world.isDiskFull && tables.changes !== before) this.#fail('transaction', 'SQLITE_FULL')
      })
    })
  }

  get #isReached(): boolean {
    return !this.#world.isDatabaseDown && !this.#process.isCutOff
  }

  /** @param run work that the database carries out before its answer is lost; null if it does nothing. */
  async #hang<T>(what: string, run: (() => Promise<T>) | null): Promise<never> {
    const { random } = this.#world
    this.#process.hanging += 1
    await run?.()
    const ms = random.chance(0.5) ? random.spread(1, maxHangMs) : 0
    await this.#process.pass(`${what}, which hangs`, ms)
    this.#process.hanging -= 1
    return this.#fail(what, run ? 'ECONNRESET' : 'ECONNREFUSED')
  }

  #fail(what: string, code: DatabaseFault['code'] = 'ECONNREFUSED'): never {
    this.#world.interrupted()
    this.#world.say('database', () => `${what} fails`)
    this.#process.troubles += 1
    this.#process.stir()
    this.#world.tables.failed()
    throw new DatabaseFault(code)
  }
}

const undone = (run: (undo: () => void) => Promise<unknown>): Promise<void> =>
  run(() => {
    throw new Conflict()
  }).then(
    () => {},
    (error: unknown) => {
      if (!(error instanceof Conflict)) throw error
    },
  )

/** The store as a process uses it: each query takes time and may fail. */
export const storeOf = (world: World, connection: Connection): Store => {
  const { store, mutation } = world
  const changed = (queries: Queries): Queries =>
    mutation.queries ? withSurroundings(mutation.queries(queries)) : queries
  const awaited = <T extends object>(topic: string, queries: T): T => {
    const result = { ...queries }
    for (const [key, query] of Object.entries(queries)) {
      const name = `${topic}.${key}`
      const ask = (...values: unknown[]) => connection.query(name, () => query(...values))
      Object.assign(result, { [key]: ask })
    }
    return result
  }
  const undoable =
    <T>(work: (queries: Queries) => Promise<T>, undo: () => void) =>
    async (queries: Queries): Promise<T> => {
      const result = await work(changed(queries))
      undo()
      return result
    }
  const { clock: _, transaction, ...plain } = store
  const outside = mutation.outside?.(changed(plain)) ?? changed(plain)
  const queries = Object.fromEntries(
    Object.entries(outside).map(([topic, each]) => [topic, awaited(topic, each)]),
  ) as unknown as Queries
  return {
    ...queries,
    clock: () => connection.query('clock', async () => new Date(world.nowMs + world.aheadMs)),
    transaction: (work, options) =>
      connection.transaction((undo) => transaction(undoable(work, undo), options)),
  }
}
