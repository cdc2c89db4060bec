import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { MigrationList } from '@prisma/schema-engine-wasm'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'prisma/migrations')
const filters = { externalTables: [], externalEnums: [] }

/** The database was written by a newer Bundlegram than this one. */
export class NewerDatabase extends Error {
  readonly code = 'newer_database'

  constructor(unknown: string[]) {
    super(`The database has migrations that this version of Bundlegram does not know: ${unknown.join(', ')}`)
  }
}

/**
 * Brings the database up to this version's schema, as `prisma migrate deploy` would (it keeps the same table).
 *
 * The schema engine is 2 MB of WebAssembly, so it is loaded only when something is to be applied: a start with
 * a current database costs one query.
 *
 * @returns the names of the migrations applied.
 * @throws {NewerDatabase} where the database knows migrations that are not in the folder.
 */
export const migrate = async (factory: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> => {
  const list = await readMigrations(factory.provider)
  const known = list.migrationDirectories.map((directory) => directory.path)
  const applied = await appliedMigrations(factory)
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  if (known.every((name) => applied.includes(name))) return []

  const { tracked, closeAll } = closing(factory)
  const engine = await startEngine(tracked)
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: list, filters })
    return appliedMigrationNames
  } finally {
    engine.free()
    await closeAll()
  }
}

/** The engine leaves its connections open: they are remembered here, to be closed when it has done its work. */
const closing = (factory: SqlMigrationAwareDriverAdapterFactory) => {
  const opened: SqlDriverAdapter[] = []
  const remember = async (connection: Promise<SqlDriverAdapter>): Promise<SqlDriverAdapter> => {
    opened.push(await connection)
    return connection
  }
  return {
    tracked: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: () => remember(factory.connect()),
      connectToShadowDb: () => remember(factory.connectToShadowDb()),
    },
    closeAll: () => Promise.all(opened.map((connection) => connection.dispose())),
  }
}

/**
 * The SQL that leads from what the migrations make of an empty database to `prisma/schema.prisma`; null where
 * that is the same.
 */
export const missingMigration = async (
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<string | null> => {
  const content = await readFile(join(root, 'prisma/schema.prisma'), 'utf8')
  const files = [{ path: 'schema.prisma', content }]
  const { tracked, closeAll } = closing(factory)
  const engine = await startEngine(tracked, content)
  try {
    await engine.applyMigrations({ migrationsList: await readMigrations(factory.provider), filters })
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: root },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters,
    })
    return stdout && !stdout.includes('This is an empty migration') ? stdout : null
  } finally {
    engine.free()
    await closeAll()
  }
}

/** The schema engine over a driver adapter, in process. */
const startEngine = async (factory: SqlMigrationAwareDriverAdapterFactory, schema?: string) => {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils')
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm')
  const datamodels: [string, string][] | undefined = schema ? [['schema.prisma', schema]] : undefined
  return SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

/** The migrations of one kind of database, in the order of their names. */
export const readMigrations = async (provider: string): Promise<MigrationList> => {
  const baseDir = join(folder, provider === 'postgres' ? 'postgresql' : provider)
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  )
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${provider}"\n` },
    shadowDbInitScript: '',
    migrationDirectories,
  }
}

const appliedMigrations = async (factory: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> => {
  const connection = await factory.connect()
  try {
    const { rows } = await connection.queryRaw({
      sql: 'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
      args: [],
      argTypes: [],
    })
    return rows.map(([name]) => String(name))
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  } finally {
    await connection.dispose()
  }
}

const isMissingTable = (error: unknown): boolean =>
  error instanceof Error &&
  'cause' in error &&
  (error.cause as { kind?: string }).kind === 'TableDoesNotExist'
