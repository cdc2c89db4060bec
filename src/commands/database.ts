import { faultLine, readCredentialsKeys, readDatabaseUrl } from '../config.ts'
import { readEnvFile } from '../env-file.ts'
import { databasePath, FileFault, openFile } from '../store/database-file.ts'

type Faults = Extract<ReturnType<typeof readDatabaseUrl>, { faults: unknown }>

/** What one reading of the environment, or of `.env`, says, as `npm start` reads it. @throws {FileFault} */
const environmental = <Value extends object>(
  read: (environment: NodeJS.ProcessEnv) => Value | Faults,
): Value => {
  const unreadable = readEnvFile()
  if (unreadable !== null) throw new FileFault(unreadable)
  const result = read(process.env)
  if ('faults' in result) throw new FileFault((result as Faults).faults.map(faultLine).join('\n'))
  return result
}

/** `DATABASE_URL`, by the environment or `.env` as `npm start` reads them. @throws {FileFault} */
export const usualUrl = (): string => environmental(readDatabaseUrl).databaseUrl

/** The address of the database that a command works on: that of `--database`, else the usual one. @throws {FileFault} */
export const urlOf = (option: string | undefined): string =>
  option === undefined ? usualUrl() : addressOf(option)

/** The file of the same, for a command that works on the embedded database alone. @throws {FileFault} */
export const databaseOf = (option: string | undefined): string => databasePath(urlOf(option))

/**
 * The address of the same, for a command that works on either kind of database.
 * @throws {FileFault} where a file is named that is no database of ours: opening would make one.
 */
export const databaseUrlOf = (option: string | undefined): string => {
  const url = urlOf(option)
  if (url.startsWith('file:')) openFile(databasePath(url), { readOnly: true }).close()
  return url
}

const addressOf = (option: string): string => (/^file:|:\/\//.test(option) ? option : `file:${option}`)

/** The keys of `CREDENTIALS_KEY`, that in use first. @throws {FileFault} */
export const keysOf = (): Uint8Array[] => environmental(readCredentialsKeys).credentialsKeys
