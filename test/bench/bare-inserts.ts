import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { median } from './figure.ts'
import { openRaw } from './fill.ts'

/**
 * What the disk takes: rows like a callback's into the bot's own table, a commit each, with the settings of the
 * bot's database. Many callers would be no faster: only one can commit at a time.
 */
const commits = 5_000
const { DATABASE_URL: url = '' } = process.env
const path = url.replace(/^file:/, '')
const database = openRaw(path)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const insert = database.prepare(`INSERT INTO "Event"
  ("orderId", "source", "digest", "reference", "status", "phone", "happenedAt", "receivedAt", "body")
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
const id = (index: number) => String(index * 7919).padStart(22, 'A')
const body = JSON.stringify({
  event: 'order.status.updated',
  reference: 'BUD-API-0123456789-0',
  status: 'processing',
  timestamp: new Date(0).toISOString(),
})
const startedAt = performance.now()
for (let commit = 0; commit < commits; commit += 1) {
  const at = new Date().toISOString()
  const digest = id(commit).padEnd(43, 'B')
  insert.run(id(commit), 'callback', digest, 'BUD-API-0123456789-0', 'processing', null, at, at, body)
}
const perSecond = commits / ((performance.now() - startedAt) / 1000)
database.close()

/** What it costs to be sure that one page is on the disk, ms. */
const syncMs = (): number => {
  const file = openSync(`${path}.sync`, 'w')
  const page = Buffer.alloc(4096)
  const times = Array.from({ length: 200 }, () => {
    const began = performance.now()
    writeSync(file, page)
    fsyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  return median(times)
}
process.stdout.write(JSON.stringify({ perSecond, syncMs: syncMs() }))
