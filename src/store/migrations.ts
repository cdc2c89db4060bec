import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseKind, migrationsFolder } from './schema.ts'

/** One step from one version's schema to the next. */
export interface Migration {
  /** Its folder: they are applied in the order of these. */
  name: string
  script: string
}

/** A database, as far as it is migrated. */
export interface Migratable {
  kind: DatabaseKind
  /** The names of migrations that were applied; none where nothing ever was. */
  applied(): Promise<string[]>
  /**
   * Does the work in one transaction that no other process does at the same time: others wait for its end. All of it
   * is there afterwards, or nothing.
   */
  alone<T>(work: (run: (script: string) => Promise<void>) => Promise<T>): Promise<T>
}

/** The database was written by a newer Bundlegram than this one. */
export class NewerDatabase extends Error {
  readonly code = 'newer_database'

  constructor(unknown: string[]) {
    super(
      `DATABASE_URL: this database was written by a newer Bundlegram than this one, which does not know its migrations ${unknown.join(', ')}. Start the newer version, or give this one a database of its own`,
    )
  }
}

/**
 * Brings the database up to this version's schema, in one transaction: a crash in the middle leaves the version
 * before. It keeps the table that `prisma migrate deploy` keeps. A start with a current database costs one query.
 *
 * @returns the names of the migrations applied.
 * @throws {NewerDatabase} where the database knows migrations that are not in the folder.
 */
export const migrate = async (database: Migratable): Promise<string[]> => {
  const known = await readMigrations(database.kind)
  if ((await missing(database, known)).length === 0) return []
  return database.alone(async (run) => {
    // Another instance may have been first.
    const toApply = await missing(database, known)
    await run(tableOf[database.kind])
    for (const migration of toApply) await run(`${migration.script};\n${recordOf(migration)}`)
    return toApply.map(({ name }) => name)
  })
}

const missing = async (database: Migratable, known: Migration[]): Promise<Migration[]> => {
  const applied = await database.applied()
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name))
  if (unknown.length > 0) throw new NewerDatabase(unknown)
  return known.filter(({ name }) => !applied.includes(name))
}

/** The migrations of one kind of database, in the order of their names. */
export const readMigrations = async (kind: DatabaseKind): Promise<Migration[]> => {
  const folder = migrationsFolder(kind)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      script: await readFile(join(folder, name, 'migration.sql'), 'utf8'),
    })),
  )
}

/** What `applied` asks. */
export const appliedSql =
  'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'

const recordOf = ({ name, script }: Migration): string => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ('${randomUUID()}', '${createHash('sha256').update(script).digest('hex')}', '${name.replaceAll("'", "''")}',
    CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`

const tableOf: Record<DatabaseKind, string> = {
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
