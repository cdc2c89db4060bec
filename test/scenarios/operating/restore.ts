import { copyFile, rm } from 'node:fs/promises'
import { backUp } from '../../../src/database/copies/backup.ts'
import { testedKind } from '../../support/database.ts'
import type { Inside } from '../../support/inside.ts'
import type { World } from '../../support/world.ts'
import { changeDatabase, inDatabase } from '../shop.ts'

/** Copies the bot's database like `npm run backup`, or like a dump of PostgreSQL. */
export const takeCopy = async (world: World): Promise<unknown> =>
  testedKind === 'sqlite'
    ? backUp({ source: world.databasePath, target: copyOf(world), force: true, now: () => new Date() })
    : copyTables(world)

/** Stops the bot and replaces its database with the copy, which is made to look that many minutes old. */
export const putCopyBack = async (world: World, minutes = 0): Promise<void> => {
  await world.bot.stop()
  if (testedKind === 'sqlite') await putFileBack(world)
  else putTablesBack(world)
  const earlier = (time: unknown) => new Date(Date.parse(String(time)) - minutes * 60_000)
  await changeDatabase(world, (database) => {
    const stamp = database.prepare(`SELECT value FROM Fact WHERE name = 'backup_of'`).get()
    const at = earlier(JSON.parse(String(stamp?.value)).at)
    database
      .prepare(`UPDATE Fact SET value = ? WHERE name = 'backup_of'`)
      .run(JSON.stringify({ at: at.toISOString() }))
    for (const { id = null, createdAt } of database.prepare('SELECT id, createdAt FROM "Order"').all()) {
      const time = earlier(createdAt).toISOString().replace('Z', '+00:00')
      database.prepare('UPDATE "Order" SET createdAt = ? WHERE id = ?').run(time, id)
    }
  })
}

const copyOf = ({ databasePath }: World): string => `${databasePath}.copy`

const putFileBack = async (world: World): Promise<void> => {
  for (const end of ['', '-wal', '-shm']) await rm(`${world.databasePath}${end}`, { force: true })
  await copyFile(copyOf(world), world.databasePath)
}

const tablesIn = (database: Inside): string[] =>
  database
    .prepare(`SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`)
    .all()
    .map(({ table_name }) => String(table_name))

const copyTables = (world: World): void =>
  inDatabase(world, (database) => {
    const copies = tablesIn(database).map((name) => `CREATE TABLE "copy of ${name}" AS TABLE "${name}";`)
    database.exec(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join(' ')} COMMIT`)
  })

const putTablesBack = (world: World): void =>
  inDatabase(world, (database) => {
    const copies = tablesIn(database).filter((name) => name.startsWith('copy of '))
    const swaps = copies.map((copy) => {
      const name = copy.slice('copy of '.length)
      return `DELETE FROM "${name}"; INSERT INTO "${name}" SELECT * FROM "${copy}";`
    })
    // Rows are inserted in any order, so a row may come before one that it refers to.
    database.exec(`BEGIN; SET LOCAL session_replication_role = replica; ${swaps.join(' ')} COMMIT`)
    const stamp = JSON.stringify({ at: new Date().toISOString() })
    database.prepare(`INSERT INTO Fact (name, value) VALUES ('backup_of', ?)`).run(stamp)
  })

/**
 * Moves the stored times of the copy and of the restart back by that many minutes. Call it while the bot is stopped.
 */
export const restoredBefore = (world: World, minutes: number): Promise<void> =>
  changeDatabase(world, (database) => {
    const earlier = (time: unknown) => new Date(Date.parse(String(time)) - minutes * 60_000).toISOString()
    const row = database.prepare(`SELECT value FROM Fact WHERE name = 'restored'`).get()
    const { from, at } = JSON.parse(String(row?.value))
    database
      .prepare(`UPDATE Fact SET value = ? WHERE name = 'restored'`)
      .run(JSON.stringify({ from: earlier(from), at: earlier(at) }))
    const [since, until, now] = [earlier(from), earlier(at), new Date().toISOString()].map((time) =>
      time.replace('Z', '+00:00'),
    )
    database.prepare('UPDATE Account SET auditSince = ? WHERE auditSince IS NOT NULL').run(since ?? null)
    database
      .prepare('UPDATE "Order" SET leaseUntil = ?, reconcileAt = ? WHERE leaseUntil IS NOT NULL')
      .run(until ?? null, now ?? null)
  })
