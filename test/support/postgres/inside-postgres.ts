import { type MessagePort, workerData } from 'node:worker_threads'
import pg from 'pg'
import type { Row } from '../inside.ts'

/** The thread of `inside.ts`: runs queries on PostgreSQL, one after the other. */

export interface Query {
  /** The answer has the same id, so that a late answer is not taken for the answer to the next query. */
  id: number
  connectionString: string
  schema: string
  text: string
  values: unknown[]
}

export type Answer = { id: number } & Result

type Result = { rows: Row[]; changes: number } | { problem: string }

const asNumber = [20, 21, 23, 700, 701, 1700]

/** Converts a value to what SQLite would return. */
const readerOf = (type: number) => (text: string) => {
  if (asNumber.includes(type)) return Number(text)
  if (type === 16) return text === 't' ? 1 : 0
  if (type === 1114) return new Date(`${text.replace(' ', 'T')}Z`).toISOString().replace('Z', '+00:00')
  return text
}

let open: { url: string; schema: string; client: pg.Client } | null = null

/** One connection is kept. For another schema, its search path is changed. */
const clientFor = async ({ connectionString: url, schema }: Query): Promise<pg.Client> => {
  if (open?.url !== url) {
    await open?.client.end()
    const client = new pg.Client({ connectionString: url, application_name: 'bundlegram-test' })
    client.on('error', () => {
      open = null
    })
    await client.connect()
    open = { url, schema: '', client }
  }
  if (open.schema !== schema) {
    await open.client.query(`SET search_path = "${schema}"`)
    open.schema = schema
  }
  return open.client
}

const answerTo = async (query: Query): Promise<Result> => {
  try {
    const client = await clientFor(query)
    const { rows, rowCount } = await client.query({
      text: query.text,
      ...(query.values.length > 0 && { values: query.values }),
      types: { getTypeParser: readerOf } as unknown as pg.CustomTypesConfig,
    })
    return { rows: rows as Row[], changes: rowCount ?? 0 }
  } catch (error) {
    // After a failure, PostgreSQL accepts nothing more in the transaction.
    await open?.client.query('ROLLBACK').catch(() => {})
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

const { port, done } = workerData as { port: MessagePort; done: Int32Array }
port.on('message', async (query: Query) => {
  port.postMessage({ id: query.id, ...(await answerTo(query)) } satisfies Answer)
  Atomics.add(done, 0, 1)
  Atomics.notify(done, 0)
})
