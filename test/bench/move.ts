import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '../../src/database/database.ts'
import type { Figure } from './figure.ts'
import { newFilled } from './fill.ts'
import { type Launch, launch, type Program, peakMegabytes } from './program.ts'
import { createStage, root, type Stage } from './stage.ts'

const usualOrders = 1_000_000
/** MB. Flat: seen were 175 to 190, with a tenth of the orders as well; a third of them is Node with the drivers. */
const goal = { under: 250 }

/**
 * `npm run db:move` from its start to its end: all rows copied, indexed, compared. Beside it the server alone, which
 * copies the same rows into the same tables, with nobody who reads, sends or compares them.
 */
export const moving = async (orders = usualOrders): Promise<Figure[]> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) {
    process.stderr.write('TEST_DATABASE_URL names no PostgreSQL to move to: nothing is measured.\n')
    return []
  }
  const few = await withMove(server, orders / 10, async (run) => run)
  const many = await withMove(server, orders, async (run) => ({
    ...run,
    bareMs: await copyWithin(server, run),
  }))
  const what = `${orders.toLocaleString('en')} orders (${many.rows.toLocaleString('en')} rows) to PostgreSQL by db:move`
  const against = 'the server copies the same rows from table to table, with their indexes'
  return [
    { what, unit: 'ms', bot: many.ms, baseline: many.bareMs, against, goal: null },
    {
      what: `rows of ${what}`,
      unit: 'per second',
      bot: (many.rows * 1000) / many.ms,
      baseline: (many.rows * 1000) / many.bareMs,
      against,
      goal: null,
    },
    {
      what: `memory at the peak of ${what}`,
      unit: 'MB',
      bot: many.megabytes,
      baseline: few.megabytes,
      against: `the same with ${(orders / 10).toLocaleString('en')} orders`,
      goal,
    },
  ]
}

interface Run {
  /** The schema with the rows. */
  schema: string
  ms: number
  rows: number
  megabytes: number
}

/** @param use called while the moved database exists. */
const withMove = async <T>(server: string, orders: number, use: (run: Run) => Promise<T>): Promise<T> => {
  const stage = await createStage()
  try {
    await newFilled(stage.databasePath, orders)
    return await inSchema(server, async (schema) =>
      use({ schema, ...(await moveOnce(stage, server, schema)) }),
    )
  } finally {
    await stage.close()
  }
}

const inSchema = async <T>(server: string, work: (schema: string) => Promise<T>): Promise<T> => {
  const schema = `bench_${randomBytes(6).toString('hex')}`
  try {
    return await work(schema)
  } finally {
    await inServer(server, (client) =>
      client.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS ${schema} CASCADE`),
    )
  }
}

const inServer = async <T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const addressOf = (server: string, schema: string): string => {
  const url = new URL(server)
  url.searchParams.set('schema', schema)
  return url.href
}

const moveOnce = async (stage: Stage, server: string, schema: string): Promise<Omit<Run, 'schema'>> => {
  const program = launch(await command(stage, addressOf(server, schema)))
  const startedAt = performance.now()
  try {
    const printed = program.printed().then((text) => ({ text, ms: performance.now() - startedAt }))
    const [{ text, ms }, megabytes] = await Promise.all([printed, peakOf(program, printed)])
    const rows = /^Moved: ([\d,]+) rows/m.exec(text)?.[1]?.replaceAll(',', '')
    if (rows === undefined) throw new Error(`It did not move:\n${text.slice(-2000)}`)
    return { ms, rows: Number(rows), megabytes }
  } finally {
    await program.kill()
  }
}

/**
 * The program behind `npm run db:move`. It ends in `exec`, so that the program has the shell's process id.
 */
const command = async ({ databasePath }: Stage, url: string): Promise<Launch> => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return {
    command: ['sh', '-c', `${scripts['db:move']} --from file:${databasePath}`],
    env: { DATABASE_URL: url, DATABASE_URL_FILE: '' },
    cwd: root,
  }
}

const lookEveryMs = 100

/** The most memory seen in use before it ended. */
const peakOf = async ({ pid }: Program, ended: Promise<unknown>): Promise<number> => {
  let isRunning = true
  void ended.finally(() => {
    isRunning = false
  })
  let peak = 0
  while (isRunning) {
    // After its end there is nothing left to read.
    peak = await peakMegabytes(pid).catch(() => peak)
    await wait(lookEveryMs)
  }
  return peak
}

const copyWithin = (server: string, { schema }: Run): Promise<number> =>
  inSchema(server, async (copy) => {
    await (await openDatabase(addressOf(server, copy))).close()
    return inServer(server, async (client) => {
      const startedAt = performance.now()
      for (const name of await tablesOf(client, schema)) {
        await client.query(`INSERT INTO ${copy}."${name}" SELECT * FROM ${schema}."${name}"`)
      }
      return performance.now() - startedAt
    })
  })

/** Those that others point to come first. */
const tablesOf = async (client: pg.Client, schema: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 AND tablename <> '_prisma_migrations'
     ORDER BY array_position(ARRAY['Account', 'Purchase', 'Order'], tablename::text)`,
    [schema],
  )
  return rows.map(({ name }) => name)
}
