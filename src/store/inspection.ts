import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { scriptPath } from '../installation.ts'
import { databasePath, faultOf, openFile } from './database-file.ts'
import { appliedSql, progressOf, readMigrations } from './migrations.ts'
import type { DatabaseKind } from './schema.ts'

/** A database as it stands, looked at from outside: nothing is made, migrated or written. */
export interface Inspection {
  engine: SqliteEngine | PostgresEngine
  /** Migrations that it has, and this version does not know: a newer one wrote it. */
  unknown: string[]
  /** Migrations of a development version that it stopped before: no start accepts it. */
  unfinished: string[]
  /** Migrations that the next start applies. */
  missing: string[]
  /** What it says of its own past (`stamp.ts`). */
  facts: ReadonlyMap<string, string>
  /** Sealed credentials of its accounts, so many at most. */
  sealed: { id: string; sealedSecret: string }[]
  leases: { name: string; token: string; until: Date }[]
}

export interface SqliteEngine {
  kind: 'sqlite'
  path: string
  bytes: number
  /** What its disk has left for this user. */
  freeBytes: number
  /** Everybody on this machine can read it: its permissions and those of its folder let them. */
  isOpen: boolean
  journal: string
  soundness: Soundness
}

/** `unfinished`: it is so large that the check was ended. */
export type Soundness = { kind: 'sound' } | { kind: 'unfinished' } | { kind: 'damaged'; how: string }

export interface PostgresEngine {
  kind: 'postgresql'
  /** `160004` for 16.4 */
  version: number
  encoding: string
  /** A replica: it takes no writes. */
  isReplica: boolean
  /** Off: what is committed may be lost when the power fails. */
  keepsCommits: boolean
  /** Connections that the server has for such a user, those in use, and how many this bot's pool may take. */
  connections: { most: number; used: number; pool: number }
  /** One question and its answer. */
  tookMs: number
  /** Its clock, and when that was by ours. */
  clock: { at: Date; ourAt: Date }
}

/** No database stands there yet: the first start makes it. */
export interface NoDatabase {
  engine: null
  path: string
  /** Where the folder cannot be made or written to: why. */
  trouble: string | null
}

const quickCheckMs = 10_000
const mostSealed = 10_000

/** @throws {FileFault} or the driver's error, where it cannot be read. */
export const inspectDatabase = (url: string): Promise<Inspection | NoDatabase> =>
  url.startsWith('file:') ? inspectSqlite(databasePath(url)) : inspectPostgres(url)

type Row = Record<string, unknown>
/** Asks for rows; none where the table is not there yet. */
type Ask = (sql: string) => Row[] | Promise<Row[]>

const inspectSqlite = async (path: string): Promise<Inspection | NoDatabase> => {
  if (!existsSync(path)) return { engine: null, path, trouble: troubleMaking(path) }
  const soundness = await quickCheck(path)
  if (soundness.kind === 'damaged') return { ...nothing, engine: engineOf(path, 'unknown', soundness) }
  const database = openFile(path, { readOnly: true })
  try {
    const ask: Ask = (sql) => rowsOf(database, sql)
    const [journal] = ask('PRAGMA journal_mode') as Row[]
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
  unfinished: [],
  missing: [],
  facts: new Map<string, string>(),
  sealed: [],
  leases: [],
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
  if (!statSync(folder).isDirectory()) return `${folder} is no folder`
  try {
    accessSync(folder, constants.W_OK)
    return null
  } catch (error) {
    return `${folder} may not be written to (${(error as NodeJS.ErrnoException).code})`
  }
}

const rowsOf = (database: DatabaseSync, sql: string): Row[] => {
  try {
    return database.prepare(sql).all()
  } catch (error) {
    if (error instanceof Error && /^no such table/.test(error.message)) return []
    throw error
  }
}

const quickCheck = (path: string): Promise<Soundness> =>
  new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', scriptPath('store/quick-check'), path]
    execFile(
      process.execPath,
      args,
      { timeout: quickCheckMs, killSignal: 'SIGKILL' },
      (error, out, problems) => {
        if (error?.killed) resolve({ kind: 'unfinished' })
        // That it is locked, or no database at all, is said when it is opened here.
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
  const { unknown, unfinished, missing } = progressOf(applied, await readMigrations(kind))
  const facts = await ask('SELECT "name", "value" FROM "Fact"')
  const sealed = await ask(
    `SELECT "id", "sealedSecret" FROM "Account" WHERE "sealedSecret" <> '' ORDER BY "createdAt" DESC LIMIT ${mostSealed}`,
  )
  const leases = await ask('SELECT "name", "token", "until" FROM "Lease"')
  return {
    unknown,
    unfinished,
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

/** SQLite has the offset in its texts; PostgreSQL's times are UTC without one. */
const timeOf = (text: string): Date => new Date(/[Z+]/.test(text) ? text : `${text.replace(' ', 'T')}Z`)

const inspectPostgres = async (url: string): Promise<Inspection> => {
  const [{ readPostgresUrl }, { default: pg }] = await Promise.all([
    import('./postgres-url.ts'),
    import('pg'),
  ])
  const { connectionString, schema, connections } = readPostgresUrl(url)
  const client = new pg.Client({
    connectionString,
    application_name: 'bundlegram doctor',
    connectionTimeoutMillis: 8_000,
    statement_timeout: 8_000,
    // As texts: the driver would take times for local ones.
    types: { getTypeParser: () => String } as never,
    options: `-c default_transaction_read_only=on${schema === 'public' ? '' : ` -c search_path=${schema}`}`,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const ask: Ask = async (sql) => {
      try {
        return (await client.query(sql)).rows
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === '42P01') return []
        throw error
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
