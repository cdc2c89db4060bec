import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { journalTable, type Migration } from '../../src/database/migrations.ts'

const folder = join(import.meta.dirname, 'development')

/** The migrations of embedded databases before version 1.0.0, which has a single one instead. */
export const developmentMigrations: Migration[] = readdirSync(folder)
  .sort()
  .map((file) => ({
    name: file.replace('.sql', ''),
    script: readFileSync(join(folder, file), 'utf8'),
    replaces: [],
  }))

/** Makes what a version left that had these. */
export const developmentScript = (migrations = developmentMigrations): string =>
  [
    journalTable.sqlite,
    ...migrations.map(({ script }) => script),
    ...migrations.map(
      ({ name }) => `INSERT INTO _prisma_migrations
        (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
        VALUES ('${name}', 'x', '${name}', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`,
    ),
  ].join(';\n')
