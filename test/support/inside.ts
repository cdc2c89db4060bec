import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { readPostgresUrl } from '../../src/store/postgres-url.ts'
import type { Answer, Query } from './inside-postgres.ts'

/**
 * A bot's database as tests look into it, past the bot: SQL in the words of SQLite, whatever is underneath. In it names
 * with capitals need no quotes, times are texts and booleans 0 or 1.
 */
export type Inside = Pick<DatabaseSync, 'exec' | 'prepare'>

/** Does the work on a connection of its own. */
export const inside = <T>(url: string, work: (database: DatabaseSync) => T): T => {
  if (!url.startsWith('file:')) return work(insidePostgres(url) as DatabaseSync)
  const database = new DatabaseSync(url.slice('file:'.length), { timeout: 5_000 })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const insidePostgres = (url: string): Inside => {
  const { connectionString, schema } = readPostgresUrl(url)
  const ask = (text: string, parameters: Parameters) =>
    answerTo({ connectionString, schema, ...translated(text, parameters) })
  return {
    exec: (sql) => void ask(sql.replace(/^BEGIN IMMEDIATE$/, beginning), []),
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

/** As SQLite has it, and as the bot's own transactions begin: one after the other. */
const beginning = 'BEGIN; LOCK TABLE "Fact" IN SHARE ROW EXCLUSIVE MODE'

type Parameters = (SQLInputValue | Record<string, SQLInputValue>)[]
export type Row = Record<string, SQLOutputValue>

/** Texts and quoted names stay; of the rest, parameters get numbers, and names with capitals quotes. */
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

/** A thread speaks to the server while this one waits: what looks into a database is as synchronous as on SQLite. */
const answerTo = (query: Query): { rows: Row[]; changes: number } => {
  worker ??= startWorker()
  const { ask, done } = worker
  Atomics.store(done, 0, 0)
  ask.postMessage(query)
  if (Atomics.wait(done, 0, 0, 30_000) === 'timed-out') throw new Error(`No answer to ${query.text}`)
  const answer = receiveMessageOnPort(ask)?.message as Answer
  if ('problem' in answer) throw new Error(`${answer.problem}: ${query.text}`)
  return answer
}

const startWorker = () => {
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL('./inside-postgres.ts', import.meta.url), {
    workerData: { port: port2, done },
    transferList: [port2],
  })
  thread.unref()
  return { thread, ask: port1, done }
}
