/** The parts of a PostgreSQL `DATABASE_URL`. */
export interface PostgresAddress {
  /** The driver's address, without our own parameters. */
  connectionString: string
  /** The schema of the tables: several bots may share a database by it. */
  schema: string
  /** The most connections of this process at once. */
  connections: number
  /** Whether a pooler in transaction mode is in between, such as PgBouncer: sessions have no settings of their own then. */
  pooled: boolean
  /** The name of bots' connections on that schema, by which a command sees a running bot. */
  applicationName: string
  /** The database without user and password: `127.0.0.1:5432/bundlegram`. */
  place: string
}

/** The address cannot be used. The message never repeats it, because it holds a password. */
export class UnreadableAddress extends Error {
  override name = 'UnreadableAddress'
  readonly code = 'unreadable_address'

  constructor(problem: string) {
    super(
      `DATABASE_URL: ${problem}, for example DATABASE_URL=postgresql://bundlegram:password@127.0.0.1:5432/bundlegram`,
    )
  }
}

const usualConnections = 10
const maxLimit = 100
/** PostgreSQL cuts off longer names. */
const maxOfName = 63

/**
 * Reads `postgresql://user:password@host:port/database`, with the parameters `schema` (default `public`),
 * `connection_limit` (default 10) and `pgbouncer` (default `false`), as Prisma names them; all others, such as `sslmode`,
 * are the driver's.
 * @throws {UnreadableAddress}
 */
export const readPostgresUrl = (text: string): PostgresAddress => {
  const url = URL.parse(text)
  if (!url || url.pathname.length < 2) throw new UnreadableAddress('names no database')
  // A bare slash in the password: the part before it would be taken for the server, and shown.
  if (url.pathname.includes('@')) throw new UnreadableAddress('has an @ behind a slash: write the slash %2F')
  const schema = url.searchParams.get('schema') ?? 'public'
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema)) {
    throw new UnreadableAddress('schema is not a name in small letters, digits and _')
  }
  const connections = Number(url.searchParams.get('connection_limit') ?? usualConnections)
  if (!Number.isInteger(connections) || connections < 2 || connections > maxLimit) {
    throw new UnreadableAddress(`connection_limit is not between 2 and ${maxLimit}`)
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

/** The address for PostgreSQL's own programs, without the password, which a command line would show to everyone. */
export const withoutPassword = ({ connectionString }: PostgresAddress): string => {
  const url = new URL(connectionString)
  url.password = ''
  return url.href
}
