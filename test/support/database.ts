import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { readPostgresUrl } from '../../src/database/postgres/url.ts'
import type { DatabaseKind } from '../../src/database/schema.ts'
import { sqliteAdapter } from '../../src/database/sqlite/adapter.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { newFolder } from './folder.ts'
import { takeEmptySchema } from './postgres/empty-schema.ts'
import { newSchema } from './postgres/new-schema.ts'

/** The kind of database in this test run. */
export const testedKind: DatabaseKind = process.env.TESTED_DATABASE === 'postgresql' ? 'postgresql' : 'sqlite'

/** The address of a database that does not exist yet. It is removed when the test ends. */
export const unmadeDatabaseUrl = async (): Promise<string> => {
  if (testedKind === 'postgresql') {
    const { url, drop } = newSchema()
    onTestFinished(drop)
    return url
  }
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return `file:${join(folder, 'test.db')}`
}

/** The address of a new, migrated database without rows, only for this test. */
export const newDatabaseUrl = async (): Promise<string> => {
  if (testedKind === 'postgresql') {
    const { url, giveBack } = await takeEmptySchema()
    onTestFinished(giveBack)
    return url
  }
  const url = await unmadeDatabaseUrl()
  await layMigrated(url)
  return url
}

/** A database that several tests use, one after the other. Each test gets it without rows. */
interface SharedDatabase {
  database: Database
  empty(): Promise<void>
}

/**
 * Open databases that earlier tests of this process no longer need. A newly opened one would have to compile each query
 * again.
 */
const left: SharedDatabase[] = []

/** A store on a database without rows. */
export const newStore = async (): Promise<Store> => {
  const shared = left.pop() ?? (await openShared())
  onTestFinished(async () => {
    await shared.empty()
    left.push(shared)
  })
  return createStore(shared.database)
}

const openShared = async (): Promise<SharedDatabase> => {
  if (testedKind === 'postgresql') {
    const { url, empty } = await takeEmptySchema()
    return { database: await openDatabase(url), empty }
  }
  const url = `file:${join(await newFolder(), 'test.db')}`
  await layMigrated(url)
  const database = await openDatabase(url)
  const connection = await sqliteAdapter(url).connect()
  const { rows } = await connection.queryRaw({
    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> '_prisma_migrations'",
    args: [],
    argTypes: [],
  })
  const tables = rows.map(([name]) => String(name))
  const emptying = tables.map((name) => `DELETE FROM "${name}"`).join('; ')
  return {
    database,
    empty: () => connection.executeScript(`PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; ${emptying}; COMMIT`),
  }
}

/** The content of a migrated SQLite file without rows. Copying it takes a tenth of the time of migrating. */
let migratedBytes: Promise<Buffer> | null = null

const migrateOne = async (): Promise<Buffer> => {
  const folder = await newFolder()
  const path = join(folder, 'template.db')
  const database = await openDatabase(`file:${path}`)
  await database.close()
  const bytes = await readFile(path)
  await rm(folder, { recursive: true })
  return bytes
}

/** Creates a migrated SQLite file without rows if there is no file yet. */
export const layMigrated = async (url: string): Promise<void> => {
  migratedBytes ??= migrateOne()
  await writeFile(url.slice('file:'.length), await migratedBytes, { mode: 0o600 })
}

/** Runs an SQL script in a database, bypassing the bot. */
export const executeIn = async (url: string, script: string): Promise<void> => {
  if (url.startsWith('file:')) {
    const adapter = await sqliteAdapter(url).connect()
    await adapter.executeScript(script)
    await adapter.dispose()
    return
  }
  const { connectionString, schema } = readPostgresUrl(url)
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    if (schema !== 'public')
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET search_path = ${schema}`)
    await client.query(script)
  } finally {
    await client.end()
  }
}

/** PostgreSQL's catalogue has columns of the type "char", which the adapter does not know. Reads them as texts. */
class PlainPool extends pg.Pool {
  override async query(...asked: unknown[]): Promise<never> {
    const result = (await Reflect.apply(pg.Pool.prototype.query, this, asked)) as pg.QueryResult
    for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25
    return result as never
  }
}

/** An adapter factory for Prisma's schema engine. */
export const adapterFactoryOf = (
  url: string,
): { factory: SqlMigrationAwareDriverAdapterFactory; close: () => Promise<void> } => {
  if (url.startsWith('file:')) {
    // Prisma's schema engine quotes the names of indexes like this.
    const factory = sqliteAdapter(url, { enableDoubleQuotedStringLiterals: true })
    const connectToShadowDb = () => sqliteAdapter('file::memory:').connect()
    return { factory: { ...factory, connectToShadowDb }, close: async () => {} }
  }
  const { connectionString, schema } = readPostgresUrl(url)
  const pool = new PlainPool({ connectionString, options: `-c search_path=${schema}` })
  return { factory: new PrismaPg(pool, { schema }), close: () => pool.end() }
}
