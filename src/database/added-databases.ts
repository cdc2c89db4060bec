import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPostgresUrl } from './postgres-url.ts'

/** The database of an added bot, beside the main one. */
export interface AddedDatabase {
  botId: number
  url: string
}

/** The bot ran before, and its database is gone: an empty one would know nothing of its orders. */
export class DatabaseMissing extends Error {
  override name = 'DatabaseMissing'
  readonly code = 'database_missing'
  constructor(place: string) {
    super(`${place}: the bot’s database is missing`)
  }
}

/** The folder of the added bots' databases; null if the main database is in memory. */
const folderOf = (databaseUrl: string): string | null => {
  const path = databaseUrl.slice('file:'.length)
  return path === ':memory:' ? null : join(dirname(path), 'bots')
}

/** A longer name of a schema is shortened, so that PostgreSQL takes the bot's id, and a channel's name, whole. */
const maxOfSchema = 32

/** The beginning of the schemas of bots beside that one. */
export const schemasBeside = (schema: string): string => {
  if (schema.length <= maxOfSchema) return `${schema}_bot`
  const hash = createHash('sha256').update(schema).digest('hex')
  return `${schema.slice(0, maxOfSchema - 9)}_${hash.slice(0, 8)}_bot`
}

/**
 * The address of an added bot's database: a file, or a schema in the same PostgreSQL. Null beside one in memory.
 * @throws {UnreadableAddress}
 */
export const addedDatabaseUrl = (databaseUrl: string, botId: number): string | null => {
  if (databaseUrl.startsWith('file:')) {
    const folder = folderOf(databaseUrl)
    return folder && `file:${join(folder, `${botId}.db`)}`
  }
  const { schema } = readPostgresUrl(databaseUrl)
  const url = new URL(databaseUrl)
  url.searchParams.set('schema', `${schemasBeside(schema)}${botId}`)
  return url.href
}

/** Where it is, in words for operators. */
export const addedDatabasePlace = (url: string): string =>
  url.startsWith('file:') ? url.slice('file:'.length) : readPostgresUrl(url).place

/**
 * The databases beside that one, of removed bots too, in the order of the bots' ids.
 * @throws {FileFault} if the server cannot be reached.
 */
export const addedDatabasesOf = async (databaseUrl: string): Promise<AddedDatabase[]> => {
  const isFile = databaseUrl.startsWith('file:')
  const ids = isFile ? idsIn(folderOf(databaseUrl)) : await idsOn(databaseUrl)
  return ids
    .map(Number)
    .toSorted((one, other) => one - other)
    .flatMap((botId) => {
      const url = addedDatabaseUrl(databaseUrl, botId)
      return url === null ? [] : { botId, url }
    })
}

const idsIn = (folder: string | null): string[] =>
  folder === null ? [] : namesIn(folder).flatMap((name) => /^(\d{1,15})\.db$/.exec(name)?.[1] ?? [])

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const idsOn = async (databaseUrl: string): Promise<string[]> => {
  const { openSession } = await import('./postgres-session.ts')
  const { client, address, close } = await openSession(databaseUrl)
  const beginning = schemasBeside(address.schema)
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT substr(nspname, length($1) + 1) AS id FROM pg_namespace
       WHERE starts_with(nspname, $1) AND substr(nspname, length($1) + 1) ~ '^[0-9]{1,15}$'
         AND to_regclass(format('%I."Fact"', nspname)) IS NOT NULL`,
      [beginning],
    )
    return rows.map(({ id }) => id)
  } finally {
    await close()
  }
}

/** An added bot as its row in the main database has it. */
export interface RegisteredBot {
  id: number
  username: string
  sealedToken: string
  /** Whether it has run, so that it has a database. */
  hasRun: boolean
  isStopped: boolean
}

/** The query behind `registeredBot`, for either kind of database. */
export const registeredSql =
  'SELECT "id", "username", "sealedToken", "startedAt", "stopped" FROM "Bot" ORDER BY "id"'

/** Reads a row of `registeredSql`. */
export const registeredBot = (row: Record<string, unknown>): RegisteredBot => ({
  ...{ id: Number(row.id), username: String(row.username), sealedToken: String(row.sealedToken) },
  ...{ hasRun: row.startedAt !== null, isStopped: row.stopped !== null },
})
