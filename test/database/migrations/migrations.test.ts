import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { NewerDatabase, readMigrations } from '../../../src/database/migrations/migrations.ts'
import { missingAfterMigrations, missingMigration } from '../../../src/database/migrations/schema-diff.ts'
import { createStore } from '../../../src/store/store.ts'
import { adapterFactoryOf, executeIn, testedKind, unmadeDatabaseUrl } from '../../support/database.ts'

const all = (await readMigrations(testedKind)).map(({ name }) => name)

const closed = async (url: string): Promise<string[]> => {
  const database = await openDatabase(url)
  await database.close()
  return database.migrated
}

const recordLater = (url: string, rolledBack: 'CURRENT_TIMESTAMP' | 'NULL') =>
  executeIn(
    url,
    `INSERT INTO _prisma_migrations
       (id, checksum, migration_name, started_at, finished_at, rolled_back_at, applied_steps_count)
     VALUES ('x', 'x', '29990101000000_later', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, ${rolledBack}, 1)`,
  )

test('a new database gets all migrations in order, and its tables can be used', async () => {
  const url = await unmadeDatabaseUrl()
  const database = await openDatabase(url)
  onTestFinished(database.close)
  expect(database.migrated).toEqual(all)
  expect(
    await createStore(database).notices.enqueueDirectly(
      1,
      { kind: 'reconnect', subject: 'account' },
      new Date(),
    ),
  ).toBe(1)
})

test('the second start of a bot applies no migration and keeps the data', async () => {
  const url = await unmadeDatabaseUrl()
  const first = await openDatabase(url)
  await createStore(first).chats.mute(7, new Date())
  await first.close()
  const second = await openDatabase(url)
  onTestFinished(second.close)
  expect(second.migrated).toEqual([])
  expect(await createStore(second).chats.unmute(7)).toBe(true)
})

test('if several processes start at the same time on a new database, one migrates it and the others wait', async () => {
  const url = await unmadeDatabaseUrl()
  const migrated = await Promise.all([closed(url), closed(url), closed(url)])
  expect(migrated.toSorted((a, b) => b.length - a.length)).toEqual([all, [], []])
})

test('a database of a newer version is refused with an error that names the unknown migration', async () => {
  const url = await unmadeDatabaseUrl()
  await closed(url)
  await recordLater(url, 'NULL')
  const refused = openDatabase(url)
  await expect(refused).rejects.toThrow(NewerDatabase)
  await expect(refused).rejects.toMatchObject({
    code: 'newer_database',
    message: expect.stringMatching(/^DATABASE_URL: .*newer Bundlegram.*29990101000000_later/),
  })
})

test('a migration that was rolled back does not count as applied', async () => {
  const url = await unmadeDatabaseUrl()
  await closed(url)
  await recordLater(url, 'CURRENT_TIMESTAMP')
  expect(await closed(url)).toEqual([])
})

test('a migration that fails leaves no trace, and the next start runs it again', async () => {
  const url = await unmadeDatabaseUrl()
  // A table of the last migration exists already, so that migration fails.
  await executeIn(url, 'CREATE TABLE "Lease" ("name" TEXT)')
  await expect(openDatabase(url)).rejects.toThrow(/exists/)
  await executeIn(url, 'DROP TABLE "Lease"')
  expect(await closed(url)).toEqual(all)
})

test('the migrations produce exactly the schema', async () => {
  expect(await missingMigration(testedKind)).toBeNull()
  const url = await unmadeDatabaseUrl()
  await closed(url)
  const { factory, close } = adapterFactoryOf(url)
  afterAll(close)
  expect(await missingAfterMigrations(testedKind, factory)).toBeNull()
})

test.runIf(testedKind === 'sqlite').each([
  ['/proc/none/bundlegram.db', 'that cannot be made'],
  ['/dev/null/data/bundlegram.db', 'that would be inside a file'],
  ['/proc/bundlegram.db', 'that cannot be written to'],
])('a database in a folder (%s) %s is refused at once with an explanation', async (path) => {
  await expect(openDatabase(`file:${path}`)).rejects.toMatchObject({
    code: 'file_fault',
    message: expect.stringContaining(`DATABASE_URL: ${path}: `),
  })
})
