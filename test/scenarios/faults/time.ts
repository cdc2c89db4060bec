import { setTimeout as wait } from 'node:timers/promises'
import { inDatabase } from '../shop.ts'
import { act, type Scene, type Step } from './row.ts'

/** Where the times of one reseller stand, and which rows are theirs: by the account's and the chat's id. */
const theirs = {
  Account: 'id = :account',
  Purchase: 'accountId = :account',
  Order: 'accountId = :account',
  Event: 'orderId IN (SELECT id FROM "Order" WHERE accountId = :account)',
  Recipient: 'accountId = :account',
  Request: 'accountId = :account',
  Notice: 'chatId = :chat',
} as const

/**
 * As if so many minutes had gone by for this reseller and no other; the provider has been asked what was due then.
 * What was due before is waited for: it would set its next time by the old ones.
 */
export const minutesLater = (minutes: number): Step =>
  act(async (scene) => {
    const account = scene.accountId
    await nothingIsDue(scene, account)
    inDatabase(scene.world, (db) => {
      db.exec('BEGIN IMMEDIATE')
      for (const [table, where] of Object.entries(theirs)) {
        const columns = db.prepare(`PRAGMA table_info("${table}")`).all()
        const times = columns.filter(({ type }) => type === 'DATETIME').map(({ name }) => String(name))
        const earlier = times.map((name) => `"${name}" = ${moved(name, minutes)}`)
        const update = db.prepare(`UPDATE "${table}" SET ${earlier.join(', ')} WHERE ${where}`)
        update.run(where.includes(':account') ? { account } : { chat: scene.reseller.id })
      }
      db.exec('COMMIT')
    })
    await nothingIsDue(scene, account)
  })

const moved = (column: string, minutes: number): string =>
  `strftime('%Y-%m-%dT%H:%M:%f+00:00', "${column}", '-${Math.round(minutes * 60)} seconds')`

/** The bot has asked the provider for everything that it is time to ask. */
const nothingIsDue = async ({ world, phone }: Scene, account: string): Promise<void> => {
  const due = `
    SELECT o.id FROM "Order" o JOIN Account a ON a.id = o.accountId
    WHERE a.id = :account AND (o.settleAt <= :now OR o.refundAt <= :now OR o.nextPollAt <= :now)
      AND a.unauthorizedSince IS NULL AND (a.frozenUntil IS NULL OR a.frozenUntil <= :now)`
  const isDue = () =>
    inDatabase(world, (db) => db.prepare(due).all({ account, now: new Date().toISOString() }).length > 0)
  for (let looks = 1; isDue(); looks += 1) {
    if (looks > 300) throw new Error(`What was due for the order for ${phone} was not asked.`)
    await wait(100)
  }
}
