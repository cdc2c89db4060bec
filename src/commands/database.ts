import { faultLine, readDatabaseUrl } from '../config.ts'
import { readEnvFile } from '../env-file.ts'
import { databasePath, FileFault } from '../store/database-file.ts'

/**
 * The file of the database that a command works on: the one that `--database` names, else the one of
 * `DATABASE_URL`, by the environment or `.env` as `npm start` reads them.
 * @throws {FileFault}
 */
export const databaseOf = (option: string | undefined): string => {
  if (option !== undefined) return databasePath(/^file:|:\/\//.test(option) ? option : `file:${option}`)
  const unreadable = readEnvFile()
  if (unreadable !== null) throw new FileFault(unreadable)
  const result = readDatabaseUrl(process.env)
  if ('faults' in result) throw new FileFault(result.faults.map(faultLine).join('\n'))
  return databasePath(result.databaseUrl)
}
