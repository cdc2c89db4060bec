import { refusalIn } from '../database/outage.ts'
import { isBrokenConnection } from '../database/postgres/server-fault.ts'
import type { Listener } from '../doctor/address.ts'
import { type Config, faultLine, isMissingSetting, type ReadConfig } from '../start/config.ts'
import { noEnvFile } from '../start/env-file.ts'
import { CannotOpen } from '../wallets/credentials/keyring.ts'

/** Codes of database errors whose message is written for the operator. */
const databaseRefusals = [
  'newer_database',
  'unsupported_database',
  'moved_database',
  'half_moved_database',
  'unreadable_stamp',
  'unreadable_address',
  'file_fault',
]

/**
 * What is wrong with the settings, one line each. If a setting is missing and there is no `.env`, the first line
 * says so.
 */
export const settingsRefused = ({
  faults,
  doubts,
}: Pick<Extract<ReadConfig, { faults: unknown }>, 'faults' | 'doubts'>): string[] => {
  const noFile = faults.some(isMissingSetting) ? noEnvFile() : null
  return [...(noFile === null ? [] : [noFile]), ...[...faults, ...doubts].map(faultLine)]
}

export const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

type Place = Pick<Config, 'host' | 'port' | 'metricsPort'>

/**
 * Why the bot cannot start, in a sentence for the operator; null for an unexpected error.
 * @param holder the program that answers on the bot's port, if the port is in use.
 */
export const operatorsWords = (
  error: unknown,
  config: Place,
  holder: Listener['kind'] = 'other_program',
): string | null => {
  if (error instanceof CannotOpen) {
    return 'CREDENTIALS_KEY: opens nothing in this database. Set the key it was written with. To change keys, list the new one first: CREDENTIALS_KEY=<new>,<old>'
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
      return portTaken(config, 'port' in error ? error.port : null, holder)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST: ${config.host} is not an address of this machine. Example: HOST=127.0.0.1`
    default:
      return null
  }
}

const portTaken = ({ host, port, metricsPort }: Place, taken: unknown, holder: Listener['kind']): string => {
  if (holder === 'bot') {
    return `PORT: ${port} on ${host} is in use by this bot, which is already running. Stop it first, or choose another port, for example PORT=${neighbour(port)}`
  }
  if (metricsPort !== null && taken === metricsPort) {
    return `METRICS_PORT: ${metricsPort} is in use by another program. Choose another, for example METRICS_PORT=${neighbour(metricsPort)}`
  }
  const who = holder === 'other_key' ? 'another Bundlegram bot' : 'another program'
  return `PORT: ${port} on ${host} is in use by ${who}. Choose another, for example PORT=${neighbour(port)}`
}

const neighbour = (port: number): number => (port < 65_535 ? port + 1 : port - 1)
