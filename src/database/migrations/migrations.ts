import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseKind, migrationsFolder } from '../schema.ts'

/** One step from the schema of one version to that of the next. */
export interface Migration {
  /** The name of its folder. Migrations are applied in the order of their names. */
  name: string
  script: string
}

export interface Migratable {
  kind: DatabaseKind
  /** The names of the applied migrations; empty for a new database. */
  applied(): Promise<string[]>
  /** Does the work in one transaction that keeps out other processes. Either all of it is applied, or nothing. */
  alone<T>(work: (transaction: MigratingTransaction) => Promise<T>): Promise<T>
}

export interface MigratingTransaction {
  /** Runs statements in one round trip. */
  run(script: string): Promise<void>
  /** The names of the applied migrations. The table that records them must exist. */
  applied(): Promise<string[]>
}

export class NewerDatabase extends Error {
  readonly code = 'newer_database'

  constructor(unknown: string[]) {
    super(
      `DATABASE_URL: this database was written by a newer Bundlegram than this one, which does not know its migrations ${unknown.join(', ')}. Start the newer version, or give this one a database of its own`,
    )
  }
}

/**
 * Migrates the database to this version's schema in one transaction, so a crash in the middle changes nothing.
 * Applied migrations are recorded in the same table that `prisma migrate deploy` uses. If the database is up to
 * date, this costs one query.
 *
 * @returns the names of the migrations that were applied now
 * @throws {NewerDatabase} if the database has migrations that this version does not know
 */
export const migrate = async (database: Migratable): Promise<string[]> => {
  const known = await readMigrations(database.kind)
  const { unknown, missing } = progressOf(await database.applied(), known)
  if (unknown.length === 0 && missing.length === 0) return []
  return database.alone(async ({ run, applied }) => {
    await run(journalTable[database.kind])
    // Another instance may have migrated in the meantime.
    const before = await applied()
    const { unknown, missing } = progressOf(before, known)
    if (unknown.length > 0) throw new NewerDatabase(unknown)
    const steps = missing.map((migration) => `${migration.script};\n${recordOf(migration)}`)
    // Each round trip has a time limit, and with many rows a step may take long, so each step is sent alone. A new
    // database has no rows, so all its steps are sent together.
    for (const step of before.length === 0 ? [steps.join(';\n')] : steps) await run(step)
    return missing.map(({ name }) => name)
  })
}

export interface MigrationProgress {
  /** The names of applied migrations that this version does not know. */
  unknown: string[]
  missing: Migration[]
}

export const progressOf = (applied: string[], known: Migration[]): MigrationProgress => ({
  unknown: applied.filter((each) => !known.some(({ name }) => name === each)),
  missing: known.filter(({ name }) => !applied.includes(name)),
})

export const readMigrations = async (kind: DatabaseKind): Promise<Migration[]> => {
  const folder = migrationsFolder(kind)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names
      .sort()
      .map(async (name) => ({ name, script: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  )
}

export const appliedSql =
  'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const recordOf = ({ name, script }: Migration): string => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ('${randomUUID()}', '${createHash('sha256').update(script).digest('hex')}', ${quoted(name)},
    CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`

/** The SQL that creates the table of applied migrations, as Prisma creates it. */
export const journalTable: Record<DatabaseKind, string> = {
  sqlite: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" TEXT PRIMARY KEY NOT NULL,
    "checksum" TEXT NOT NULL,
    "finished_at" DATETIME,
    "migration_name" TEXT NOT NULL,
    "logs" TEXT,
    "rolled_back_at" DATETIME,
    "started_at" DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0
  )`,
  postgresql: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`,
}
