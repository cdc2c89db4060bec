import pg from 'pg'

/**
 * Around the tests on PostgreSQL: what they made there goes with them. A schema's name says which run it belongs to, so
 * that one that was broken off is cleared by the next.
 */
export const schemaPrefix = (runner: number): string => `test_${runner}_`

export const setup = (): Promise<void> => clear((runner) => !isAlive(runner))

export const teardown = (): Promise<void> => clear((runner) => runner === process.pid)

const clear = async (isOver: (runner: number) => boolean): Promise<void> => {
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
  await client.connect().catch((cause: unknown) => {
    throw new Error('TEST_DATABASE_URL: no PostgreSQL lets the tests in there.', { cause })
  })
  await client.query('SET client_min_messages = error')
  const { rows } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^test_\\d+_'`,
  )
  // Each in a commit of its own: the locks of many at once are more than the server has room for.
  for (const { name } of rows) {
    if (isOver(Number(name.split('_')[1]))) await client.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`)
  }
  await client.end()
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
