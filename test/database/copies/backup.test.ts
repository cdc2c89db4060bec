// @module-tag process
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUp } from '../../../src/database/copies/backup.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { createStore } from '../../../src/store/store.ts'
import { runCommand as run } from '../../support/bot/command.ts'
import { newFolder } from '../../support/folder.ts'

const startMs = Date.UTC(2026, 10, 21, 10, 32)
const now = () => new Date(startMs)

/** A migrated database in a new folder, opened by a bot. */
const newBotsDatabase = async () => {
  const folder = await newFolder()
  const source = join(folder, 'bundlegram.db')
  const database = await openDatabase(`file:${source}`)
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  return { folder, source, store: createStore(database), close: database.close }
}

const read = (path: string, query: string): unknown[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.values(row)[0])
  } finally {
    database.close()
  }
}

const stampOf = (path: string): unknown => {
  const [value] = read(path, `SELECT value FROM Fact WHERE name = 'backup_of'`)
  return value === undefined ? undefined : JSON.parse(String(value)).at
}

describe('a backup', () => {
  test('is one file, readable only by its owner, with everything that the bot committed and the time of the copy', async () => {
    const { folder, source, store } = await newBotsDatabase()
    await store.facts.write('word', 'committed')
    const target = join(folder, 'copy.db')
    expect(await backUp({ source, target, force: false, now })).toEqual({
      at: now(),
      bytes: statSync(target).size,
    })
    expect(read(target, `SELECT value FROM Fact WHERE name = 'word'`)).toEqual(['committed'])
    expect(stampOf(target)).toBe('2026-11-21T10:32:00.000Z')
    expect(stampOf(source)).toBeUndefined()
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.includes('copy'))).toEqual(['copy.db'])
  })

  test('shows a single moment, even if another process writes before each step of the copy', async () => {
    const { folder, source } = await newBotsDatabase()
    const writer = new DatabaseSync(source, { timeout: 5_000 })
    onTestFinished(() => writer.close())
    writer.exec('CREATE TABLE a (v TEXT); CREATE TABLE b (v TEXT); BEGIN')
    const insert = (table: string) => writer.prepare(`INSERT INTO ${table} VALUES (?)`)
    const [a, b] = [insert('a'), insert('b')]
    const write = () => {
      a.run('x'.repeat(500))
      b.run('x'.repeat(500))
    }
    for (let pairs = 0; pairs < 30_000; pairs += 1) write()
    writer.exec('COMMIT')
    let steps = 0
    const onProgress = () => {
      steps += 1
      if (steps > 200) throw new Error('It begins again and again.')
      writer.exec('BEGIN')
      write()
      writer.exec('COMMIT')
    }
    const target = join(folder, 'copy.db')
    await backUp({ source, target, force: false, now, onProgress })
    expect(steps).toBeGreaterThan(0)
    expect(read(target, 'SELECT count(*) FROM a UNION ALL SELECT count(*) FROM b')).toEqual([30_000, 30_000])
    expect(read(source, 'SELECT count(*) FROM a')).toEqual([30_000 + steps])
  })

  test('made from a copy on which no bot has started keeps the time of that copy', async () => {
    const { folder, source } = await newBotsDatabase()
    const [first, second] = [join(folder, 'first.db'), join(folder, 'second.db')]
    await backUp({ source, target: first, force: false, now })
    await backUp({ source: first, target: second, force: false, now: () => new Date(startMs + 1_000) })
    expect(stampOf(second)).toBe('2026-11-21T10:32:00.000Z')
  })

  test('opens as the database of a bot', async () => {
    const { folder, source, store } = await newBotsDatabase()
    await store.facts.write('word', 'committed')
    const target = join(folder, 'copy.db')
    await backUp({ source, target, force: false, now })
    const database = await openDatabase(`file:${target}`)
    onTestFinished(database.close)
    expect(database.migrated).toEqual([])
    expect(await createStore(database).facts.read('word')).toBe('committed')
  })

  test('that fails half-way leaves no file behind', async () => {
    const { folder, source } = await newBotsDatabase()
    const writer = new DatabaseSync(source)
    onTestFinished(() => writer.close())
    writer.exec('CREATE TABLE big (v TEXT)')
    for (let rows = 0; rows < 30; rows += 1)
      writer.prepare('INSERT INTO big VALUES (?)').run('x'.repeat(1_000_000))
    const before = readdirSync(folder)
    const onProgress = () => {
      throw new Error('in the middle')
    }
    const failing = backUp({ source, target: join(folder, 'copy.db'), force: false, now, onProgress })
    await expect(failing).rejects.toThrow('in the middle')
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe('npm run backup', () => {
  test('copies the database named in DATABASE_URL_FILE, and overwrites a file only with --force', async () => {
    const { folder, source, store } = await newBotsDatabase()
    const [target, secret] = [join(folder, 'copy.db'), join(folder, 'secret')]
    writeFileSync(secret, `file:${source}\n`)
    const env = { DATABASE_URL_FILE: secret }
    const first = await run('backup', [target], env)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(/copy\.db: \d+\.\d MB, the database as of 20\d\d-/)
    const bytes = readFileSync(target)

    await store.facts.write('word', 'later')
    const second = await run('backup', [target], env)
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toMatch(/copy\.db: already exists and was left unchanged\..*--force/)
    expect(readFileSync(target).equals(bytes)).toBe(true)

    expect(await run('backup', [target, '--force'], env)).toMatchObject({ code: 0 })
    expect(read(target, `SELECT value FROM Fact WHERE name = 'word'`)).toEqual(['later'])
  })

  test('deletes its temporary file when it is stopped', async () => {
    const { folder, source } = await newBotsDatabase()
    const writer = new DatabaseSync(source, { timeout: 5_000 })
    onTestFinished(() => writer.close())
    writer.exec('CREATE TABLE big (v BLOB)')
    for (let rows = 0; rows < 60; rows += 1) writer.exec('INSERT INTO big VALUES (zeroblob(4000000))')
    const script = fileURLToPath(new URL('../../../src/commands/backup.ts', import.meta.url))
    const target = join(folder, 'copy.db')
    const child = spawn(process.execPath, [script, target, '--database', source], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    await expect
      .poll(() => readdirSync(folder).join(' '), { timeout: 15_000, interval: 5 })
      .toContain('.partial')
    child.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(readdirSync(folder).join(' ')).not.toContain('partial')
    expect(existsSync(target)).toBe(false)
  })

  const mistakes: [string, (place: { folder: string; source: string }) => string[], RegExp][] = [
    ['no file is given', () => [], /Name one file for the copy/],
    ['an option is unknown', () => ['a.db', '--fast'], /Unknown option '--fast'/],
    [
      'the folder is missing',
      ({ folder, source }) => [join(folder, 'none/copy.db'), '--database', `file:${source}`],
      /none: there is no such folder\. Make it first, for example: mkdir -p/,
    ],
    [
      'the database does not exist',
      ({ folder }) => [join(folder, 'copy.db'), '--database', 'file:/nowhere/b.db'],
      /\/nowhere\/b\.db: there is no such database\. Name it, for example --database file:/,
    ],
    [
      'the target is the database itself',
      ({ source }) => [source, '--database', source, '--force'],
      /bundlegram\.db: is the database itself/,
    ],
    [
      'the target is a folder',
      ({ folder, source }) => [folder, '--database', source, '--force'],
      /is a folder\. Name a file in it, for example .*bundlegram\.db/,
    ],
    [
      'the source is no database',
      ({ folder }) => [join(folder, 'copy.db'), '--database', join(folder, 'text')],
      /text: it is not a SQLite database/,
    ],
    [
      'the source belongs to another program',
      ({ folder }) => [join(folder, 'copy.db'), '--database', join(folder, 'other.db')],
      /other\.db: is not a Bundlegram database/,
    ],
    [
      'the database is PostgreSQL',
      ({ folder }) => [join(folder, 'copy.db'), '--database', 'postgresql://u:hunter2@h/b'],
      /PostgreSQL has its own backup tool[\s\S]*pg_dump --format=custom --file=\S*copy\.db postgresql:\/\/u@h\/b\n/,
    ],
  ]

  test.each(mistakes)(
    'explains that %s, exits with code 1 and writes nothing',
    async (_what, args, words) => {
      const { folder, source } = await newBotsDatabase()
      writeFileSync(join(folder, 'text'), 'no database at all'.repeat(100))
      new DatabaseSync(join(folder, 'other.db')).exec('CREATE TABLE t (v)')
      const before = readdirSync(folder)
      const { code, out, err } = await run('backup', args({ folder, source }))
      expect(err).toMatch(words)
      expect(err).not.toMatch(/ {4}at |hunter2/)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(readdirSync(folder)).toEqual(before)
    },
  )

  test('names the pg_dump command without the password if the database is PostgreSQL', async () => {
    const url = 'postgresql://u:hunter2@h:5433/b?schema=shop&sslmode=require&connection_limit=5'
    const { err, code } = await run('backup', ['my copy'], { DATABASE_URL: url })
    expect(err).toContain(
      "pg_dump --format=custom --file='my copy' --schema=shop 'postgresql://u@h:5433/b?sslmode=require'",
    )
    expect(err).toMatch(/^DATABASE_URL: PostgreSQL has its own backup tool[\s\S]*npm run restored\n$/)
    expect(err).not.toContain('hunter2')
    expect(code).toBe(1)
  })

  test('explains itself with --help', async () => {
    const { code, out } = await run('backup', ['--help'])
    expect(out).toMatch(/npm run backup -- FILE[\s\S]*--force[\s\S]*To restore, stop the bot/)
    expect(code).toBe(0)
  })
})

describe('npm run restored', () => {
  /** A copy of a stopped bot's database, made by hand. */
  const newPlainCopy = async () => {
    const { folder, source, store, close } = await newBotsDatabase()
    await store.requests.countIfRoom('a', new Date('2026-01-02T03:04:05.678Z'), [])
    await store.requests.countIfRoom('a', new Date('2026-01-02T03:04:06.789Z'), [])
    await close()
    const copy = join(folder, 'copy.db')
    copyFileSync(source, copy)
    return copy
  }

  test('dates the copy by the newest time in its rows', async () => {
    const copy = await newPlainCopy()
    expect(await run('restored', ['--database', copy])).toMatchObject({ code: 0, err: '' })
    expect(stampOf(copy)).toBe('2026-01-02T03:04:06.789Z')
  })

  test('dates the copy by the time that the operator names, or the earliest if there are several', async () => {
    const copy = await newPlainCopy()
    const { out } = await run('restored', ['--database', copy, '--at', '2026-01-02 05:00+01:00'])
    expect(out).toContain('marked as a copy of 2026-01-02T04:00:00.000Z')
    await run('restored', ['--at', '2026-01-02T03:00', '--database', `file:${copy}`])
    await run('restored', ['--at', '2026-01-02T09:00Z'], { DATABASE_URL: `file:${copy}` })
    expect(stampOf(copy)).toBe('2026-01-02T03:00:00.000Z')
  })

  test('refuses to run while a bot has the database open', async () => {
    const { source, store } = await newBotsDatabase()
    await store.requests.countIfRoom('a', new Date(), [])
    const { code, err } = await run('restored', ['--database', source])
    expect(err).toMatch(/bundlegram\.db: a program is using it\. Stop the bot first/)
    expect(code).toBe(1)
    expect(stampOf(source)).toBeUndefined()
  })

  test.each([
    ['a word', 'yesterday', /“yesterday” is not a time\. Example: --at 2026-/],
    ['a time in the future', '2999-01-01T00:00Z', /2999-01-01T00:00:00\.000Z is in the future/],
  ])('refuses %s as the time of the copy', async (_what, at, words) => {
    const copy = await newPlainCopy()
    const { code, err } = await run('restored', ['--database', copy, '--at', at])
    expect(err).toMatch(words)
    expect(code).toBe(1)
    expect(stampOf(copy)).toBeUndefined()
  })

  test('asks for the time of the copy if the database has no rows', async () => {
    const { source, close } = await newBotsDatabase()
    await close()
    const { code, err } = await run('restored', ['--database', source])
    expect(err).toMatch(/has no rows that show when it was copied\. Give the time, for example --at 2/)
    expect(code).toBe(1)
  })

  test('explains itself with --help', async () => {
    const { code, out } = await run('restored', ['--help'])
    expect(out).toMatch(/npm run restored[\s\S]*--at TIME/)
    expect(code).toBe(0)
  })
})
