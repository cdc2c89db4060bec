import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { createWorld, type World } from '../../support/world.ts'

/** What `/readyz` says while another program or instance holds a lock. */

let world: World
beforeAll(async () => {
  world = await createWorld()
  // When somebody has connected, the bot has finished everything that it does only at its start.
  await world.newReseller()
})
afterAll(() => world.close())

const statusOf = async (): Promise<number> => (await fetch(`${world.botUrl}/readyz`)).status

/** Does the work while a transaction holds that lock. */
const whileLocked = async (lock: string, work: () => Promise<unknown>): Promise<void> => {
  const { connectionString, schema } = readPostgresUrl(world.databaseUrl)
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    await client.query(`BEGIN; ${lock}`)
    await work()
  } finally {
    await client.end()
  }
}

test('a long transaction of one account does not make the bot unready', async () => {
  await whileLocked('SELECT "id" FROM "Account" FOR UPDATE', async () => {
    const startedMs = performance.now()
    // Longer than the bot reuses the result of its last test write.
    while (performance.now() - startedMs < 2_500) expect(await statusOf()).toBe(200)
  })
})

test.each(['Order', 'Purchase', 'Fact'])(
  'a lock on the table %s makes the bot unready until the lock ends',
  async (table) => {
    await whileLocked(`LOCK TABLE "${table}" IN SHARE ROW EXCLUSIVE MODE`, () =>
      world.until(async () => (await statusOf()) === 503, '/readyz to be 503'),
    )
    await world.until(async () => (await statusOf()) === 200, '/readyz to be 200')
  },
)
