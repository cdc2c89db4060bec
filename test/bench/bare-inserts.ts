import { createRequire } from 'node:module'

interface RawDatabase {
  pragma(source: string): unknown
  exec(source: string): unknown
  prepare(source: string): { run(...parameters: string[]): unknown }
  close(): unknown
}

/** What the disk takes: rows like a callback's, a commit each, with the settings of the bot's database. */
const commits = 2_000
const Database: new (path: string) => RawDatabase = createRequire(import.meta.url)('better-sqlite3')
const { DATABASE_URL: url = '' } = process.env
const database = new Database(url.replace(/^file:/, ''))
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('CREATE TABLE event (id INTEGER PRIMARY KEY, digest TEXT UNIQUE, status TEXT, body TEXT)')
const insert = database.prepare('INSERT INTO event (digest, status, body) VALUES (?, ?, ?)')
const body = JSON.stringify({ event: 'order.status.updated', reference: 'BUD-API-0', status: 'processing' })
const startedAt = performance.now()
for (let commit = 0; commit < commits; commit += 1) insert.run(`digest-${commit}`, 'processing', body)
const seconds = (performance.now() - startedAt) / 1000
database.close()
process.stdout.write(String(commits / seconds))
