import { databasePath, FileFault, openFile } from '../database/database-file.ts'
import { faultLine, readCredentialsKeys, readDatabaseUrl } from '../start/config.ts'
import { readEnvFile } from '../start/env-file.ts'

type Faults = Extract<ReturnType<typeof readDatabaseUrl>, { faults: unknown }>

/** Reads a setting from the environment or `.env`, like `npm start`. @throws {FileFault} */
const environmental = <Value extends object>(
  read: (environment: NodeJS.ProcessEnv) => Value | Faults,
): Value => {
  const unreadable = readEnvFile()
  if (unreadable !== null) throw new FileFault(unreadable)
  const result = read(process.env)
  if ('faults' in result) throw new FileFault((result as Faults).faults.map(faultLine).join('\n'))
  return result
}

/** `DATABASE_URL` from the environment or `.env`. @throws {FileFault} */
export const usualUrl = (): string => environmental(readDatabaseUrl).databaseUrl

/**
 * The address of the database that a command works on: that of `--database`, or else `usualUrl`. @throws {FileFault}
 */
export const urlOf = (option: string | undefined): string =>
  option === undefined ? usualUrl() : addressOf(option)

/** The path of the database, for a command that works only on SQLite. @throws {FileFault} */
export const databaseOf = (option: string | undefined): string => databasePath(urlOf(option))

/**
 * The address of the database, for a command that works on SQLite and PostgreSQL.
 * @throws {FileFault} if there is no such file, or it is not a Bundlegram database. Without this check, opening the
 * file later would create it.
 */
export const databaseUrlOf = (option: string | undefined): string => {
  const url = urlOf(option)
  if (url.startsWith('file:')) openFile(databasePath(url), { readOnly: true }).close()
  return url
}

const addressOf = (option: string): string => (/^file:|:\/\//.test(option) ? option : `file:${option}`)

/** The keys in `CREDENTIALS_KEY`, the current one first. @throws {FileFault} */
export const keysOf = (): Uint8Array[] => environmental(readCredentialsKeys).credentialsKeys
