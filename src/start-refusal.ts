import type { Config } from './config.ts'
import { refusalIn } from './database/outage.ts'
import { isBrokenConnection } from './database/server-fault.ts'
import { CannotOpen } from './wallets/keyring.ts'

/** Database errors whose message is meant for the operator, by code. */
const databaseRefusals = [
  'newer_database',
  'unfinished_database',
  'unsupported_database',
  'moved_database',
  'half_moved_database',
  'unreadable_stamp',
  'unreadable_address',
  'file_fault',
]

/** Why the bot cannot start, in a sentence for the operator; null for an unplanned error. */
export const operatorsWords = (error: unknown, config: Pick<Config, 'host' | 'port'>): string | null => {
  if (error instanceof CannotOpen) {
    return 'CREDENTIALS_KEY: opens nothing in this database. Give the key that it was written with; to change keys, list the new one first: CREDENTIALS_KEY=<new>,<old>'
  }
  if (!(error instanceof Error)) return null
  if ('code' in error && databaseRefusals.includes(String(error.code))) return error.message
  if (isBrokenConnection(error)) {
    return 'DATABASE_URL: the connection to the database broke during the start. Start the bot again'
  }
  if (refusalIn(error)?.cause === 'locked') {
    return 'DATABASE_URL: the database stayed locked during the start. End the program that locks it, or start the bot again'
  }
  if (!('code' in error)) return null
  switch (error.code) {
    case 'EADDRINUSE':
      return `PORT: ${config.port} on ${config.host} is in use by another program. Choose another, for example PORT=8081`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST: ${config.host} is no address of this machine, for example HOST=127.0.0.1`
    default:
      return null
  }
}
