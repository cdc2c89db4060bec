import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { migrate, missingMigration, NewerDatabase, readMigrations } from '../../src/store/migrations.ts'
import { sqliteAdapter } from '../../src/store/sqlite.ts'
import { createStore } from '../../src/store/store.ts'
import { newDatabaseUrl } from '../support/database.ts'

const { migrationDirectories } = await readMigrations('sqlite')
const all = migrationDirectories.map(({ path }) => path)

const execute = async (url: string, script: string) => {
  const adapter = await sqliteAdapter(url).connect()
  await adapter.executeScript(script)
  await adapter.dispose()
}

test('a fresh database gets all migrations in order, and every table can be used', async () => {
  const url = await newDatabaseUrl()
  const database = await openDatabase(url)
  onTestFinished(database.close)
  expect(database.migrated).toEqual(all)
  expect(
    await createStore(database).notices.owe(1, { kind: 'reconnect', subject: 'account' }, new Date()),
  ).toBe(1)
})

test('the second start applies nothing and keeps what is there', async () => {
  const url = await newDatabaseUrl()
  const first = await openDatabase(url)
  await createStore(first).chats.mute(7, new Date())
  await first.close()
  const second = await openDatabase(url)
  onTestFinished(second.close)
  expect(second.migrated).toEqual([])
  expect(await createStore(second).chats.unmute(7)).toBe(true)
})

test('a database of a newer version is refused with words that name what is unknown, and is not changed', async () => {
  const url = await newDatabaseUrl()
  await migrate(sqliteAdapter(url))
  await execute(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ('x', 'x', '29990101000000_later', 0, 0, 1)`,
  )
  const refused = openDatabase(url)
  await expect(refused).rejects.toThrow(NewerDatabase)
  await expect(refused).rejects.toMatchObject({
    code: 'newer_database',
    message: expect.stringMatching(
      /migrations that this version of Bundlegram does not know: 29990101000000_later$/,
    ),
  })
})

test('a migration that was rolled back does not count as applied', async () => {
  const url = await newDatabaseUrl()
  await migrate(sqliteAdapter(url))
  await execute(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, rolled_back_at, applied_steps_count)
     VALUES ('x', 'x', '29990101000000_later', 0, 0, 0, 1)`,
  )
  expect(await migrate(sqliteAdapter(url))).toEqual([])
})

test('the migrations say what the schema says', async () => {
  expect(await missingMigration(sqliteAdapter('file::memory:'))).toBeNull()
})
