import { setTimeout as wait } from 'node:timers/promises'
import { testedKind } from '../../support/database.ts'
import type { Inside } from '../../support/inside.ts'
import { changeDatabase, inDatabase } from '../shop.ts'
import { act, type Scene, type Step } from './row.ts'

/** The tables with one reseller's times, and the condition that selects the reseller's rows. */
const theirs = {
  Account: 'id = :account',
  Purchase: 'accountId = :account',
  Order: 'accountId = :account',
  StatusReport: 'orderId IN (SELECT id FROM "Order" WHERE accountId = :account)',
  Recipient: 'accountId = :account',
  Request: 'accountId = :account',
  Notice: 'chatId = :chat',
} as const

/**
 * Moves all times of this reseller back, as if that many minutes had passed. First waits for earlier work, which would
 * plan its next time by the old times. Resolves when all requests that are then due have been made.
 */
export const minutesLater = (minutes: number): Step =>
  act(async (scene) => {
    const account = scene.accountId
    await nothingIsDue(scene, account)
    await changeDatabase(scene.world, (db) => {
      for (const [table, where] of Object.entries(theirs)) {
        const earlier = timesOf(db, table).map((name) => `"${name}" = ${moved(name, minutes)}`)
        const update = db.prepare(`UPDATE "${table}" SET ${earlier.join(', ')} WHERE ${where}`)
        update.run(where.includes(':account') ? { account } : { chat: scene.reseller.id })
      }
    })
    await nothingIsDue(scene, account)
  })

/** The columns of a table with times. */
const timesOf = (database: Inside, table: string): string[] => {
  const columns =
    testedKind === 'sqlite'
      ? database.prepare(`SELECT name FROM pragma_table_info(?) WHERE type = 'DATETIME'`)
      : database.prepare(
          `SELECT column_name AS name FROM information_schema.columns
           WHERE table_schema = current_schema() AND table_name = ? AND data_type LIKE 'timestamp%'`,
        )
  return columns.all(table).map(({ name }) => String(name))
}

const moved = (column: string, minutes: number): string => {
  const seconds = Math.round(minutes * 60)
  return testedKind === 'sqlite'
    ? `strftime('%Y-%m-%dT%H:%M:%f+00:00', "${column}", '-${seconds} seconds')`
    : `"${column}" - interval '${seconds} seconds'`
}

/** Waits until the bot has made all requests that are due. */
const nothingIsDue = async ({ world, phone }: Scene, account: string): Promise<void> => {
  const due = `
    SELECT a.id FROM Account a LEFT JOIN "Order" o ON o.accountId = a.id
    WHERE a.id = :account AND (a.frozenUntil IS NULL OR a.frozenUntil <= :now) AND (a.verifyAt <= :now
      OR a.unauthorizedSince IS NULL AND (o.reconcileAt <= :now OR o.refundAt <= :now OR o.nextPollAt <= :now))`
  const isDue = () =>
    inDatabase(world, (db) => db.prepare(due).all({ account, now: new Date().toISOString() }).length > 0)
  for (let looks = 1; isDue(); looks += 1) {
    if (looks > 300) throw new Error(`What was due for the order for ${phone} was not asked.`)
    await wait(100)
  }
}
