import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { readPostgresUrl } from '../../src/database/postgres/url.ts'
import type { Answer, Query } from './postgres/inside-postgres.ts'

/**
 * Direct access to a bot's database for tests, in SQLite's SQL on both kinds of database. Names with capitals need no
 * quotes, times are texts, and booleans are 0 or 1.
 */
export type Inside = Pick<DatabaseSync, 'exec' | 'prepare'>

type Work<T> = (database: Inside) => T

/** Reads from the database on a separate connection. */
export const inside = <T>(url: string, work: Work<T>): T => {
  if (!url.startsWith('file:')) return work(insidePostgres(url))
  return onFile(url, 'look', work)
}

/** How long to wait until the bot lets others write. */
const busyMs = 20_000

/**
 * Does the work in one transaction. If the bot holds the lock, the work is tried again: the bot may run in this
 * process, so blocking on its lock would block the bot, too. Only the try that succeeds has an effect.
 */
export const change = async <T>(url: string, work: Work<T>): Promise<T> => {
  const deadline = Date.now() + busyMs
  for (;;) {
    try {
      return url.startsWith('file:') ? changeFile(url, work) : changePostgres(url, work)
    } catch (error) {
      if (!/database is locked|lock timeout|deadlock detected/.test(String(error)) || Date.now() > deadline)
        throw error
      await wait(10)
    }
  }
}

const changeFile = <T>(url: string, work: Work<T>): T =>
  onFile(url, 'change', (database) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = work(database)
      database.exec('COMMIT')
      return result
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
    }
  })

const changePostgres = <T>(url: string, work: Work<T>): T => {
  const database = insidePostgres(url)
  database.exec(`BEGIN; SET LOCAL lock_timeout = '50ms'`)
  try {
    const result = work(database)
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

type Purpose = 'look' | 'change'

const pragmas: Record<Purpose, string> = {
  look: 'PRAGMA busy_timeout = 5000; PRAGMA query_only = ON',
  change: 'PRAGMA busy_timeout = 0',
}

/**
 * Connections to the files of bots in this process. They are kept, because a new connection would first read the whole
 * schema.
 */
const kept = new Map<string, Map<Purpose, DatabaseSync>>()

/** Until `letGo`, all reads of this database share one connection, and all changes another one. */
export const keepInside = (url: string): void => {
  if (url.startsWith('file:')) kept.set(url, new Map())
}

export const letGo = (url: string): void => {
  for (const database of kept.get(url)?.values() ?? []) database.close()
  kept.delete(url)
}

const onFile = <T>(url: string, purpose: Purpose, work: (database: DatabaseSync) => T): T => {
  const connections = kept.get(url)
  const database = connections?.get(purpose) ?? openFor(url, purpose)
  connections?.set(purpose, database)
  try {
    return work(database)
  } finally {
    if (!connections) database.close()
  }
}

const openFor = (url: string, purpose: Purpose): DatabaseSync => {
  const database = new DatabaseSync(url.slice('file:'.length))
  database.exec(pragmas[purpose])
  return database
}

const insidePostgres = (url: string): Inside => {
  const { connectionString, schema } = readPostgresUrl(url)
  const ask = (text: string, parameters: Parameters) =>
    answerTo({ connectionString, schema, ...translated(text, parameters) })
  return {
    exec: (sql) => void ask(sql, []),
    prepare: (sql) => {
      const statement = {
        all: (...parameters: Parameters) => ask(sql, parameters).rows,
        get: (...parameters: Parameters) => ask(sql, parameters).rows[0],
        run: (...parameters: Parameters) => ({ changes: ask(sql, parameters).changes, lastInsertRowid: 0 }),
      }
      return statement as unknown as ReturnType<Inside['prepare']>
    },
  }
}

type Parameters = (SQLInputValue | Record<string, SQLInputValue>)[]
/** A row, by column name. */
export type Row = Record<string, SQLOutputValue>

/**
 * The parts of a query that may have to be translated for PostgreSQL. Parameters get numbers, and names with capitals
 * get quotes. Texts and quoted names are matched so that nothing inside them is changed.
 */
const words = /'(?:[^']|'')*'|"[^"]*"|\?|:[a-z]\w*|\b[A-Za-z_]\w*/g

const translated = (sql: string, parameters: Parameters): Pick<Query, 'text' | 'values'> => {
  const values: unknown[] = []
  const [first] = parameters
  const named = first !== null && typeof first === 'object' ? (first as Record<string, unknown>) : {}
  const numbered = (value: unknown): string => `$${values.push(value)}`
  const text = sql.replaceAll(words, (word) => {
    if (word === '?') return numbered(parameters[values.length])
    if (word.startsWith(':')) return numbered(named[word.slice(1)])
    return /^\w*[a-z]\w*$/.test(word) && /[A-Z]/.test(word) ? `"${word}"` : word
  })
  return { text, values }
}

let worker: { thread: Worker; ask: MessagePort; done: Int32Array } | null = null
let asked = 0

const answersWithinMs = 30_000

/** A thread runs the query while this one blocks, so that access is synchronous, as on SQLite. */
const answerTo = (query: Omit<Query, 'id'>): { rows: Row[]; changes: number } => {
  worker ??= startWorker()
  const { ask, done } = worker
  asked += 1
  const id = asked
  ask.postMessage({ ...query, id } satisfies Query)
  const deadline = Date.now() + answersWithinMs
  for (;;) {
    const answered = Atomics.load(done, 0)
    const answer = receiveMessageOnPort(ask)?.message as Answer | undefined
    if (answer?.id === id) {
      if ('problem' in answer) throw new Error(`${answer.problem}: ${query.text}`)
      return answer
    }
    if (answer) continue
    Atomics.wait(done, 0, answered, deadline - Date.now())
    if (Date.now() >= deadline) throw new Error(`No answer to ${query.text}`)
  }
}

const startWorker = () => {
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL('./postgres/inside-postgres.ts', import.meta.url), {
    workerData: { port: port2, done },
    transferList: [port2],
  })
  thread.unref()
  return { thread, ask: port1, done }
}
