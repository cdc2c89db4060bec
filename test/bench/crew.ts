import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { freePort } from '../../src/sandbox/port.ts'
import { startBalancer } from '../support/balancer.ts'
import type { Instances } from './options.ts'
import { launch, type Program } from './program.ts'
import { createStage, openBot, type Stage, type StageOptions } from './stage.ts'

/** Where there is a PostgreSQL for benchmarks. */
export const server = process.env.TEST_DATABASE_URL

/** Several processes of the bot on one database, behind a load balancer. */
export interface Crew {
  stage: Stage
  urls: string[]
  programs: Program[]
  /** Of the PostgreSQL, by the way that the programs take. */
  databaseUrl: string | null
}

/** The kind of database, and how many processes use it. */
export type Formation = 'SQLite' | Instances

interface CrewOptions extends Pick<StageOptions, 'limits' | 'settings'> {
  mode?: 'webhook' | 'polling'
  /** The program of each. */
  path?: string
  /** Beside what all programs get. */
  env?: (stage: Stage, index: number) => Record<string, string>
  /** The way to the server, to its end. */
  reach?: (databaseUrl: string) => Promise<{ url: string; close: () => Promise<void> }>
}

export const withCrew = async <T>(
  formation: Formation,
  measure: (crew: Crew) => Promise<T>,
  { mode = 'webhook', path = openBot, env: more = () => ({}), reach, ...options }: CrewOptions = {},
): Promise<T> => {
  const stage = await createStage(options)
  const database = formation === 'SQLite' ? null : newSchema()
  const way = (database && (await reach?.(database.url))) ?? null
  const databaseUrl = way?.url ?? database?.url ?? null
  const ports = await Promise.all(Array.from({ length: formation === 'SQLite' ? 1 : formation }, freePort))
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const balancer = await startBalancer(urls)
  const programs: Program[] = []
  try {
    for (const [index, port] of ports.entries()) {
      const { command, env, cwd } = stage.program(path)
      const own = {
        ...{ ...env, ...more(stage, index) },
        ...{ PORT: String(port), PUBLIC_URL: balancer.url, TELEGRAM_UPDATES: mode },
        ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      }
      programs.push(launch({ command, cwd, env: own }))
      await ready(urls[index] ?? '')
    }
    return await measure({ stage, urls, programs, databaseUrl })
  } finally {
    await Promise.all(programs.map((program) => program.kill()))
    await balancer.close()
    await stage.close()
    await way?.close()
    await database?.drop()
  }
}

const ready = async (url: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    const body = answer?.ok ? ((await answer.json()) as { telegram: string }) : null
    if (body && /^(ok|standing by)/.test(body.telegram)) return
    await wait(20)
  }
}

const newSchema = (): { url: string; drop: () => Promise<void> } => {
  const url = new URL(server ?? '')
  const schema = `bench_${randomBytes(6).toString('hex')}`
  url.searchParams.set('schema', schema)
  return {
    url: url.href,
    drop: async () => {
      const client = new pg.Client({ connectionString: readPostgresUrl(url.href).connectionString })
      await client.connect()
      await client.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    },
  }
}
