import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import {
  type DatabaseKind,
  databaseKinds,
  migratedSchema,
  migrationsFolder,
  ofKind,
  schemaFor,
} from '../schema.ts'

const filters = { externalTables: [], externalEnums: [] }

/**
 * The SQL that leads from the last migration's schema to the current one (`prisma/schema.prisma`); null if they are
 * the same. If there is no migration yet, the SQL creates the whole schema. Prisma's schema engine (WebAssembly)
 * compares the two without a database.
 */
export const missingMigration = async (kind: DatabaseKind): Promise<string | null> => {
  const engine = await startEngine(noDatabase(kind))
  try {
    const from = await readFile(migratedSchema, 'utf8').catch(() => null)
    const { stdout } = await engine.diff({
      from: from === null ? { tag: 'empty' } : datamodel(ofKind(kind, from)),
      to: datamodel(await schemaFor(kind)),
      script: true,
      exitCode: null,
      filters,
    })
    if (!stdout || stdout.includes('This is an empty migration')) return null
    return forKind(kind, stdout)
  } finally {
    engine.free()
  }
}

/** The SQL that is missing after all migrations are applied to an empty database; null if nothing is. */
export const missingAfterMigrations = async (
  kind: DatabaseKind,
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<string | null> => {
  const engine = await startEngine(factory, await schemaFor(kind))
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', ...filesOf(await schemaFor(kind)) },
      to: datamodel(await schemaFor(kind)),
      script: true,
      exitCode: null,
      filters,
    })
    return stdout && !stdout.includes('This is an empty migration') ? stdout : null
  } finally {
    engine.free()
  }
}

/**
 * Writes the missing migration for each kind of database.
 * @returns the new folders, with their scripts
 */
export const writeMigrations = async (name: string): Promise<{ folder: string; script: string }[]> => {
  const written: { folder: string; script: string }[] = []
  for (const kind of databaseKinds) {
    const script = await missingMigration(kind)
    if (script === null) continue
    const folder = join(migrationsFolder(kind), name)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'migration.sql'), script)
    // Prisma's own commands read this file.
    await writeFile(join(migrationsFolder(kind), 'migration_lock.toml'), `provider = "${kind}"\n`)
    written.push({ folder, script })
  }
  if (written.length > 0) await writeFile(migratedSchema, await schemaFor('sqlite'))
  return written
}

const filesOf = (content: string) => ({
  files: [{ path: 'schema.prisma', content }],
  configDir: '/',
})

const datamodel = (content: string) => ({ tag: 'schemaDatamodel' as const, files: filesOf(content).files })

/**
 * By default, PostgreSQL compares and sorts texts by a locale. "C" compares bytes, as SQLite does, and its indexes
 * stay valid when the operating system's locales change.
 */
const forKind = (kind: DatabaseKind, script: string): string =>
  kind === 'sqlite'
    ? script
    : script
        .replace(/-- CreateSchema\nCREATE SCHEMA [^;]*;\n+/, '')
        .replace(/("\w+") TEXT\b/g, '$1 TEXT COLLATE "C"')

const startEngine = (factory: SqlMigrationAwareDriverAdapterFactory, schema?: string) => {
  const datamodels: [string, string][] | undefined = schema ? [['schema.prisma', schema]] : undefined
  return SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

/** Stands in for an empty database, because the engine must connect to one before it compares two schemas. */
const noDatabase = (kind: DatabaseKind): SqlMigrationAwareDriverAdapterFactory => {
  const provider = kind === 'sqlite' ? ('sqlite' as const) : ('postgres' as const)
  const adapter = {
    provider,
    adapterName: 'none',
    queryRaw: async () => ({
      columnNames: ['exists', 'version', 'numeric_version'],
      columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
      rows: [[true, 'PostgreSQL 15', 150_000]],
    }),
    executeRaw: async () => 0,
    executeScript: async () => {},
    startTransaction: () => Promise.reject(new Error('there is no database')),
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    dispose: async () => {},
  } satisfies SqlDriverAdapter
  const connect = async () => adapter
  return { provider, adapterName: 'none', connect, connectToShadowDb: connect }
}
