import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PrismaClient } from '../../../src/database/client/sqlite/client.ts'
import { migrationsFolder } from '../../../src/database/schema.ts'
import { connectionOn, oneTransactionAtATime } from '../../../src/database/sqlite/adapter.ts'
import { keepStatements } from '../../../src/database/sqlite/statements.ts'
import { sqliteTransactions } from '../../../src/database/transactions.ts'
import { createStore, type Store } from '../../../src/store/store.ts'

/** The bot's store on a SQLite database in memory. */
export interface SimulatedDatabase {
  store: Store
  /**
   * Direct access to the same database for observers, without the bot's code. Answers are immediate and include open
   * transactions.
   */
  driver: DatabaseSync
}

let opened: SimulatedDatabase | null = null

/**
 * Empties this thread's only database. The database is reused, because compiling Prisma's queries again would take
 * longer than a short run. So a thread simulates one run at a time.
 */
export const emptyDatabase = (): SimulatedDatabase => {
  opened ??= open()
  empty(opened.driver)
  return opened
}

const open = (): SimulatedDatabase => {
  const driver = new DatabaseSync(':memory:')
  for (const script of migrations()) driver.exec(script)
  const connection = oneTransactionAtATime(connectionOn(keepStatements(driver)))
  const { provider, adapterName } = connection
  const client = new PrismaClient({
    errorFormat: 'minimal',
    adapter: { provider, adapterName, connect: async () => connection },
  })
  const transaction = sqliteTransactions(client)
  const noClock = () => Promise.reject(new Error('Each process has a clock of its own.'))
  return { driver, store: createStore({ client, transaction, clock: noClock }) }
}

const migrations = (): string[] => {
  const folder = migrationsFolder('sqlite')
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name, 'migration.sql'), 'utf8'))
}

const empty = (driver: DatabaseSync): void => {
  driver.exec('PRAGMA foreign_keys = OFF')
  for (const name of tableNames(driver)) driver.exec(`DELETE FROM "${name}"`)
  // Makes generated row ids begin at 1 again.
  driver.exec('DELETE FROM sqlite_sequence; PRAGMA foreign_keys = ON')
}

export const tableNames = (driver: DatabaseSync): string[] =>
  driver
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
