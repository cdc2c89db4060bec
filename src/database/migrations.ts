import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseKind, migrationsFolder } from './schema.ts'

/** One step from one version's schema to the next. */
export interface Migration {
  /** The name of its folder. Migrations are applied in the order of names. */
  name: string
  script: string
  /**
   * Names of earlier migrations that this one merges: a database that has them has it. Its script names them in a
   * comment.
   */
  replaces: string[]
}

/** A database that can be migrated. */
export interface Migratable {
  kind: DatabaseKind
  /** The names of applied migrations; none for a new database. */
  applied(): Promise<string[]>
  /** Does the work in one transaction while others wait. All of it is applied, or nothing. */
  alone<T>(work: (transaction: MigratingTransaction) => Promise<T>): Promise<T>
}

/** The transaction that migrates. */
export interface MigratingTransaction {
  /** Runs statements, in one round trip. */
  run(script: string): Promise<void>
  /** The names of applied migrations. Their table must be there. */
  applied(): Promise<string[]>
}

/** A newer Bundlegram wrote the database. */
export class NewerDatabase extends Error {
  readonly code = 'newer_database'

  constructor(unknown: string[]) {
    super(
      `DATABASE_URL: this database was written by a newer Bundlegram than this one, which does not know its migrations ${unknown.join(', ')}. Start the newer version, or give this one a database of its own`,
    )
  }
}

/** The database stopped between migrations that are merged into one now. */
export class UnfinishedDatabase extends Error {
  readonly code = 'unfinished_database'

  constructor(missing: string[]) {
    super(
      `DATABASE_URL: this database was written by a development version before 1.0.0, and lacks its migrations ${missing.join(', ')}. Start the last of those versions with it once, or give this one a database of its own`,
    )
  }
}

/**
 * Migrates the database to this version's schema, in one transaction: a crash in the middle leaves the version before.
 * It keeps the table that `prisma migrate deploy` keeps. A start with a current database costs one query.
 *
 * @returns the names of the migrations applied; if a migration's predecessors were applied, it is only recorded.
 * @throws {NewerDatabase} if the database has migrations that are not in the folder.
 * @throws {UnfinishedDatabase} if it has only some of the migrations that one replaces.
 */
export const migrate = async (database: Migratable): Promise<string[]> => {
  const known = await readMigrations(database.kind)
  if (isCurrent(progressOf(await database.applied(), known))) return []
  return database.alone(async ({ run, applied }) => {
    await run(journalTable[database.kind])
    // Another instance may have migrated first.
    const before = await applied()
    const { unknown, unfinished, replaced, missing } = progressOf(before, known)
    if (unknown.length > 0) throw new NewerDatabase(unknown)
    if (unfinished.length > 0) throw new UnfinishedDatabase(unfinished)
    const steps = [
      ...replaced.map((migration) => `${removalOf(migration)};\n${recordOf(migration)}`),
      ...missing.map((migration) => `${migration.script};\n${recordOf(migration)}`),
    ]
    // Rows make a step long, and each round trip has a time limit. A new database has none.
    for (const step of before.length === 0 ? [steps.join(';\n')] : steps) await run(step)
    return missing.map(({ name }) => name)
  })
}

/** How far a database is migrated. */
export interface MigrationProgress {
  /** Applied names that this version does not know. */
  unknown: string[]
  /** Missing predecessors of a merged migration that was applied in part. */
  unfinished: string[]
  /** Migrations to record in place of their predecessors. */
  replaced: Migration[]
  /** Migrations to apply. */
  missing: Migration[]
}

/** Compares applied and known migrations. */
export const progressOf = (applied: string[], known: Migration[]): MigrationProgress => {
  const has = (name: string) => applied.includes(name)
  const open = known.filter(({ name }) => !has(name))
  const begun = open.filter(({ replaces }) => replaces.some(has))
  return {
    unknown: applied.filter(
      (each) => !known.some(({ name, replaces }) => [name, ...replaces].includes(each)),
    ),
    unfinished: begun.flatMap(({ replaces }) => replaces.filter((name) => !has(name))),
    replaced: begun.filter(({ replaces }) => replaces.every(has)),
    missing: open.filter((migration) => !begun.includes(migration)),
  }
}

const isCurrent = ({ unknown, unfinished, replaced, missing }: MigrationProgress): boolean =>
  [unknown, unfinished, replaced, missing].every(({ length }) => length === 0)

/** The migrations of one kind of database, in the order of their names. */
export const readMigrations = async (kind: DatabaseKind): Promise<Migration[]> => {
  const folder = migrationsFolder(kind)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(join(folder, name, 'migration.sql'), 'utf8')
      return { name, script, replaces: /^-- Replaces (.+)$/m.exec(script)?.[1]?.split(', ') ?? [] }
    }),
  )
}

/** The query behind `applied`. */
export const appliedSql =
  'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'

const removalOf = ({ replaces }: Migration): string =>
  `DELETE FROM _prisma_migrations WHERE migration_name IN (${replaces.map(quoted).join(', ')})`

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const recordOf = ({ name, script }: Migration): string => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ('${randomUUID()}', '${createHash('sha256').update(script).digest('hex')}', ${quoted(name)},
    CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`

/** The table of applied migrations, as Prisma makes it. */
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
