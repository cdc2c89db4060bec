import pg from 'pg'

/**
 * Global setup on PostgreSQL: removes the tests' schemas at the end of the run. A schema's name contains the process id
 * of its run, so that the next run can remove what an aborted run has left.
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
  // Each schema in its own commit, because the server has no room for the locks of many at once.
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
