import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { newFolder } from '../folder.ts'
import { newPort } from '../network/port.ts'
import { howToGetPgbouncer, installedPgbouncer } from './installed-pgbouncer.ts'

/** A PgBouncer in transaction mode, which has fewer connections to the server than clients. */
export interface Pooler {
  /** The address of the database through the pooler. */
  url: string
  close(): Promise<void>
}

/** Starts a pooler for the schema of an address. The pooler sets the search path, as the role's settings would. */
export const startPooler = async (databaseUrl: string): Promise<Pooler> => {
  if (installedPgbouncer === null) throw new Error(howToGetPgbouncer)
  const folder = await newFolder()
  const port = await newPort()
  const file = join(folder, 'pgbouncer.ini')
  await chmod(folder, 0o755)
  await writeFile(file, settings(databaseUrl, port))
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn(installedPgbouncer, ['-q', ...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  pooler.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = once(pooler, 'exit')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  url.searchParams.delete('options')
  url.searchParams.set('pgbouncer', 'true')
  while (!(await answers(readPostgresUrl(url.href).connectionString))) {
    if (pooler.exitCode !== null) throw new Error(`PgBouncer does not start: ${said}`)
    await wait(20)
  }
  return {
    url: url.href,
    close: async () => {
      pooler.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const settings = (databaseUrl: string, port: number): string => {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl)
  const { schema } = readPostgresUrl(databaseUrl)
  return `
[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort || 5432} user=${username || 'postgres'} ${password && `password=${decodeURIComponent(password)}`} connect_query='SET search_path = ${schema}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 300
`
}

const answers = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
