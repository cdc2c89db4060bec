import { commandLine, commandWith } from '../base/installation.ts'
import { copyMarkNames, readCopyMark, readRestored } from '../database/copies/copy-mark.ts'
import { FileFault } from '../database/database-file.ts'
import { floorBytes } from '../database/free-space.ts'
import {
  type Inspection,
  inspectDatabase,
  type NoDatabase,
  type PostgresEngine,
  type SqliteEngine,
} from '../database/inspection.ts'
import { CannotOpen, type Keyring, keyIdOf } from '../wallets/credentials/keyring.ts'
import { credentialPlace } from '../wallets/wallets.ts'
import type { ClockReading } from './clock-check.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { quoted } from './quoting.ts'
import { ms } from './reach.ts'

const what = 'database'

export type Inspected = Inspection | NoDatabase | { engine: 'unreadable'; problem: string }

/** Reads the database without changing it. Never throws: a database that cannot be read is `unreadable`. */
export const inspect = async (databaseUrl: string): Promise<Inspected> => {
  try {
    return await inspectDatabase(databaseUrl)
  } catch (error) {
    return { engine: 'unreadable', problem: problemOf(error) }
  }
}

/**
 * Shows the error's message only if it certainly has no address, because a PostgreSQL address contains a password.
 */
const problemOf = (error: unknown): string => {
  if (error instanceof FileFault) return error.message
  if (!(error instanceof Error)) return 'unknown error'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'unreadable_address') return error.message
  if (/timeout/i.test(error.message)) return 'its server does not answer in time'
  return ofPostgres[code] ?? `${error.name} ${code}`.trim()
}

const ofPostgres: Record<string, string> = {
  ECONNREFUSED: 'nothing accepts the connection (ECONNREFUSED)',
  ENOTFOUND: 'its server’s name is unknown (ENOTFOUND)',
  ETIMEDOUT: 'its server does not answer (ETIMEDOUT)',
  '28P01': 'the user or the password is refused (28P01)',
  '28000': 'the user is refused (28000)',
  '3D000': 'there is no such database (3D000)',
  '42501': 'the user may not read it (42501)',
  '53300': 'the server has no free connections (53300)',
  '57P03': 'the server is starting or stopping (57P03)',
}

export const examineDatabase = (inspected: Inspected, keyring: Keyring): Finding[] => {
  if (inspected.engine === 'unreadable') {
    return [
      fail(
        what,
        `cannot be read: ${inspected.problem}`,
        'Check that DATABASE_URL is right, that the database exists and is not locked, and that the bot’s user may read and write it',
      ),
    ]
  }
  if (inspected.engine === null) return [examineAbsent(inspected as NoDatabase)]
  const { engine } = inspected
  if (engine.kind === 'sqlite' && engine.soundness.kind === 'damaged')
    return [damaged(engine, engine.soundness.how)]
  return [
    ...(engine.kind === 'sqlite' ? examineSqlite(engine) : examinePostgres(engine)),
    examineSchema(inspected),
    ...examinePast(inspected.facts),
    examineKeys(inspected.sealed, keyring),
  ]
}

const examineAbsent = ({ path, trouble }: NoDatabase): Finding =>
  trouble === null
    ? ok(what, `${path} does not exist yet: the first start creates it`)
    : fail(
        what,
        `${path} does not exist, and ${trouble}`,
        'Let the bot’s user write there, or choose another place in DATABASE_URL',
      )

const damaged = ({ path }: SqliteEngine, how: string): Finding =>
  fail(
    what,
    `${path} is damaged (${how})`,
    `Stop the bot, keep the file, and put the newest backup in its place (${commandWith('backup', '--help')} says how). Check the disk`,
  )

const megabyte = 1_000_000
/** In bytes. With less free space, the next burst of orders or the next backup may fill the disk. */
const littleBytes = 1_000 * megabyte

const examineSqlite = ({ path, bytes, freeBytes, isOpen, journal, soundness }: SqliteEngine): Finding[] => {
  const free = `${Math.floor(freeBytes / megabyte)} MB free on its disk`
  const size = `${path}: ${(bytes / megabyte).toFixed(1)} MB, ${free}`
  const room = 'Free up disk space: when the disk is full, nothing new can be ordered'
  return [
    freeBytes < floorBytes
      ? fail(what, `${size}: no new orders or lists are accepted`, 'Free up disk space')
      : freeBytes < Math.max(littleBytes, 2 * bytes)
        ? warn(what, size, room)
        : ok(what, size),
    soundness.kind === 'unfinished'
      ? warn(
          what,
          'is too large to be checked within 10 s',
          `Make a backup, which is checked completely: ${commandWith('backup', quoted(`${path}.checked`))}`,
        )
      : ok(what, 'is intact'),
    ...(journal === 'wal'
      ? []
      : [
          warn(
            what,
            `its journal mode is ${journal}`,
            `${commandLine('start')} sets it to wal, which does not work on a network drive: use a local disk`,
          ),
        ]),
    ...(!isOpen || process.platform === 'win32'
      ? []
      : [warn(what, `${path} can be read by everybody on this machine`, `chmod o= ${quoted(path)}`)]),
  ]
}

const oldestVersion = 130_000
const slowMs = 50

const examinePostgres = ({
  version,
  encoding,
  isReplica,
  keepsCommits,
  connections,
  tookMs,
}: PostgresEngine): Finding[] => {
  const { most, used, pool } = connections
  const server = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}, answers in ${ms(tookMs)}`
  return [
    version < oldestVersion
      ? fail(what, server, 'Use PostgreSQL 13 or later')
      : tookMs > slowMs
        ? warn(what, server, 'Each press needs several queries: run the database close to the bot')
        : ok(what, server),
    pool > most
      ? fail(
          what,
          `allows ${most} connections, but the bot may use ${pool}`,
          'Lower connection_limit in DATABASE_URL, or raise max_connections',
        )
      : used + pool > most
        ? warn(
            what,
            `${used} of ${most} connections are in use, and one more bot uses up to ${pool}`,
            'Lower connection_limit in DATABASE_URL, or raise max_connections',
          )
        : ok(what, `${used} of ${most} connections in use, up to ${pool} for each bot`),
    ...(isReplica ? [fail(what, 'is a read-only replica', 'Set DATABASE_URL to the primary')] : []),
    ...(keepsCommits
      ? []
      : [
          fail(
            what,
            'may lose committed data in a power failure',
            'sudo -u postgres psql -c "ALTER SYSTEM SET fsync = on" -c "ALTER SYSTEM SET synchronous_commit = on" -c "SELECT pg_reload_conf()"',
          ),
        ]),
    ...(encoding === 'UTF8'
      ? []
      : [
          fail(
            what,
            `its encoding is ${encoding}`,
            'Create a new database and set DATABASE_URL to it: createdb --owner=bundlegram --encoding=UTF8 --template=template0 bundlegram2',
          ),
        ]),
  ]
}

const schema = 'schema'

const examineSchema = ({ unknown, missing }: Inspection): Finding => {
  if (unknown.length > 0) {
    return fail(
      schema,
      `a newer Bundlegram wrote this database: ${unknown.join(', ')}`,
      'Run that version again, or restore a backup from before it',
    )
  }
  return missing.length > 0
    ? warn(
        schema,
        missing.length === 1
          ? '1 migration is not applied yet'
          : `${missing.length} migrations are not applied yet`,
        `${commandLine('start')} applies them: make a backup first (${commandLine('backup')})`,
      )
    : ok(schema, 'matches this version')
}

const past = 'history of the database'

const examinePast = (facts: ReadonlyMap<string, string>): Finding[] => {
  if (facts.has(copyMarkNames.movedTo)) {
    return [
      fail(
        past,
        'it was moved to another database',
        `Set DATABASE_URL to that one: only it knows what has happened since. If ${commandLine('db:move')} was interrupted, run it again first`,
      ),
    ]
  }
  const stamp = facts.get(copyMarkNames.backupOf)
  if (stamp !== undefined) return [examineStamp(stamp)]
  const restored = facts.get(copyMarkNames.restored)
  return restored === undefined ? [] : [ok(past, restoredWords(restored))]
}

const examineStamp = (stamp: string): Finding => {
  try {
    return warn(
      past,
      `it is a copy from ${readCopyMark(stamp).toISOString()}`,
      'The bot will send none of the orders it finds there, and ask the provider what became of them. Start on it only if no bot still uses the original',
    )
  } catch {
    return fail(
      past,
      'it is marked as a copy, but without a readable time',
      `Give the time when the copy was made: ${commandWith('restored', '--at 2026-11-21T10:32Z')}`,
    )
  }
}

const restoredWords = (value: string): string => {
  try {
    const { from, at } = readRestored(value)
    return `a copy from ${from.toISOString()}, in use since ${at.toISOString()}`
  } catch {
    return 'it was restored from a copy'
  }
}

const keys = 'CREDENTIALS_KEY'

/** How many accounts are tried with each key. One would not be enough, because its credentials may be damaged. */
const tried = 10

const examineKeys = (sealed: Inspection['sealed'], keyring: Keyring): Finding => {
  if (sealed.length === 0) return ok(keys, 'no account is connected yet')
  const byKey = Map.groupBy(sealed, (account) => keyIdOf(account.sealedSecret))
  const opened = [...byKey.values()].filter((accounts) =>
    accounts.slice(0, tried).some((each) => opens(keyring, each)),
  )
  const count = opened.reduce((sum, accounts) => sum + accounts.length, 0)
  const remedy =
    'Set the key with which the bot ran before. To change keys, list the new one first: CREDENTIALS_KEY=<new>,<old>'
  if (count === 0) return fail(keys, 'opens nothing in this database', remedy)
  return count < sealed.length
    ? warn(
        keys,
        `opens ${count} of ${sealed.length} accounts`,
        `${commandWith('rotate-key', '--check')} names the others`,
      )
    : ok(keys, `opens the ${sealed.length === 1 ? 'account' : `${sealed.length} accounts`} in this database`)
}

const opens = (keyring: Keyring, { id, sealedSecret }: Inspection['sealed'][number]): boolean => {
  try {
    keyring.open(sealedSecret, credentialPlace(id, 'secret'))
    return true
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}

/** Compares the clock of PostgreSQL with ours. SQLite uses this machine's clock, so there is nothing to compare. */
export const databaseClock = ({ engine }: Inspected): ClockReading[] => {
  if (engine === null || engine === 'unreadable' || engine.kind === 'sqlite') return []
  const { at, ourAt } = engine.clock
  return [{ whose: 'the database', aheadMs: at.getTime() - ourAt.getTime(), uncertainMs: engine.tookMs / 2 }]
}
