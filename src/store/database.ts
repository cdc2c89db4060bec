import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Prisma, PrismaClient } from './client/client.ts'
import type { Insert } from './insertion.ts'
import { migrate } from './migrations.ts'
import type { Select } from './selection.ts'
import { sqliteAdapter } from './sqlite.ts'

export type Client = PrismaClient | Prisma.TransactionClient

export interface Database {
  client: PrismaClient
  insert: Insert
  select: Select
  /** Names of the migrations that opening it applied. */
  migrated: string[]
  close(): Promise<void>
}

/** The address names a kind of database that this version cannot open. */
class UnsupportedDatabase extends Error {
  override name = 'UnsupportedDatabase'
  readonly code = 'unsupported_database'

  constructor() {
    super(
      'DATABASE_URL: this version opens file: databases only, for example DATABASE_URL=file:./data/bundlegram.db',
    )
  }
}

/** Opens the database, creating and migrating it where needed. */
export const openDatabase = async (url: string): Promise<Database> => {
  if (!url.startsWith('file:')) throw new UnsupportedDatabase()
  const path = url.slice('file:'.length)
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const factory = sqliteAdapter(url)
  const migrated = await migrate(factory)
  const adapter = await factory.connect()
  const client = new PrismaClient({ adapter: { ...factory, connect: async () => adapter } })
  await client.$connect()
  return {
    client,
    insert: adapter.insert,
    select: adapter.select,
    migrated,
    close: () => client.$disconnect(),
  }
}
