import { copyFile, rm } from 'node:fs/promises'
import { backUp } from '../../src/store/backup.ts'
import type { World } from '../support/world.ts'
import { inDatabase } from './shop.ts'

const copyOf = ({ databasePath }: World): string => `${databasePath}.copy`

/** Copies the bot's database, as `npm run backup` does. */
export const takeCopy = (world: World): Promise<unknown> =>
  backUp({ source: world.databasePath, target: copyOf(world), force: true, now: () => new Date() })

/** Puts the copy in the place of the database of a bot that is gone, as if it were of so long ago. */
export const putCopyBack = async (world: World, minutes = 0): Promise<void> => {
  await world.bot.kill()
  for (const end of ['', '-wal', '-shm']) await rm(`${world.databasePath}${end}`, { force: true })
  await copyFile(copyOf(world), world.databasePath)
  const earlier = (time: unknown) => new Date(Date.parse(String(time)) - minutes * 60_000)
  inDatabase(world, (database) => {
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

/** As if copy and restart had been so many minutes earlier: while the bot is down. */
export const restoredBefore = (world: World, minutes: number): void =>
  inDatabase(world, (database) => {
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
      .prepare('UPDATE "Order" SET leaseUntil = ?, settleAt = ? WHERE leaseUntil IS NOT NULL')
      .run(until ?? null, now ?? null)
  })
