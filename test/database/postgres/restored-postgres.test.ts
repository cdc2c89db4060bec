import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { takeOverCopy } from '../../../src/orders/reconciling/restoring.ts'
import { createStore, type Store } from '../../../src/store/store.ts'
import { type Ended, runCommand } from '../../support/bot/command.ts'
import { executeIn } from '../../support/database.ts'
import { newSchema } from '../../support/postgres/new-schema.ts'

const newest = new Date('2026-01-02T03:04:06.789Z')

const inStore = async <T>(url: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const database = await openDatabase(url)
  try {
    return await work(createStore(database))
  } finally {
    await database.close()
  }
}

/** A database in the state that restoring a dump leaves. */
const newRestored = async (): Promise<string> => {
  const { url, drop } = newSchema()
  onTestFinished(drop)
  await inStore(url, async ({ requests }) => {
    await requests.countIfRoom('a', new Date('2026-01-02T03:04:05.678Z'), [])
    await requests.countIfRoom('a', newest, [])
  })
  return url
}

const run = (url: string, ...args: string[]): Promise<Ended> =>
  runCommand('restored', args, { DATABASE_URL: url })

const stampOf = (url: string): Promise<Date | null> => inStore(url, ({ copies }) => copies.stamp())

describe('npm run restored on PostgreSQL', () => {
  test('marks the database with the newest time in its rows, and the next start treats it as a copy', async () => {
    const url = await newRestored()
    const { code, out, err } = await run(url)
    expect(err).toBe('')
    expect(out).toMatch(
      /schema test_\w+: marked as a copy of 2026-01-02T03:04:06\.789Z\. The bot will send none of the orders/,
    )
    expect(code).toBe(0)
    expect(await inStore(url, (store) => takeOverCopy(store, new Date()))).toMatchObject({ from: newest })
  })

  test('marks the database with the time that the operator names, and keeps the earlier of two', async () => {
    const url = await newRestored()
    await run(url, '--at', '2026-01-02 05:00+01:00')
    expect(await stampOf(url)).toEqual(new Date('2026-01-02T04:00:00Z'))
    await run(url, '--at', '2026-01-02T03:00Z')
    await run(url, '--at', '2026-01-02T09:00Z')
    expect(await stampOf(url)).toEqual(new Date('2026-01-02T03:00:00Z'))
  })

  test('refuses to run while a bot is connected', async () => {
    const url = await newRestored()
    const { code, err } = await inStore(url, () => run(url))
    expect(err).toMatch(/a bot is connected to it\. Stop every bot on it first; nothing was changed\.\n$/)
    expect(code).toBe(1)
    expect(await stampOf(url)).toBeNull()
  })

  test('runs while a bot is connected to another schema', async () => {
    const [url, other] = [await newRestored(), await newRestored()]
    expect(await inStore(other, () => run(url))).toMatchObject({ code: 0 })
  })

  test('refuses to run while a lease is held, whatever the holder’s connection is called', async () => {
    const url = await newRestored()
    const until = new Date(Date.now() + 60_000)
    await inStore(url, ({ leases }) => leases.pass('worker', null, { token: 't', until }))
    const { code, err } = await run(url)
    expect(err).toMatch(/it holds “worker” until 20\d\d-.*Z\)\. Stop the bot/)
    expect(code).toBe(1)
    expect(await stampOf(url)).toBeNull()
  })

  test('asks for the time of the copy if the database has no rows', async () => {
    const { url, drop } = newSchema()
    onTestFinished(drop)
    await inStore(url, async () => {})
    const { code, err } = await run(url)
    expect(err).toMatch(/has no rows that show when it was copied\. Give the time, for example --at 2/)
    expect(code).toBe(1)
  })

  test('explains that a database does not belong to Bundlegram', async () => {
    const { url, drop } = newSchema()
    onTestFinished(drop)
    await executeIn(url, 'CREATE TABLE t (v TEXT)')
    const { code, err } = await run(url)
    expect(err).toMatch(/is not a Bundlegram database\. Restore the dump into it first\.\n$/)
    expect(code).toBe(1)
  })

  test('explains that a database does not exist, without showing the password', async () => {
    const url = new URL(await newRestored())
    Object.assign(url, { password: 'hunter2', pathname: '/nowhere_at_all' })
    const { code, err } = await run(url.href)
    expect(err).toMatch(
      /\/nowhere_at_all, schema \w+: the server has no such database: make it, for example: createdb/,
    )
    expect(err).not.toContain('hunter2')
    expect(code).toBe(1)
  })
})
