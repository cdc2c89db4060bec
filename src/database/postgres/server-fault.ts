import { FileFault } from '../database-file.ts'

/** Error codes of PostgreSQL and the network, explained for operators. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nobody answers there: start PostgreSQL, or mend the address',
  ENOENT: 'nobody answers there: start PostgreSQL, or mend the address',
  ETIMEDOUT: 'nobody answers there: correct the address, or open the firewall for it',
  ENOTFOUND: 'there is no host of that name: correct the address',
  EAI_AGAIN: 'the name of the host cannot be looked up: try again, or name its address',
  '08P01':
    'a pooler refuses the settings of connections: add pgbouncer=true to the address, or name the server itself',
  '28P01': 'the user or the password is wrong: correct the address',
  '28000': 'the server refuses this user: correct the address, or its pg_hba.conf',
  '3D000': 'the server has no such database: make it, for example: createdb --owner=bundlegram bundlegram',
  '42501': 'the user may not do that: make it the owner of the database',
  '53100': 'the disk of the server is full: make room',
  '53300': 'the server takes no more connections: stop other programs, or raise its max_connections',
}

const broken = /^(57P0\d|08\d\d\d|ECONNRESET|EPIPE)$/

/**
 * The driver's messages for a lost connection, which have no code. The last one means that the network lost a query
 * or its answer.
 */
export const lostConnection = /^Connection terminated|not queryable|^Query read timeout/

/**
 * Whether the connection to the server broke. The error is the driver's, or Prisma's with the driver's code in its
 * message.
 */
export const isBrokenConnection = (error: Error): boolean => {
  const code = 'code' in error ? String(error.code) : ''
  return broken.test(code) || lostConnection.test(error.message) || /Code: `(57P0|08)/.test(error.message)
}

/**
 * Turns an error of PostgreSQL or of the network into a sentence about the database. Returns other errors unchanged.
 */
export const serverFaultOf = (error: unknown, place: string): unknown => {
  if (!(error instanceof Error) || error instanceof FileFault) return error
  const code = 'code' in error ? String(error.code) : ''
  const reason = isBrokenConnection(error) ? 'the connection broke. Run it again' : reasons[code]
  return reason === undefined ? error : new FileFault(`${place}: ${reason}.`, { cause: error })
}
