import { setTimeout as wait } from 'node:timers/promises'
import { inDatabase } from '../shop.ts'
import { act, type Scene, type Step } from './row.ts'

/** Where the times of one reseller stand, and which rows are theirs: by the account's and the chat's id. */
const theirs = {
  Account: 'id = :account',
  Purchase: 'accountId = :account',
  Order: 'accountId = :account',
  Event: 'orderId IN (SELECT id FROM "Order" WHERE accountId = :account)',
  Request: 'accountId = :account',
  Notice: 'chatId = :chat',
} as const

export const accountIdOf = (scene: Scene): string =>
  inDatabase(scene.world, (db) =>
    String(db.prepare('SELECT accountId FROM Member WHERE userId = ?').get(scene.reseller.id)?.accountId),
  )

/** As if so many minutes had gone by for this reseller and no other; the wallet, where it is due, has been read. */
export const minutesLater = (minutes: number): Step =>
  act(async (scene) => {
    const ids = { account: accountIdOf(scene), chat: scene.reseller.id }
    inDatabase(scene.world, (db) => {
      db.exec('BEGIN IMMEDIATE')
      for (const [table, where] of Object.entries(theirs)) {
        const columns = db.prepare(`PRAGMA table_info("${table}")`).all()
        const times = columns.filter(({ type }) => type === 'DATETIME').map(({ name }) => String(name))
        const earlier = times.map((name) => `"${name}" = ${moved(name, minutes)}`)
        db.prepare(`UPDATE "${table}" SET ${earlier.join(', ')} WHERE ${where}`).run(
          where.includes(':account') ? { account: ids.account } : { chat: ids.chat },
        )
      }
      db.exec('COMMIT')
    })
    await walletIsRead(scene, ids.account)
  })

const moved = (column: string, minutes: number): string =>
  `strftime('%Y-%m-%dT%H:%M:%f+00:00', "${column}", '-${Math.round(minutes * 60)} seconds')`

/** A read that was under way when the times moved may have set the next one by the old ones: it is asked for again. */
const walletIsRead = async (scene: Scene, account: string): Promise<void> => {
  const reads = () =>
    scene.world.provider
      .requests()
      .filter(
        ({ path, accountId }) =>
          path.startsWith('/transactions') && (accountId === null || accountId === scene.reseller.account.id),
      ).length
  const before = reads()
  if (!isDue(scene, account)) return
  for (let looks = 1; reads() === before || isDue(scene, account); looks += 1) {
    if (looks > 300) throw new Error(`The wallet of the order for ${scene.phone} was not read.`)
    await wait(100)
  }
}

const isDue = ({ world }: Scene, account: string): boolean =>
  inDatabase(world, (db) => {
    const now = new Date().toISOString()
    const due = `SELECT id FROM "Order" WHERE accountId = ? AND (settleAt <= ? OR refundAt <= ?)`
    return db.prepare(due).all(account, now, now).length > 0
  })
