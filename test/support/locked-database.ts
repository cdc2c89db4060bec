import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { readPostgresUrl } from '../../src/database/postgres/url.ts'
import { testedKind } from './database.ts'
import type { World } from './world.ts'

/**
 * Locks these tables against changes, like another program would. On SQLite, locks the whole file. @returns a function
 * that ends the lock.
 */
export const lockDatabase = (world: World, tables: readonly string[]): Promise<() => Promise<void>> =>
  testedKind === 'sqlite' ? lockFile(world) : lockTables(world, tables)

const lockFile = async ({ databasePath }: World) => {
  const database = new DatabaseSync(databasePath, { timeout: 5_000 })
  database.exec('BEGIN IMMEDIATE')
  return async () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

/** The bot's transactions lock tables in any order. If that leads to a deadlock, this transaction starts over. */
const lockTables = async (world: World, tables: readonly string[]) => {
  const client = await connect(world)
  const names = tables.map((table) => `"${table}"`).join()
  for (;;) {
    try {
      await client.query(`BEGIN; LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`)
      return () => client.end()
    } catch (error) {
      if (!isDeadlock(error)) throw error
      await client.query('ROLLBACK')
    }
  }
}

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'

const connect = async ({ databaseUrl }: World): Promise<pg.Client> => {
  const { connectionString, schema } = readPostgresUrl(databaseUrl)
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  return client
}
