import { faultLine, readCredentialsKeys, readDatabaseUrl } from '../config.ts'
import { databasePath, FileFault, openFile } from '../database/database-file.ts'
import { readEnvFile } from '../env-file.ts'

type Faults = Extract<ReturnType<typeof readDatabaseUrl>, { faults: unknown }>

/** Reads something from the environment or `.env`, as `npm start` reads them. @throws {FileFault} */
const environmental = <Value extends object>(
  read: (environment: NodeJS.ProcessEnv) => Value | Faults,
): Value => {
  const unreadable = readEnvFile()
  if (unreadable !== null) throw new FileFault(unreadable)
  const result = read(process.env)
  if ('faults' in result) throw new FileFault((result as Faults).faults.map(faultLine).join('\n'))
  return result
}

/** `DATABASE_URL` from the environment or `.env`, as `npm start` reads them. @throws {FileFault} */
export const usualUrl = (): string => environmental(readDatabaseUrl).databaseUrl

/**
 * The address of the database that a command works on: that of `--database`, else the usual one. @throws {FileFault}
 */
export const urlOf = (option: string | undefined): string =>
  option === undefined ? usualUrl() : addressOf(option)

/** The path of the database, for a command that works on the embedded database alone. @throws {FileFault} */
export const databaseOf = (option: string | undefined): string => databasePath(urlOf(option))

/**
 * The address of the database, for a command that works on either kind.
 * @throws {FileFault} if the file is no database of ours: opening it would make one.
 */
export const databaseUrlOf = (option: string | undefined): string => {
  const url = urlOf(option)
  if (url.startsWith('file:')) openFile(databasePath(url), { readOnly: true }).close()
  return url
}

const addressOf = (option: string): string => (/^file:|:\/\//.test(option) ? option : `file:${option}`)

/** The keys of `CREDENTIALS_KEY`; the one in use comes first. @throws {FileFault} */
export const keysOf = (): Uint8Array[] => environmental(readCredentialsKeys).credentialsKeys
