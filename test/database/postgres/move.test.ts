import { existsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CrashPoint } from '../../../src/base/crash-point.ts'
import { MovedDatabase } from '../../../src/database/copies/copy-mark.ts'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { takeOverCopy } from '../../../src/orders/reconciling/restoring.ts'
import { createStore } from '../../../src/store/store.ts'
import { runCommand } from '../../support/bot/command.ts'
import { executeIn } from '../../support/database.ts'
import { newFolder } from '../../support/folder.ts'
import { newSchema } from '../../support/postgres/new-schema.ts'
import { fillAtRandom } from '../random-rows.ts'

/** Numbers that look random, but are the same in each run. */
const randomFrom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const inDatabase = async <T>(url: string, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

interface Place {
  source: string
  target: string
  folder: string
  path: string
  /** Makes the command kill itself at the point that this file names, once. */
  crashFile: string
}

/** How many rows the largest table has: more than are copied in one batch. */
const requests = 5_000

/** A database in which every table has rows, and the address of an empty PostgreSQL. */
const newPlace = async (rowsEach = 40): Promise<Place> => {
  const folder = await newFolder()
  const path = join(folder, 'bundlegram.db')
  const { url: target, drop } = newSchema()
  onTestFinished(async () => {
    await drop()
    await rm(folder, { recursive: true })
  })
  await inDatabase(`file:${path}`, async () => {})
  fillAtRandom(path, rowsEach, randomFrom(7))
  if (rowsEach > 0) {
    executeInFile(
      path,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${requests})
       INSERT INTO Request (accountId, at) SELECT 'account', '2026-11-21T10:32:00.120+00:00' FROM n;
       DELETE FROM Request WHERE id > (SELECT MAX(id) - 5 FROM Request)`,
    )
  }
  return { folder, path, source: `file:${path}`, target, crashFile: join(folder, 'crash.json') }
}

const executeInFile = (path: string, script: string): void => {
  const database = new DatabaseSync(path)
  database.exec(script)
  database.close()
}

const run = ({ source, target, crashFile }: Place, args: string[] = [], crash?: CrashPoint) => {
  if (crash) writeFileSync(crashFile, JSON.stringify({ at: crash, time: 1 }))
  return runCommand('db-move', ['--from', source, ...args], { DATABASE_URL: target }, crash && crashFile)
}

/** Everything that the bot reads there, by table, in any order. */
const everything = (url: string): Promise<Record<string, string[]>> =>
  inDatabase(url, async ({ client }) => {
    const tables: Record<string, string[]> = {}
    for (const [name, model] of Object.entries(client)) {
      if (name.startsWith('$') || name.startsWith('_') || typeof model?.findMany !== 'function') continue
      const rows: unknown[] = await model.findMany()
      tables[name] = rows.map(written).filter(isCopied).sort()
    }
    return tables
  })

const written = (row: unknown): string =>
  JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)).replaceAll(
    '\\u0000',
    '\uFFFD',
  )

const isCopied = (row: string): boolean => !/"name":"(backup_of|moved_to|moved_from)"/.test(row)

const isMoved = (url: string): Promise<boolean> =>
  inDatabase(url, (database) => createStore(database).copies.isMoved())

/** The part of a start that decides whether a bot may work there. */
const start = (url: string) =>
  inDatabase(url, (database) => takeOverCopy(createStore(database), new Date('2026-11-21T12:00:00Z')))

describe('npm run db:move', () => {
  test('copies all rows as the bot reads them, and reports that NUL became U+FFFD', async () => {
    const place = await newPlace()
    const before = await everything(place.source)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    expect(Object.values(before).every((rows) => rows.length >= 40)).toBe(true)
    const { code, out, err } = await run(place)
    expect(err.replace(/^\d+% .*\n/gm, '')).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(
      /All row counts and checksums match\.\nTexts in which U\+FFFD replaces the character NUL on PostgreSQL: [\d,]+\./,
    )
    expect(await everything(place.target)).toEqual(before)
  })

  test('lets the bot start on the target as on a copy, and no longer on the source', async () => {
    const place = await newPlace()
    // The bot computes with the times of reminders, so random values would make no sense.
    executeInFile(place.path, 'DELETE FROM Reminder')
    const began = Date.now()
    await run(place)
    await expect(start(place.source)).rejects.toThrow(MovedDatabase)
    const taken = await inDatabase(place.target, (database) =>
      takeOverCopy(createStore(database), new Date()),
    )
    expect(taken?.from.getTime()).toBeGreaterThanOrEqual(began)
    expect(await start(place.target)).toBeNull()
  })

  test('keeps the earlier time of a source that is itself a copy on which no bot has started', async () => {
    const place = await newPlace(0)
    executeInFile(place.path, `INSERT INTO Fact VALUES ('backup_of', '{"at":"2026-11-20T10:32:00.000Z"}')`)
    await run(place)
    expect((await start(place.target))?.from).toEqual(new Date('2026-11-20T10:32:00.000Z'))
  })

  test('continues row numbers after the greatest one ever given, even if its row is gone', async () => {
    const place = await newPlace()
    const database = new DatabaseSync(place.path)
    const last = database.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'Request'`).get()?.seq
    database.close()
    await run(place)
    const { id } = await inDatabase(place.target, ({ client }) =>
      client.request.create({ data: { accountId: 'a', at: new Date() } }),
    )
    expect(id).toBe(Number(last) + 1)
  })

  test('keeps all indexes and references of the target', async () => {
    const place = await newPlace()
    const other = newSchema()
    onTestFinished(other.drop)
    await run(place)
    expect(await definitions(place.target)).toEqual(await definitions(other.url))
  })

  test('can be killed at any moment and run again, and never leaves both databases usable', async () => {
    const place = await newPlace()
    const before = await everything(place.source)
    for (const crash of ['rows_copied', 'source_moved', 'target_filled'] as const) {
      expect(await run(place, [], crash)).toMatchObject({ code: null, out: '' })
      expect(existsSync(place.crashFile)).toBe(false)
      expect(await isMoved(place.source)).toBe(crash !== 'rows_copied')
      const rows = await countOf(place.target, 'Account')
      expect(Number(rows) > 0).toBe(crash === 'target_filled')
    }
    expect((await run(place)).out).toMatch(/^Already moved there on 20.*\. Nothing was changed\.\n$/)
    expect(await everything(place.target)).toEqual(before)
    expect(await run(place, ['--verify'])).toMatchObject({ code: 0 })
  })

  test('can be repeated only to the same target if it was interrupted at its end', async () => {
    const place = await newPlace(0)
    const other = newSchema()
    onTestFinished(other.drop)
    await run(place, [], 'source_moved')
    expect((await run({ ...place, target: other.url })).err).toMatch(
      /was moved to 127\.0\.0\.1.* on 20.* Nothing was changed\.\n$/,
    )
    await expect(start(place.source)).rejects.toThrow(MovedDatabase)
    expect(await run(place)).toMatchObject({ code: 0 })
    expect(await start(place.target)).not.toBeNull()
  })

  test.each([
    ['changed', 'Order', `IF NEW."id" = 'Order 7' THEN NEW."volume" := 'x'; END IF;`],
    [
      'changed by a thousandth of a second',
      'Order',
      `IF NEW."id" = 'Order 7' THEN NEW."createdAt" := NEW."createdAt" - interval '1 ms'; END IF;`,
    ],
    ['missing', 'Contact', `IF NEW."id" = 'Contact 7' THEN RETURN NULL; END IF;`],
    [
      'a copy of another row',
      'Contact',
      `IF NEW."id" = 'Contact 7' THEN NEW."phone" := (SELECT "phone" FROM "Contact" WHERE "id" = 'Contact 1'); END IF;`,
    ],
  ])('detects that a copied row is %s, and then changes neither database', async (_what, table, damage) => {
    const place = await newPlace()
    await inDatabase(place.target, async () => {})
    await executeIn(
      place.target,
      `CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${damage} RETURN NEW; END $$`,
    )
    await executeIn(
      place.target,
      `CREATE TRIGGER damage BEFORE INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION damage()`,
    )
    const { code, err } = await run(place)
    expect(err).toMatch(new RegExp(`Not moved: ${table} differ\\. Nothing was changed in either database`))
    expect(code).toBe(1)
    expect(await isMoved(place.source)).toBe(false)
    expect(await countOf(place.target, table)).toBe(0)
  })

  test('refuses to move a source that was already moved', async () => {
    const place = await newPlace(0)
    const other = newSchema()
    onTestFinished(other.drop)
    await run(place)
    const { code, err } = await run({ ...place, target: other.url })
    expect(err).toMatch(/bundlegram\.db: was moved to 127\.0\.0\.1.* on 20.* Nothing was changed\.\n$/)
    expect(code).toBe(1)
  })

  test('refuses to run while a bot has the source open', async () => {
    const place = await newPlace(0)
    const { code, err } = await inDatabase(place.source, async () => run(place))
    expect(err).toMatch(/bundlegram\.db: a program is using it\. Stop the bot first/)
    expect(code).toBe(1)
    expect(await isMoved(place.source)).toBe(false)
  })

  test('refuses to run while a bot is connected to the target, and changes neither database', async () => {
    const place = await newPlace(0)
    const { code, err } = await inDatabase(place.target, async ({ client }) => {
      await client.fact.count()
      return run(place)
    })
    expect(err).toMatch(/schema test_\w+: a bot is connected to it\. Stop every bot on it first/)
    expect(code).toBe(1)
    expect([await isMoved(place.source), await isMoved(place.target)]).toEqual([false, false])
  })

  test('refuses a target with other rows, and names their tables', async () => {
    const place = await newPlace(0)
    await inDatabase(place.target, (database) => createStore(database).facts.write('word', 'other'))
    const { code, err } = await run(place)
    expect(err).toMatch(/is not empty: there are rows in Fact\. Name an empty database/)
    expect(code).toBe(1)
    expect(await inDatabase(place.target, (database) => createStore(database).facts.read('word'))).toBe(
      'other',
    )
  })

  test('changes nothing with --verify, even while both databases are in use', async () => {
    const place = await newPlace()
    await run(place)
    await inDatabase(place.source, () =>
      inDatabase(place.target, async ({ client }) => {
        expect(await run(place, ['--verify'])).toMatchObject({ code: 0 })
        await client.chat.deleteMany()
        const { code, err } = await run(place, ['--verify'])
        expect(err).toMatch(/Chat +40 → 0 {2}DIFFERS[\s\S]*The databases differ in: Chat\.\n$/)
        expect(code).toBe(1)
      }),
    )
  })
})

const countOf = (url: string, table: string): Promise<unknown> =>
  inDatabase(url, async ({ client }) => {
    const [row] = await client.$queryRawUnsafe<{ count: bigint }[]>(
      `SELECT COUNT(*) AS count FROM "${table}"`,
    )
    return Number(row?.count)
  })

/** How PostgreSQL describes the indexes and constraints there, without the schema's name. */
const definitions = (url: string): Promise<string[]> =>
  inDatabase(url, async ({ client }) => {
    const rows = await client.$queryRawUnsafe<{ text: string }[]>(
      `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = current_schema()
       UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = to_regnamespace(current_schema())`,
    )
    return rows.map(({ text }) => text.replace(/test_\w+\./, '')).sort()
  })
