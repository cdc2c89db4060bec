import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { QueryResult } from 'pg'
import { scriptPath } from '../base/installation.ts'
import { databasePath, faultOf, openFile } from './database-file.ts'
import { appliedSql, progressOf, readMigrations } from './migrations/migrations.ts'
import type { DatabaseKind } from './schema.ts'

/** What an inspection finds. An inspection creates, migrates and writes nothing. */
export interface Inspection {
  engine: SqliteEngine | PostgresEngine
  /** Whether no migration has been applied yet. */
  isEmpty: boolean
  /** Applied migrations that this version does not know, because a newer version wrote them. */
  unknown: string[]
  missing: string[]
  /** The `Fact` rows by name, such as those about its past (`copy-mark.ts`). */
  facts: ReadonlyMap<string, string>
  /** The sealed credentials of the newest accounts, up to 10,000. */
  sealed: { id: string; sealedSecret: string }[]
  leases: { name: string; token: string; until: Date }[]
}

export interface SqliteEngine {
  kind: 'sqlite'
  path: string
  bytes: number
  /** How many bytes this user can still write to the disk. */
  freeBytes: number
  /** Whether every user of this machine can read the file, by its permissions and its folder's. */
  isOpen: boolean
  journal: string
  soundness: Soundness
}

/** The result of the integrity check. `unfinished`: the check was stopped because the file is very large. */
export type Soundness = { kind: 'sound' } | { kind: 'unfinished' } | { kind: 'damaged'; how: string }

export interface PostgresEngine {
  kind: 'postgresql'
  /** The server's version as a number: `160004` for 16.4. */
  version: number
  encoding: string
  isReplica: boolean
  /** Whether commits survive a power failure. */
  keepsCommits: boolean
  /**
   * How many connections the server allows ordinary users, how many are in use, and how many this bot's pool may
   * open.
   */
  connections: { most: number; used: number; pool: number }
  /** How long a query took, from sending it to its answer, in ms. */
  tookMs: number
  /** The server's clock, and our time at the moment when it was read. */
  clock: { at: Date; ourAt: Date }
}

/** There is no database yet: the first start will create it. */
export interface NoDatabase {
  engine: null
  path: string
  /** Why the folder cannot be created or written to; null if it can. */
  trouble: string | null
}

const quickCheckMs = 10_000
const maxSealed = 10_000

/** Inspects a database without changing it. @throws {FileFault} or the driver's error if it cannot be read */
export const inspectDatabase = (url: string): Promise<Inspection | NoDatabase> =>
  url.startsWith('file:') ? inspectSqlite(databasePath(url)) : inspectPostgres(url)

type InspectedRow = Record<string, unknown>
/** Runs a query; returns no rows if the table does not exist yet. */
type Ask = (sql: string) => InspectedRow[] | Promise<InspectedRow[]>

const inspectSqlite = async (path: string): Promise<Inspection | NoDatabase> => {
  if (!existsSync(path)) return { engine: null, path, trouble: troubleMaking(path) }
  const soundness = await quickCheck(path)
  if (soundness.kind === 'damaged') return { ...nothing, engine: engineOf(path, 'unknown', soundness) }
  const database = openFile(path, { readOnly: true })
  try {
    const ask: Ask = (sql) => rowsOf(database, sql)
    const [journal] = ask('PRAGMA journal_mode') as InspectedRow[]
    return {
      engine: engineOf(path, String(journal?.journal_mode), soundness),
      ...(await contentOf('sqlite', ask)),
    }
  } catch (error) {
    throw faultOf(error, path)
  } finally {
    database.close()
  }
}

const nothing = {
  unknown: [],
  missing: [],
  facts: new Map<string, string>(),
  sealed: [],
  leases: [],
  isEmpty: false,
}

const engineOf = (path: string, journal: string, soundness: Soundness): SqliteEngine => {
  const { size, mode } = statSync(path)
  const { bavail, bsize } = statfsSync(path)
  const isOpen = (mode & 0o004) !== 0 && (statSync(dirname(resolve(path))).mode & 0o001) !== 0
  return { kind: 'sqlite', path, bytes: size, freeBytes: bavail * bsize, isOpen, journal, soundness }
}

const troubleMaking = (path: string): string | null => {
  let folder = dirname(resolve(path))
  while (!existsSync(folder)) folder = dirname(folder)
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    return `${folder} is not writable (${(error as NodeJS.ErrnoException).code})`
  }
}

export const rowsOf = (database: DatabaseSync, sql: string): InspectedRow[] => {
  try {
    return database.prepare(sql).all()
  } catch (error) {
    if (error instanceof Error && /^no such table/.test(error.message)) return []
    throw error
  }
}

const quickCheck = (path: string): Promise<Soundness> =>
  new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', scriptPath('database/quick-check'), path]
    execFile(
      process.execPath,
      args,
      { timeout: quickCheckMs, killSignal: 'SIGKILL' },
      (error, out, problems) => {
        if (error?.killed) resolve({ kind: 'unfinished' })
        // The check itself failed. If the cause is a lock, or a file that is not a database, `openFile` reports it.
        else if (error)
          resolve(
            /malformed|corrupt/.test(problems) ? { kind: 'damaged', how: 'malformed' } : { kind: 'sound' },
          )
        else resolve(out === 'ok' ? { kind: 'sound' } : { kind: 'damaged', how: out.slice(0, 200) })
      },
    )
  })

const contentOf = async (kind: DatabaseKind, ask: Ask): Promise<Omit<Inspection, 'engine'>> => {
  const applied = (await ask(appliedSql)).map(({ migration_name }) => String(migration_name))
  const { unknown, missing } = progressOf(applied, await readMigrations(kind))
  const facts = await ask('SELECT "name", "value" FROM "Fact"')
  const sealed = await ask(
    `SELECT "id", "sealedSecret" FROM "Account" WHERE "sealedSecret" <> '' ORDER BY "createdAt" DESC LIMIT ${maxSealed}`,
  )
  const leases = await ask('SELECT "name", "token", "until" FROM "Lease"')
  return {
    isEmpty: applied.length === 0,
    unknown,
    missing: missing.map(({ name }) => name),
    facts: new Map(facts.map(({ name, value }) => [String(name), String(value)])),
    sealed: sealed.map(({ id, sealedSecret }) => ({ id: String(id), sealedSecret: String(sealedSecret) })),
    leases: leases.map(({ name, token, until }) => ({
      name: String(name),
      token: String(token),
      until: timeOf(String(until)),
    })),
  }
}

/** SQLite stores times with their offset. PostgreSQL's times are UTC, without an offset. */
const timeOf = (text: string): Date => new Date(/[Z+]/.test(text) ? text : `${text.replace(' ', 'T')}Z`)

const inspectPostgres = async (url: string): Promise<Inspection> => {
  const [{ readPostgresUrl }, { default: pg }] = await Promise.all([
    import('./postgres/url.ts'),
    import('pg'),
  ])
  const { connectionString, schema, connections } = readPostgresUrl(url)
  const client = new pg.Client({
    connectionString,
    application_name: 'bundlegram doctor',
    connectionTimeoutMillis: 8_000,
    query_timeout: 8_000,
    // Times are read as texts, because the driver would take them for local time.
    types: { getTypeParser: () => String } as never,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    // The settings apply to one transaction only. Behind a pooler, settings of the session would affect other
    // clients.
    const begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = 8000; SET LOCAL search_path = "${schema}"`
    const ask: Ask = async (sql) => {
      try {
        // The driver returns one result for each statement. The last but one is our query's.
        const results: unknown = await client.query(`${begin}; ${sql}; COMMIT`)
        return (results as QueryResult[]).at(-2)?.rows ?? []
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === '42P01')) throw error
        await client.query('ROLLBACK')
        return []
      }
    }
    return { engine: await postgresEngine(ask, connections), ...(await contentOf('postgresql', ask)) }
  } finally {
    await client.end().catch(() => {})
  }
}

const postgresEngine = async (ask: Ask, pool: number): Promise<PostgresEngine> => {
  await ask('SELECT 1')
  const startedMs = performance.now()
  const [row = {}] = await ask(`
    SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
      pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commits, current_setting('max_connections') AS most,
      current_setting('superuser_reserved_connections') AS reserved,
      (SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
      (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS ms`)
  const tookMs = performance.now() - startedMs
  return {
    kind: 'postgresql',
    version: Number(row.version),
    encoding: String(row.encoding),
    isReplica: row.replica === 't',
    keepsCommits: row.fsync === 'on' && row.commits !== 'off',
    connections: { most: Number(row.most) - Number(row.reserved), used: Number(row.used) - 1, pool },
    tookMs,
    clock: { at: new Date(Number(row.ms)), ourAt: new Date(Date.now() - tookMs / 2) },
  }
}
