import { type Database, type OpenOptions, openDatabase, type Sharing } from '../../src/database/database.ts'
import type { PostgresServer } from '../../src/database/postgres-server.ts'

/**
 * Opens a database for a store of one test. On PostgreSQL all of them in this process share their connections, as the
 * bots of a process do: to make a connection takes longer than what most tests do with it.
 */
export const openShared = (url: string, options: OpenOptions): Promise<Database> =>
  openDatabase(url.startsWith('file:') ? url : ofShared(url), { ...options, sharing })

/** They are named otherwise than those of bots, which are cut off where a test gives its schema back. */
const ofShared = (text: string): string => {
  const url = new URL(text)
  url.searchParams.set('connection_limit', '5')
  url.searchParams.set('application_name', 'stores of tests')
  return url.href
}

/** For the next store. A server has few connections, so they end when nobody has opened one for so long. */
const keptMs = 1_000

let server: PostgresServer | null = null

const sharing: Sharing = {
  engine: () => {
    throw new Error('A store of SQLite has an engine of its own.')
  },
  server: (create) => {
    if (!server || server.isOver()) server = create()
    const leave = server.enter(() => {})
    setTimeout(() => void leave(), keptMs).unref()
    return server
  },
}
