import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { testedKind } from './database.ts'
import type { World } from './world.ts'

/**
 * Another program keeps everybody from changing these tables; SQLite knows locks of a whole file alone.
 *
 * @returns a function that ends it.
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

/** The bot's transactions lock tables in any order: none goes on while these are taken, so that nobody waits in a ring. */
const lockTables = async (world: World, tables: readonly string[]) => {
  const gate = await connect(world)
  const client = await connect(world)
  await gate.query('BEGIN; LOCK TABLE "Gate" IN SHARE ROW EXCLUSIVE MODE')
  await client.query('BEGIN')
  for (const table of tables) await client.query(`LOCK TABLE "${table}" IN SHARE ROW EXCLUSIVE MODE`)
  await gate.end()
  return () => client.end()
}

const connect = async ({ databaseUrl }: World): Promise<pg.Client> => {
  const { connectionString, schema } = readPostgresUrl(databaseUrl)
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  return client
}
