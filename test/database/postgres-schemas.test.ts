import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addedDatabaseUrl, DatabaseMissing, schemasBeside } from '../../src/database/added-databases.ts'
import { createSharing, type Database, openDatabase } from '../../src/database/database.ts'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { ofAccount } from '../../src/database/scope.ts'
import type { Topic } from '../../src/database/signals.ts'
import { executeIn, newDatabaseUrl } from '../support/database.ts'
import { dropSchema } from '../support/new-schema.ts'

/** Bots on one PostgreSQL: each in a schema of its own, all on the connections of their process. */

/** A main database and those of added bots, as one process has them. */
const openBots = async (url: string, count: number): Promise<Database[]> => {
  const sharing = createSharing()
  const opened = [await openDatabase(url, { sharing })]
  for (let id = 1; id < count; id += 1) {
    const added = addedDatabaseUrl(url, id) ?? ''
    onTestFinished(() => dropSchema(added))
    opened.push(await openDatabase(added, { sharing, added: { mustExist: false } }))
  }
  onTestFinished(async () => void (await Promise.all(opened.map(({ close }) => close()))))
  return opened
}

const write = ({ client }: Pick<Database, 'client'>, name: string, value: string) =>
  client.fact.create({ data: { name, value } })

const limitMs = 10_000

test('whatever way a bot reads and writes, it meets its own rows alone', async () => {
  const opened = await openBots(await newDatabaseUrl(), 5)
  await Promise.all(opened.map((database, index) => write(database, 'who', String(index))))
  // A statement is planned for all cases when it has run five times: more rounds than that.
  for (let round = 0; round < 8; round += 1) {
    const found = await Promise.all(
      opened.map(async ({ client, select, insert, transaction, shared }, index) => {
        const rows = [[`inserted ${round}`, String(index)]]
        const [[selected] = [], raw, looked, own] = await Promise.all([
          select('SELECT "value" FROM "Fact" WHERE "name" = ?', ['who']),
          client.$queryRaw<{ value: string }[]>`SELECT "value" FROM "Fact" WHERE "name" = ${'who'}`,
          client.fact.findUnique({ where: { name: 'who' } }),
          transaction(
            async (tx) => {
              await tx.fact.create({ data: { name: `committed ${round}`, value: String(index) } })
              return (await tx.fact.findMany({ where: { name: { startsWith: 'who' } } }))[0]?.value
            },
            limitMs,
            round % 2 ? 'everything' : ofAccount('account'),
          ),
          insert({ table: 'Fact', columns: ['name', 'value'], unique: ['name'], rows }),
          shared?.locks.take(`lock ${round}`, String(index), 60_000),
        ])
        const undone = transaction(async (tx) => {
          await tx.fact.deleteMany()
          throw new RangeError('taken back')
        }, limitMs)
        await expect(undone).rejects.toThrow('taken back')
        return [selected?.[0] ?? selected, raw[0]?.value, looked?.value, own]
      }),
    )
    expect(found.map((each) => each.map(String))).toEqual(opened.map((_, index) => Array(4).fill(`${index}`)))
  }
  for (const [index, { client }] of opened.entries()) {
    const facts = await client.fact.findMany()
    expect(facts).toHaveLength(1 + 2 * 8)
    expect(facts.every(({ value }) => value === String(index))).toBe(true)
    const locks = await client.lease.findMany()
    expect(locks.map(({ token }) => token)).toEqual(Array(8).fill(String(index)))
  }
})

test('all bots of a process keep to the connections of its address, and listen on one', async () => {
  const url = await newDatabaseUrl()
  const opened = await openBots(url, 8)
  await Promise.all(opened.flatMap((each) => Array.from({ length: 5 }, (_, n) => write(each, `${n}`, ''))))
  const client = new pg.Client({ connectionString: readPostgresUrl(url).connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE query LIKE '%LISTEN%')::int AS listening
     FROM pg_stat_activity WHERE application_name = $1 OR application_name LIKE $1 || '\\_bot%'`,
    [readPostgresUrl(url).applicationName],
  )
  expect(rows[0].all).toBeLessThanOrEqual(readPostgresUrl(url).connections + 1)
  expect(rows[0].listening).toBe(1)
})

test('more new bots at once than their process has connections all get their tables', async () => {
  const url = await newDatabaseUrl()
  const [main] = await openBots(url, 1)
  const sharing = createSharing()
  const added = Array.from({ length: 2 * readPostgresUrl(url).connections }, (_, index) => {
    const own = addedDatabaseUrl(url, index + 1) ?? ''
    onTestFinished(() => dropSchema(own))
    return own
  })
  const opened = await Promise.all(
    added.map((own) => openDatabase(own, { sharing, added: { mustExist: false } })),
  )
  onTestFinished(async () => void (await Promise.all(opened.map(({ close }) => close()))))
  const applied = ({ client }: Pick<Database, 'client'>) =>
    client.$queryRaw`SELECT "migration_name", "checksum", "applied_steps_count", "rolled_back_at"
      FROM _prisma_migrations ORDER BY "migration_name"`
  const [first] = opened
  for (const each of opened) {
    expect(each.migrated).toEqual(first?.migrated)
    expect(await applied(each)).toEqual(main && (await applied(main)))
  }
})

test('a signal goes to the same bot in other processes alone', async () => {
  const url = await newDatabaseUrl()
  const [here, there] = [await openBots(url, 3), await openBots(url, 3)]
  const heard: string[] = []
  for (const [index, { signals }] of there.entries())
    signals.onSignal((topic: Topic, to) => heard.push(`${index} ${topic} ${to}`))
  await vi.waitFor(() => {
    for (const [index, { signals }] of here.entries()) signals.send('placing', `of-${index}`)
    for (const index of here.keys()) expect(heard).toContain(`${index} placing of-${index}`)
  })
  expect(heard.filter((each) => /(\d) placing of-(?!\1)/.test(each))).toEqual([])
})

test('the connections end with the last bot, whichever that is', async () => {
  const [main, added] = await openBots(await newDatabaseUrl(), 2)
  await main?.close()
  await write(added as Database, 'still', 'here')
  expect(await added?.client.fact.count()).toBe(1)
})

test('a bot that ran before is not started on an empty schema', async () => {
  const url = await newDatabaseUrl()
  const added = addedDatabaseUrl(url, 7) ?? ''
  await executeIn(added, 'SELECT 1')
  onTestFinished(() => dropSchema(added))
  await expect(openDatabase(added, { added: { mustExist: true } })).rejects.toThrow(DatabaseMissing)
})

test('the schema of a bot has its whole id, however long the main one’s name is', () => {
  const names = ['a'.repeat(63), `${'a'.repeat(62)}b`, 'public']
  const begun = names.map(schemasBeside)
  expect(new Set(begun).size).toBe(3)
  for (const each of begun) expect(`bundlegram_${each}${'9'.repeat(15)}`.length).toBeLessThanOrEqual(63)
  expect(begun[2]).toBe('public_bot')
})
