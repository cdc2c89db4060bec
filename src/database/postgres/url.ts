export interface PostgresAddress {
  /** The address for the driver, without our own parameters. */
  connectionString: string
  /** The schema of the tables. Bots with different schemas can share a database. */
  schema: string
  /** The most connections that this process opens. */
  connections: number
  /**
   * Whether the bot reaches PostgreSQL through a pooler in transaction mode, such as PgBouncer. Session settings
   * cannot be used there.
   */
  pooled: boolean
  /** The name of the connections of all bots on that schema. Commands use it to detect a running bot. */
  applicationName: string
  /** The database without user and password: `127.0.0.1:5432/bundlegram`. */
  place: string
}

/** The message never contains the address, because that includes a password. */
export class UnreadableAddress extends Error {
  override name = 'UnreadableAddress'
  readonly code = 'unreadable_address'

  constructor(problem: string) {
    super(
      `DATABASE_URL: ${problem}, for example DATABASE_URL=postgresql://bundlegram:password@127.0.0.1:5432/bundlegram`,
    )
  }
}

const defaultPoolSize = 10
const maxPoolSize = 100
/** In characters. PostgreSQL cuts longer names of connections. */
const maxOfName = 63

/**
 * Reads `postgresql://user:password@host:port/database`. It handles the parameters `schema` (default `public`),
 * `connection_limit` (default 10) and `pgbouncer` (default `false`), named as in Prisma. All others, such as
 * `sslmode`, are passed to the driver.
 * @throws {UnreadableAddress}
 */
export const readPostgresUrl = (text: string): PostgresAddress => {
  const url = URL.parse(text)
  if (!url || url.pathname.length < 2) throw new UnreadableAddress('names no database')
  // The password contains an unescaped slash, so its first part would be taken for the server and shown in messages.
  if (url.pathname.includes('@'))
    throw new UnreadableAddress('has an @ after a slash: write a slash in the password as %2F')
  const schema = url.searchParams.get('schema') ?? 'public'
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema)) {
    throw new UnreadableAddress('schema may have only lower-case letters, digits and _, and no digit first')
  }
  const connections = Number(url.searchParams.get('connection_limit') ?? defaultPoolSize)
  if (!Number.isInteger(connections) || connections < 2 || connections > maxPoolSize) {
    throw new UnreadableAddress(`connection_limit is not between 2 and ${maxPoolSize}`)
  }
  const pooled = url.searchParams.get('pgbouncer') ?? 'false'
  if (pooled !== 'true' && pooled !== 'false') throw new UnreadableAddress('pgbouncer is not true or false')
  for (const own of ['schema', 'connection_limit', 'pgbouncer']) url.searchParams.delete(own)
  const isUsual = schema === 'public'
  return {
    connectionString: url.href,
    schema,
    connections,
    pooled: pooled === 'true',
    applicationName: isUsual ? 'bundlegram' : `bundlegram ${schema}`.slice(0, maxOfName),
    place: `${url.host}${url.pathname}${isUsual ? '' : `, schema ${schema}`}`,
  }
}

/** The address for PostgreSQL's own programs. It has no password, because other users can see a command line. */
export const withoutPassword = ({ connectionString }: PostgresAddress): string => {
  const url = new URL(connectionString)
  url.password = ''
  return url.href
}
