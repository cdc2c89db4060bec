import { DatabaseSync } from 'node:sqlite'
import type { SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionOn, oneTransactionAtATime, sqliteAdapter } from '../../../src/database/sqlite/adapter.ts'
import { keepStatements } from '../../../src/database/sqlite/statements.ts'
import { unmadeDatabaseUrl } from '../../support/database.ts'
import { runs } from '../../support/runs.ts'

const sql = (text: string): SqlQuery => ({ sql: text, args: [], argTypes: [] })
const insert = (word: string) => sql(`INSERT INTO entry (word) VALUES ('${word}')`)
const turn = () => new Promise(setImmediate)

const newDriver = (url: string): DatabaseSync => {
  const driver = new DatabaseSync(url.slice('file:'.length))
  onTestFinished(() => driver.close())
  return driver
}

/** A connection to a new database, without the queue for transactions. */
const bareConnection = async () => {
  const connection = connectionOn(keepStatements(newDriver(await unmadeDatabaseUrl())))
  await connection.executeScript('CREATE TABLE entry (id INTEGER PRIMARY KEY, word TEXT UNIQUE)')
  return connection
}

const gatedAdapter = async () => oneTransactionAtATime(await bareConnection())

const words = async (adapter: SqlDriverAdapter): Promise<unknown[]> =>
  (await adapter.queryRaw(sql('SELECT word FROM entry ORDER BY id'))).rows.map(([word]) => word)

/** Begins a transaction that is ended as Prisma does it: by the statement and then by a call of the adapter. */
const begin = async (adapter: SqlDriverAdapter) => {
  const transaction = await adapter.startTransaction()
  return {
    write: (word: string) => transaction.executeRaw(insert(word)),
    read: (query: string) => transaction.queryRaw(sql(query)),
    commit: async () => {
      await transaction.executeRaw(sql('COMMIT'))
      await transaction.commit()
    },
    rollback: async () => {
      await transaction.executeRaw(sql('ROLLBACK'))
      await transaction.rollback()
    },
    abandon: () => transaction.rollback(),
  }
}

test('a write outside an open transaction waits until the transaction ends, and survives a rollback', async () => {
  const adapter = await gatedAdapter()
  const transaction = await begin(adapter)
  await transaction.write('inside')
  const outside = adapter.executeRaw(insert('outside'))
  await turn()
  await transaction.rollback()
  await outside
  expect(await words(adapter)).toEqual(['outside'])
})

test('a read outside an open transaction sees none of the transaction’s uncommitted rows', async () => {
  const adapter = await gatedAdapter()
  const transaction = await begin(adapter)
  await transaction.write('inside')
  const seen = words(adapter)
  await turn()
  await transaction.rollback()
  expect(await seen).toEqual([])
})

test('a script outside an open transaction waits until the transaction ends, and survives a rollback', async () => {
  const adapter = await gatedAdapter()
  const transaction = await begin(adapter)
  const script = adapter.executeScript("INSERT INTO entry (word) VALUES ('script')")
  await turn()
  await transaction.rollback()
  await script
  expect(await words(adapter)).toEqual(['script'])
})

test('any mix of concurrent transactions and queries leaves exactly what was committed', async () => {
  const kinds = fc.array(fc.constantFrom('query', 'commit', 'rollback'), { minLength: 10, maxLength: 100 })
  const run = async (adapter: SqlDriverAdapter, kind: string, word: string) => {
    if (kind === 'query') return adapter.executeRaw(insert(word))
    const transaction = await begin(adapter)
    await transaction.write(word)
    await turn()
    // Nobody else can have written since, so the read shows the state at the beginning, with the transaction's own
    // write.
    const { rows } = await transaction.read('SELECT word FROM entry ORDER BY id DESC LIMIT 1')
    expect(rows).toEqual([[word]])
    return kind === 'commit' ? transaction.commit() : transaction.rollback()
  }
  await fc.assert(
    fc.asyncProperty(kinds, async (all) => {
      const adapter = await gatedAdapter()
      await Promise.all(all.map((kind, index) => run(adapter, kind, `${index}`)))
      const kept = all.flatMap((kind, index) => (kind === 'rollback' ? [] : [`${index}`]))
      expect((await words(adapter)).sort()).toEqual(kept.sort())
    }),
    { numRuns: runs(10) },
  )
})

describe('SQLite accepts the next transaction', () => {
  const isOpen = async (adapter: SqlDriverAdapter) => {
    await adapter.executeRaw(insert('query'))
    const transaction = await begin(adapter)
    await transaction.write('transaction')
    await transaction.commit()
    expect(await words(adapter)).toEqual(expect.arrayContaining(['query', 'transaction']))
  }

  test('after a transaction whose BEGIN failed', async () => {
    const adapter = await gatedAdapter()
    await adapter.executeRaw(sql('BEGIN'))
    await expect(adapter.startTransaction()).rejects.toThrow()
    await adapter.executeRaw(sql('ROLLBACK'))
    await isOpen(adapter)
  })

  test('after a transaction whose COMMIT failed, and keeps none of its changes', async () => {
    const adapter = await gatedAdapter()
    await adapter.executeScript(`
      PRAGMA foreign_keys = ON;
      CREATE TABLE child (id INTEGER REFERENCES entry DEFERRABLE INITIALLY DEFERRED);`)
    const transaction = await begin(adapter)
    await transaction.write('lost')
    await transaction.read('INSERT INTO child VALUES (99)')
    await expect(transaction.commit()).rejects.toThrow()
    await transaction.abandon()
    await isOpen(adapter)
    expect(await words(adapter)).not.toContain('lost')
  })

  test('after a transaction with a statement that failed', async () => {
    const adapter = await gatedAdapter()
    const transaction = await begin(adapter)
    await expect(transaction.read('SELECT nonsense')).rejects.toThrow()
    await transaction.rollback()
    await isOpen(adapter)
  })
})

describe('a lock of another program on the SQLite file', () => {
  const lockedAdapter = async () => {
    const url = await unmadeDatabaseUrl()
    const adapter = await sqliteAdapter(url).connect()
    onTestFinished(() => adapter.dispose())
    await adapter.executeScript('CREATE TABLE entry (id INTEGER PRIMARY KEY, word TEXT UNIQUE)')
    const other = newDriver(url)
    other.exec('BEGIN IMMEDIATE')
    return { adapter, unlock: () => other.exec('ROLLBACK') }
  }

  test('delays writes until the lock is released, and delays no reads', async () => {
    const { adapter, unlock } = await lockedAdapter()
    const begun = begin(adapter)
    const written = adapter.executeRaw(insert('query'))
    for (let turns = 0; turns < 100; turns += 1) await turn()
    expect(await words(adapter)).toEqual([])
    unlock()
    const transaction = await begun
    await transaction.write('transaction')
    await transaction.commit()
    await written
    expect((await words(adapter)).sort()).toEqual(['query', 'transaction'])
  })

  test('fails a query and a transaction if the lock lasts too long, and later ones succeed', async () => {
    const { adapter, unlock } = await lockedAdapter()
    const refused = [adapter.executeRaw(insert('query')), adapter.startTransaction()].map((write) =>
      expect(write).rejects.toMatchObject({ cause: { kind: 'SocketTimeout' } }),
    )
    await Promise.all(refused)
    unlock()
    await adapter.executeRaw(insert('query'))
    expect(await words(adapter)).toEqual(['query'])
  })
})

test('SQLite writes a commit to the disk before acknowledging it, and enforces foreign keys', async () => {
  const adapter = await sqliteAdapter(await unmadeDatabaseUrl()).connect()
  onTestFinished(() => adapter.dispose())
  const pragma = async (name: string) => (await adapter.queryRaw(sql(`PRAGMA ${name}`))).rows[0]?.[0]
  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  expect(await pragma('foreign_keys')).toBe(1)
  expect(await pragma('secure_delete')).toBe(1)
})
