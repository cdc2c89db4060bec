import { rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { developmentScript } from '../database/development.ts'
import type { World } from '../support/world.ts'

/** Every table of the earlier version, with its columns and the rows as it would read them. */
export type Rows = Record<string, unknown[]>

/**
 * Makes the bot's database one of the last version before 1.0.0, by that one's migrations alone, with all rows that
 * such a one can hold: while the bot is down.
 */
export const toEarlierVersion = async ({ databasePath }: World): Promise<void> => {
  const earlierPath = `${databasePath}.earlier`
  const earlier = new DatabaseSync(earlierPath)
  earlier.exec(developmentScript())
  earlier.exec(`ATTACH '${databasePath}' AS present; PRAGMA foreign_keys = OFF`)
  for (const table of tablesOf(earlier)) {
    const columns = columnsOf(earlier, table)
    earlier.exec(`INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM present."${table}"`)
  }
  earlier.exec('DETACH present')
  earlier.close()
  for (const end of ['', '-wal', '-shm']) await rm(`${databasePath}${end}`, { force: true })
  await rename(earlierPath, databasePath)
}

/** What the earlier version would find in the database. */
export const rowsOfEarlierVersion = ({ databasePath }: World): Rows => {
  const blank = new DatabaseSync(':memory:')
  blank.exec(developmentScript())
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
    .prepare(
      `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_prisma_migrations'`,
    )
    .all()
    .map(({ name }) => String(name))

const columnsOf = (database: DatabaseSync, table: string): string =>
  database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => `"${name}"`)
    .join(', ')
