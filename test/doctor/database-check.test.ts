import { chmodSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyMarkNames, formatCopyMark } from '../../src/database/copies/copy-mark.ts'
import { openDatabase } from '../../src/database/database.ts'
import { processToken } from '../../src/messaging/leader-lease.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { createKeyring } from '../../src/wallets/credentials/keyring.ts'
import { credentialPlace } from '../../src/wallets/wallets.ts'
import { executeIn } from '../support/database.ts'
import { newSchema } from '../support/postgres/new-schema.ts'
import { about, failures, findingsIn, newKey, newPlace, type Place } from './environment.ts'

const now = new Date('2026-11-21T10:32:00Z')

/** An environment with a database that a stopped bot left. */
const withDatabase = async (
  fill: (store: Store, place: Place) => Promise<void> = async () => {},
): Promise<Place> => {
  const place = await newPlace()
  await make(place.env.DATABASE_URL ?? '', (store) => fill(store, place))
  return place
}

const make = async (url: string, fill: (store: Store) => Promise<void>): Promise<void> => {
  const database = await openDatabase(url)
  try {
    await fill(createStore(database))
  } finally {
    await database.close()
  }
}

const execute = ({ databasePath }: Place, script: string): void => {
  const database = new DatabaseSync(databasePath)
  database.exec(script)
  database.close()
}

const withAccounts =
  (...keys: string[]) =>
  async (store: Store): Promise<void> => {
    for (const [index, key] of keys.entries()) {
      const id = `account-${index}`
      const sealedSecret = createKeyring([Buffer.from(key, 'base64')]).seal(
        's',
        credentialPlace(id, 'secret'),
      )
      await store.accounts.insert({ id, keyHash: id, sealedKey: 'k', sealedSecret, accountType: null, now })
    }
  }

test('the doctor finds no fault in a database that a stopped bot left', async () => {
  const place = await withDatabase((store, { key }) => withAccounts(key, key)(store))
  const findings = await findingsIn(place)
  expect(failures(findings)).toEqual([])
  expect(about(findings, 'database')).toEqual([expect.stringMatching(/^ok .*MB free/), 'ok is intact'])
  expect(about(findings, 'schema')).toEqual(['ok matches this version'])
  expect(about(findings, 'CREDENTIALS_KEY')).toEqual(['ok opens the 2 accounts in this database'])
  expect(about(findings, 'instances')).toEqual(['ok none is connected to Telegram'])
})

test('the doctor changes nothing, not even the schema of an older database', async () => {
  const place = await withDatabase()
  execute(
    place,
    'DELETE FROM _prisma_migrations WHERE migration_name = (SELECT MAX(migration_name) FROM _prisma_migrations)',
  )
  const before = statSync(place.databasePath)
  expect(about(await findingsIn(place), 'schema')).toEqual(['warn 1 migration is not applied yet'])
  const { mtimeMs, size } = statSync(place.databasePath)
  expect({ mtimeMs, size }).toEqual({ mtimeMs: before.mtimeMs, size: before.size })
})

test('the doctor recognizes a database of a newer version by its migrations', async () => {
  const place = await withDatabase()
  execute(
    place,
    `UPDATE _prisma_migrations SET migration_name = '20991231000000_later' WHERE migration_name LIKE '%_init'`,
  )
  expect(failures(await findingsIn(place))).toEqual([
    expect.stringMatching(
      /^schema: a newer Bundlegram wrote this database: 20991231000000_later → Run that version/,
    ),
  ])
})

test('the doctor reports a database that another program has locked', async () => {
  const place = await withDatabase()
  const holder = new DatabaseSync(place.databasePath)
  onTestFinished(() => holder.close())
  holder.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  expect(failures(await findingsIn(place))).toEqual([
    expect.stringMatching(/^database: cannot be read: .*another program holds it/),
  ])
})

test('the doctor reports a damaged database', async () => {
  const place = await withDatabase((store, { key }) => withAccounts(...Array(200).fill(key))(store))
  const { size } = statSync(place.databasePath)
  const file = openSync(place.databasePath, 'r+')
  for (let at = 8_192; at < size; at += 4_096) writeSync(file, Buffer.alloc(2_000, 0xff), 0, 2_000, at)
  expect(failures(await findingsIn(place))).toEqual([
    expect.stringMatching(/^database: .*(is damaged|it is damaged).*/),
  ])
})

test.each([
  [
    'a file that is not a database',
    (path: string) => writeFileSync(path, 'A diary. '.repeat(1_000)),
    /it is not a SQLite database/,
  ],
  ['a folder', (path: string) => mkdirSync(path), /cannot be read/],
  [
    'another program’s database',
    (path: string) => new DatabaseSync(path).exec('CREATE TABLE Diary (day)'),
    /is not a Bundlegram database/,
  ],
])('the doctor reports %s at the database’s path', async (_, makeIt, words) => {
  const place = await newPlace()
  makeIt(place.databasePath)
  expect(failures(await findingsIn(place))).toEqual([expect.stringMatching(words)])
})

test('the doctor reports a database whose folder cannot be created', async () => {
  const place = await newPlace()
  writeFileSync(`${place.databasePath}.file`, '')
  const findings = await findingsIn(place, { DATABASE_URL: `file:${place.databasePath}.file/bundlegram.db` })
  expect(failures(findings)).toEqual([
    expect.stringMatching(/^database: .* does not exist, and .* is not a folder/),
  ])
})

test('the doctor reports a database that every user of the machine can read', async () => {
  const place = await withDatabase()
  chmodSync(place.databasePath, 0o644)
  chmodSync(dirname(place.databasePath), 0o755)
  expect(about(await findingsIn(place), 'database')).toContainEqual(
    expect.stringMatching(/^warn .*can be read by everybody/),
  )
  chmodSync(dirname(place.databasePath), 0o700)
  expect(about(await findingsIn(place), 'database')).toHaveLength(2)
})

describe('the doctor’s check of a database’s history', () => {
  const past = async (name: string, value: string) =>
    about(
      await findingsIn(await withDatabase((store) => store.facts.write(name, value))),
      'history of the database',
    )

  test('reports that the database is a copy', async () => {
    expect(await past(copyMarkNames.backupOf, formatCopyMark(now))).toEqual([
      'warn it is a copy from 2026-11-21T10:32:00.000Z',
    ])
    expect(await past(copyMarkNames.backupOf, 'of last week')).toEqual([
      expect.stringMatching(/^fail it is marked as a copy/),
    ])
  })

  test('reports that the database was moved', async () => {
    expect(await past(copyMarkNames.movedTo, '{}')).toEqual(['fail it was moved to another database'])
  })
})

describe('the doctor’s check of CREDENTIALS_KEY', () => {
  test('reports a key that decrypts no account or not all accounts', async () => {
    const other = newKey()
    const place = await withDatabase((store, { key }) => withAccounts(key, other)(store))
    expect(about(await findingsIn(place), 'CREDENTIALS_KEY')).toEqual(['warn opens 1 of 2 accounts'])
    const findings = await findingsIn(place, { CREDENTIALS_KEY: newKey() })
    expect(failures(findings)).toEqual([
      expect.stringMatching(/^CREDENTIALS_KEY: opens nothing in this database/),
    ])
  })
})

test('the doctor names the process that does the work, unless that process has ended', async () => {
  const until = new Date(Date.now() + 60_000)
  const holder = (token: string) => (store: Store) =>
    store.leases.pass('worker', null, { token, until }).then(() => {})
  const held = await withDatabase(holder('shop-laptop/boot/ns/77/x'))
  expect(about(await findingsIn(held), 'instances')).toEqual([
    expect.stringMatching(/^ok worker: process 77 on shop-laptop holds the lease/),
  ])
  const left = await withDatabase(holder(processToken('x')))
  expect(about(await findingsIn(left), 'instances')).toEqual(['ok none is connected to Telegram'])
})

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('the doctor on PostgreSQL', () => {
  const inSchema = async (fill: (store: Store, place: Place) => Promise<void> = async () => {}) => {
    const place = await newPlace()
    const { url, drop } = newSchema()
    onTestFinished(drop)
    place.env.DATABASE_URL = url
    await make(url, (store) => fill(store, place))
    return { place, url }
  }

  test('finds no fault in a database that a bot left', async () => {
    const { place } = await inSchema(async (store, { key }) => {
      await withAccounts(key)(store)
      const until = new Date(Date.now() + 60_000)
      await store.leases.pass('worker', null, { token: 'shop-laptop/77/x', until })
    })
    const findings = await findingsIn(place)
    expect(failures(findings).filter((each) => !each.includes('fsync'))).toEqual([])
    expect(about(findings, 'database')[0]).toMatch(/^(ok|warn) PostgreSQL \d+\.\d+, answers in/)
    expect(about(findings, 'database')[1]).toMatch(/connections in use/)
    expect(about(findings, 'schema')).toEqual(['ok matches this version'])
    expect(about(findings, 'CREDENTIALS_KEY')).toEqual(['ok opens the account in this database'])
    expect(about(findings, 'instances')).toEqual([expect.stringMatching(/process 77 on shop-laptop/)])
    expect(about(findings, 'clock')).toEqual([expect.stringMatching(/the database agrees/)])
  })

  test('reports a database of a newer version, an empty one, and an address without a database', async () => {
    const { place, url } = await inSchema()
    const schema = new URL(url).searchParams.get('schema')
    await executeIn(
      process.env.TEST_DATABASE_URL ?? '',
      `UPDATE "${schema}"._prisma_migrations SET migration_name = '20991231000000_later'`,
    )
    expect(about(await findingsIn(place), 'schema')).toEqual([
      expect.stringMatching(/^fail a newer Bundlegram/),
    ])

    const empty = newSchema()
    onTestFinished(empty.drop)
    const findings = await findingsIn(place, { DATABASE_URL: empty.url })
    expect(about(findings, 'schema')).toEqual([
      expect.stringMatching(/^warn \d+ migrations? (is|are) not applied yet/),
    ])

    const nowhere = new URL(url)
    nowhere.pathname = '/there-is-none'
    const missing = await findingsIn(place, { DATABASE_URL: nowhere.href })
    expect(about(missing, 'database')).toEqual(['fail cannot be read: there is no such database (3D000)'])
  })
})
