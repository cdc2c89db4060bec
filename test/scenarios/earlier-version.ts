import { rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { type Migration, readMigrations } from '../../src/store/migrations.ts'
import type { World } from '../support/world.ts'

/** Every table of the first version, with its columns and the rows as it would read them. */
export type Rows = Record<string, unknown[]>

const migrationOf = async (index: number): Promise<Migration> => {
  const found = (await readMigrations('sqlite'))[index]
  if (!found) throw new Error('There is no such migration.')
  return found
}

/**
 * Makes the bot's database one of the first version, by its migration alone, with all rows that such a one can hold:
 * while the bot is down.
 */
export const toFirstVersion = async ({ databasePath }: World): Promise<void> => {
  const first = await migrationOf(0)
  const earlierPath = `${databasePath}.first`
  const earlier = new DatabaseSync(earlierPath)
  earlier.exec(first.script)
  earlier.exec(`ATTACH '${databasePath}' AS present; PRAGMA foreign_keys = OFF`)
  for (const table of tablesOf(earlier)) {
    const columns = columnsOf(earlier, table)
    earlier.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM present."${table}"`)
  }
  const journal = earlier
    .prepare(`SELECT sql FROM present.sqlite_schema WHERE name = '_prisma_migrations'`)
    .get()
  earlier.exec(String(journal?.sql))
  earlier
    .prepare(
      'INSERT INTO main._prisma_migrations SELECT * FROM present._prisma_migrations WHERE migration_name = ?',
    )
    .run(first.name)
  earlier.exec('DETACH present')
  earlier.close()
  for (const end of ['', '-wal', '-shm']) await rm(`${databasePath}${end}`, { force: true })
  await rename(earlierPath, databasePath)
}

/** What the first version would find in the database. */
export const rowsOfFirstVersion = async ({ databasePath }: World): Promise<Rows> => {
  const blank = new DatabaseSync(':memory:')
  blank.exec((await migrationOf(0)).script)
  const database = new DatabaseSync(databasePath)
  const entries = tablesOf(blank).map((table): [string, unknown[]] => {
    const columns = columnsOf(blank, table)
    return [table, database.prepare(`SELECT ${columns} FROM "${table}" ORDER BY ${columns}`).all()]
  })
  blank.close()
  database.close()
  return Object.fromEntries(entries)
}

const tablesOf = (database: DatabaseSync): string[] =>
  database
    .prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name))

const columnsOf = (database: DatabaseSync, table: string): string =>
  database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => `"${name}"`)
    .join(', ')
