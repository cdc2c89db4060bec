/** What `DATABASE_URL` says of a PostgreSQL. */
export interface PostgresAddress {
  /** As the driver takes it, without what is ours. */
  connectionString: string
  /** The schema that holds the tables: several bots may share a database by it. */
  schema: string
  /** The most connections that this process has at once. */
  connections: number
  /** What the connections of bots on that schema are called, so that a command sees whether one runs. */
  applicationName: string
  /** Which database that is, without who opens it and by what password: `127.0.0.1:5432/bundlegram`. */
  place: string
}

/** The address cannot be used. The message never holds it: a password stands in it. */
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
const mostConnections = 100
/** PostgreSQL cuts off what is longer. */
const mostOfName = 63

/**
 * `postgresql://user:password@host:port/database`, with `schema` (default `public`) and `connection_limit` (default 10)
 * as parameters, as Prisma names them; all others are the driver's, such as `sslmode`.
 * @throws {UnreadableAddress}
 */
export const readPostgresUrl = (text: string): PostgresAddress => {
  const url = URL.parse(text)
  if (!url || url.pathname.length < 2) throw new UnreadableAddress('names no database')
  // A password with a bare slash: what stands before it would be taken for the server, and shown.
  if (url.pathname.includes('@')) throw new UnreadableAddress('has an @ behind a slash: write the slash %2F')
  const schema = url.searchParams.get('schema') ?? 'public'
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema)) {
    throw new UnreadableAddress('schema is not a name in small letters, digits and _')
  }
  const connections = Number(url.searchParams.get('connection_limit') ?? usualConnections)
  if (!Number.isInteger(connections) || connections < 2 || connections > mostConnections) {
    throw new UnreadableAddress(`connection_limit is not between 2 and ${mostConnections}`)
  }
  url.searchParams.delete('schema')
  url.searchParams.delete('connection_limit')
  const isUsual = schema === 'public'
  return {
    connectionString: url.href,
    schema,
    connections,
    applicationName: isUsual ? 'bundlegram' : `bundlegram ${schema}`.slice(0, mostOfName),
    place: `${url.host}${url.pathname}${isUsual ? '' : `, schema ${schema}`}`,
  }
}

/** What PostgreSQL's own programs take to find it: without the password, which a command line would show to everyone. */
export const withoutPassword = ({ connectionString }: PostgresAddress): string => {
  const url = new URL(connectionString)
  url.password = ''
  return url.href
}
