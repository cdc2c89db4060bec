import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CrashPoint } from '../../src/crash-point.ts'
import { addedDatabaseUrl } from '../../src/database/added-databases.ts'
import { type DatabaseMove, HalfMovedDatabase, MovedDatabase } from '../../src/database/copy-mark.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { takeOver } from '../../src/orders/restoring.ts'
import { createStore } from '../../src/store/store.ts'
import { runCommand } from '../support/command.ts'
import { executeIn } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { dropSchema, newSchema } from '../support/new-schema.ts'
import { developmentScript } from './development.ts'
import { fillAtRandom } from './random-rows.ts'

/** Numbers that look random, and are the same in each run. */
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

interface Way {
  source: string
  target: string
}

interface Place extends Way {
  folder: string
  path: string
  /** Kills itself there, once, at that passage. */
  crashFile: string
}

/** More than one batch of the largest table. */
const requests = 5_000

/** A database whose every table has rows, and the address of a PostgreSQL that has nothing. */
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

/** The database of a bot that was added there, and where it is moved to. */
const addBot = async ({ source, target }: Place, botId: number): Promise<Way> => {
  const way = {
    source: addedDatabaseUrl(source, botId) ?? '',
    target: addedDatabaseUrl(target, botId) ?? '',
  }
  const path = way.source.slice('file:'.length)
  mkdirSync(dirname(path), { recursive: true })
  await inDatabase(way.source, async () => {})
  fillAtRandom(path, 10, randomFrom(botId))
  onTestFinished(() => dropSchema(way.target))
  return way
}

const executeInFile = (path: string, script: string): void => {
  const database = new DatabaseSync(path)
  database.exec(script)
  database.close()
}

const run = ({ source, target, crashFile }: Place, args: string[] = [], crash?: [CrashPoint, number]) => {
  if (crash) writeFileSync(crashFile, JSON.stringify({ at: crash[0], time: crash[1] }))
  return runCommand('db-move', ['--from', source, ...args], { DATABASE_URL: target }, crash && crashFile)
}

/** Whether the searches for due work would find all that waits there. */
const hasAllDuties = (url: string): Promise<boolean> =>
  inDatabase(url, async (database) => {
    const duties = () => database.client.duty.findMany({ orderBy: [{ kind: 'asc' }, { key: 'asc' }] })
    const before = await duties()
    await createStore(database).duties.mend()
    return isDeepStrictEqual(await duties(), before)
  })

/** All that the bot reads there, by table, in no order. */
const everything = (url: string): Promise<Record<string, string[]>> =>
  inDatabase(url, async ({ client }) => {
    const tables: Record<string, string[]> = {}
    for (const [name, model] of Object.entries(client)) {
      // Each database writes its duties itself.
      if (
        name === 'duty' ||
        name.startsWith('$') ||
        name.startsWith('_') ||
        typeof model?.findMany !== 'function'
      )
        continue
      const rows: unknown[] = await model.findMany()
      tables[name] = rows.map(written).filter(isMoved).sort()
    }
    return tables
  })

const written = (row: unknown): string =>
  JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)).replaceAll(
    '\\u0000',
    '\uFFFD',
  )

const isMoved = (row: string): boolean => !/"name":"(backup_of|moved_to|moving\w*|moved_from)"/.test(row)

const standing = (url: string): Promise<DatabaseMove> =>
  inDatabase(url, (database) => createStore(database).copies.move())

const starts = (move: DatabaseMove): boolean => move === 'none' || move === 'begun'

/** The part of a start that decides whether a bot may work there. */
const start = (url: string) =>
  inDatabase(url, (database) => takeOver(createStore(database), new Date('2026-11-21T12:00:00Z')))

describe('npm run db:move', () => {
  test('takes all rows over as the bot reads them, with NUL as U+FFFD, and says so', async () => {
    const place = await newPlace()
    const before = await everything(place.source)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    expect(Object.values(before).every((rows) => rows.length >= 40)).toBe(true)
    const { code, out, err } = await run(place)
    expect(err.replace(/^\d+ % .*\n/gm, '')).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(
      /counts and checksums of all tables agree\.\nIn \d+ texts the character NUL is U\+FFFD there\./,
    )
    expect(await everything(place.target)).toEqual(before)
    expect(await hasAllDuties(place.target)).toBe(true)
  })

  test('afterwards the bot starts on the target as on a copy, and on the source no more', async () => {
    const place = await newPlace()
    const began = Date.now()
    await run(place)
    await expect(start(place.source)).rejects.toThrow(MovedDatabase)
    const taken = await inDatabase(place.target, (database) => takeOver(createStore(database), new Date()))
    expect(taken?.from.getTime()).toBeGreaterThanOrEqual(began)
    expect(await start(place.target)).toBeNull()
  })

  test('a copy on which no bot has started stays one of its earlier time', async () => {
    const place = await newPlace(0)
    executeInFile(place.path, `INSERT INTO Fact VALUES ('backup_of', '{"at":"2026-11-20T10:32:00.000Z"}')`)
    await run(place)
    expect((await start(place.target))?.from).toEqual(new Date('2026-11-20T10:32:00.000Z'))
  })

  test('numbers go on after the greatest one ever given, though its row is gone', async () => {
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

  test('the target has all indexes and references that it had', async () => {
    const place = await newPlace()
    const other = newSchema()
    onTestFinished(other.drop)
    await run(place)
    expect(await definitions(place.target)).toEqual(await definitions(other.url))
  })

  test('killed at any moment and run again it goes on, and never do both databases start', async () => {
    const place = await newPlace()
    const before = await everything(place.source)
    const crashes: [CrashPoint, number][] = [
      ['move_intended', 1],
      ['rows_copied', 1],
      ['rows_copied', 9],
      // Within the largest table, which is copied in three batches.
      ['rows_copied', batchesUpTo('request', before) - 9],
      ['rows_indexed', 1],
      ['move_verified', 1],
      ['source_moved', 1],
    ]
    for (const crash of crashes) {
      expect(await run(place, [], crash)).toMatchObject({ code: null, out: '' })
      expect(existsSync(place.crashFile)).toBe(false)
      const both = [await standing(place.source), await standing(place.target)] as const
      expect(starts(both[1]) && crash[0] !== 'move_intended').toBe(false)
      expect(starts(both[0])).toBe(crash[0] !== 'source_moved')
      if (!starts(both[1])) await expect(start(place.target)).rejects.toThrow(HalfMovedDatabase)
    }
    const { code, out } = await run(place)
    expect(out).toMatch(/^Moved: an earlier run had copied and compared all rows\.\n/)
    expect(code).toBe(0)
    expect(await everything(place.target)).toEqual(before)
    expect(await run(place, ['--verify'])).toMatchObject({ code: 0 })
    expect((await run(place)).out).toMatch(/^Was moved there on 20.*; nothing was changed\.\n$/)
  })

  test('takes the databases of added bots with it', async () => {
    const place = await newPlace(0)
    const ways = [await addBot(place, 7_000_000_001), await addBot(place, 7_000_000_002)]
    const before = await Promise.all(ways.map(({ source }) => everything(source)))
    const { code, out } = await run(place)
    expect(out).toMatch(
      /\nAdded bot 7000000001\n[\s\S]*\nMoved: [\s\S]*\nAdded bot 7000000002\n[\s\S]*the files in the folder bots beside it start no bot any more: delete them/,
    )
    expect(code).toBe(0)
    for (const [index, { source, target }] of ways.entries()) {
      expect(await everything(target)).toEqual(before[index])
      expect(await hasAllDuties(target)).toBe(true)
      await expect(start(source)).rejects.toThrow(MovedDatabase)
    }
    await inDatabase(ways[1]?.target ?? '', ({ client }) => client.chat.deleteMany())
    const compared = await run(place, ['--verify'])
    expect(compared.err).toMatch(/\nAdded bot 7000000002\n[\s\S]*They differ in Chat\.\n$/)
    expect(compared.err).not.toContain('Added bot 7000000001')
    expect(compared.code).toBe(1)
    for (const { target } of ways) expect(await start(target)).not.toBeNull()
  })

  test('killed at any moment, no added bot starts on both, nor is one without the main one', async () => {
    const place = await newPlace(0)
    const added = await addBot(place, 7_000_000_001)
    const before = await everything(added.source)
    const ofAdded = Object.keys(before).length
    const crashes: [CrashPoint, number][] = [
      ['rows_indexed', 1],
      ['move_verified', 1],
      ['move_intended', 1],
      ['rows_copied', ofAdded - 3],
      ['move_verified', 1],
      ['source_moved', 1],
      ['source_moved', 2],
    ]
    for (const crash of crashes) {
      expect(await run(place, [], crash)).toMatchObject({ code: null, out: '' })
      const [main, bot] = await Promise.all(
        [place, added].map(async ({ source, target }) => ({
          source: starts(await standing(source)),
          target: starts(await standing(target)),
        })),
      )
      expect(main?.source).toBe(crash[0] !== 'source_moved')
      // Where the main bot starts, no added one finds a database that lives on elsewhere, or an empty one.
      if (main?.source) expect(bot?.source).toBe(true)
      else expect(bot).toEqual({ source: crash[1] === 1, target: false })
    }
    expect(await run(place)).toMatchObject({ code: 0 })
    expect(await everything(added.target)).toEqual(before)
    for (const { source, target } of [place, added]) {
      await expect(start(source)).rejects.toThrow(MovedDatabase)
      expect(await start(target)).not.toBeNull()
    }
  })

  test('where the database of an added bot differs, none is moved', async () => {
    const place = await newPlace(0)
    const added = await addBot(place, 7_000_000_001)
    await run(place, [], ['rows_indexed', 2])
    await executeIn(added.target, 'DELETE FROM "Chat"')
    const { code, out, err } = await run(place)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/Added bot 7000000001\n[\s\S]*Not moved: Chat differ/)
    for (const { source, target } of [place, added])
      expect([await standing(source), await standing(target)]).toEqual(['begun', 'half_filled'])
  })

  test('of a table of several batches those that are there are not copied again', async () => {
    const place = await newPlace()
    await run(place, [], ['rows_copied', batchesUpTo('request', await everything(place.source))])
    expect(await countOf(place.target, 'Request')).toBe(2_000)
    const { code, out } = await run(place)
    expect(out).toMatch(/5,0\d\d {2}[0-9a-f]{16}[\s\S]*of which 3,\d\d\d copied by this run/)
    expect(code).toBe(0)
  })

  test.each([
    ['changed', `UPDATE "Order" SET "volume" = 'x' WHERE "id" = 'Order 7'`, 'Order'],
    [
      'changed by a thousandth of a second',
      `UPDATE "Order" SET "createdAt" = "createdAt" - interval '1 ms' WHERE "id" = 'Order 7'`,
      'Order',
    ],
    ['missing', `DELETE FROM "Request" WHERE "id" = (SELECT MAX("id") FROM "Request")`, 'Request'],
    [
      'there twice',
      `INSERT INTO "Event" SELECT -1, "orderId", "source", 'd', "reference", "status" FROM "Event" LIMIT 1`,
      'Event',
    ],
    [
      'another’s, with as many rows',
      `UPDATE "Customer" SET "phone" = CASE "id" WHEN 'Customer 1' THEN (SELECT "phone" FROM "Customer" WHERE "id" = 'Customer 2') ELSE (SELECT "phone" FROM "Customer" WHERE "id" = 'Customer 1') END WHERE "id" IN ('Customer 1', 'Customer 2')`,
      'Customer',
    ],
  ])(
    'finds that a row is %s, and then neither stamps the source nor lets the target start',
    async (_what, damage, table) => {
      const place = await newPlace()
      await run(place, [], ['rows_indexed', 1])
      await executeIn(place.target, damage.replace(/"Event" SELECT.*LIMIT 1/, eventTwice))
      const { code, err } = await run(place)
      expect(err).toMatch(new RegExp(`Not moved: ${table} differ, and no bot starts on the PostgreSQL`))
      expect(code).toBe(1)
      expect([await standing(place.source), await standing(place.target)]).toEqual(['begun', 'half_filled'])
    },
  )

  test('a bot that starts on the source ends the move; what was copied has to be emptied', async () => {
    const place = await newPlace()
    await run(place, [], ['rows_copied', 5])
    expect(await start(place.source)).toBeNull()
    expect(await standing(place.source)).toBe('none')
    executeInFile(place.path, `UPDATE Account SET sealedKey = 'newer'`)
    const refused = await run(place)
    expect(refused.err).toMatch(
      /is half filled by a move of 20.* that cannot go on: .*npm run db:move -- --anew\n$/,
    )
    expect(refused.code).toBe(1)
    expect(await run(place, ['--anew'])).toMatchObject({ code: 0 })
    expect(await run(place, ['--verify'])).toMatchObject({ code: 0 })
  })

  test('a source that was moved is moved nowhere else', async () => {
    const place = await newPlace(0)
    const other = newSchema()
    onTestFinished(other.drop)
    await run(place)
    for (const args of [[], ['--anew']]) {
      const { code, err } = await run({ ...place, target: other.url }, args)
      expect(err).toMatch(/bundlegram\.db: was moved to another database on 20.* Nothing was changed\.\n$/)
      expect(code).toBe(1)
    }
  })

  test('refuses while a bot has the source open', async () => {
    const place = await newPlace(0)
    const { code, err } = await inDatabase(place.source, async () => run(place))
    expect(err).toMatch(/bundlegram\.db: a program is using it\. Stop the bot first/)
    expect(code).toBe(1)
    expect(await standing(place.source)).toBe('none')
  })

  test('refuses while a bot is connected to the target, and leaves both as they were', async () => {
    const place = await newPlace(0)
    const { code, err } = await inDatabase(place.target, async () => run(place))
    expect(err).toMatch(/schema test_\w+: a bot is connected to it\. Stop every bot on it first/)
    expect(code).toBe(1)
    expect([await standing(place.source), await standing(place.target)]).toEqual(['none', 'none'])
  })

  test('refuses what is refused for an added bot before anything is copied', async () => {
    const place = await newPlace(0)
    const added = await addBot(place, 7_000_000_001)
    await inDatabase(added.target, (database) => createStore(database).chats.setFact('word', 'other'))
    const { code, err } = await run(place)
    expect(err).toMatch(/_bot7000000001: is not empty, there are rows in Fact\./)
    expect(code).toBe(1)
    expect([await standing(place.source), await standing(place.target)]).toEqual(['none', 'none'])
    expect(await countOf(place.target, 'Fact')).toBe(0)
  })

  test('refuses while added bots may run on the target beside a main one that was moved before', async () => {
    const place = await newPlace(0)
    await run(place)
    expect(await start(place.target)).not.toBeNull()
    const added = await addBot(place, 7_000_000_001)
    const { code, err } = await inDatabase(place.target, async () => run(place))
    expect(err).toMatch(/_bot7000000001: a bot is connected to it\. Stop every bot on it first/)
    expect(code).toBe(1)
    expect(await standing(added.source)).toBe('none')
    expect(await run(place)).toMatchObject({ code: 0 })
  })

  test('refuses a target that has rows of something else, and names the tables', async () => {
    const place = await newPlace(0)
    await inDatabase(place.target, (database) => createStore(database).chats.setFact('word', 'other'))
    const { code, err } = await run(place, ['--anew'])
    expect(err).toMatch(/is not empty, there are rows in Fact\. Name an empty database/)
    expect(code).toBe(1)
    expect(await inDatabase(place.target, (database) => createStore(database).chats.fact('word'))).toBe(
      'other',
    )
  })

  test('--verify changes nothing, and works while both are in use', async () => {
    const place = await newPlace()
    await run(place)
    await inDatabase(place.source, () =>
      inDatabase(place.target, async ({ client }) => {
        expect(await run(place, ['--verify'])).toMatchObject({ code: 0 })
        await client.chat.deleteMany()
        const { code, err } = await run(place, ['--verify'])
        expect(err).toMatch(/Chat +40 → 0 {2}DIFFERS[\s\S]*They differ in Chat\.\n$/)
        expect(code).toBe(1)
      }),
    )
  })

  test('brings the source to this version first', async () => {
    const place = await newPlace(0)
    toVersionBefore(place.path)
    expect(await run(place)).toMatchObject({ code: 0 })
    expect(await start(place.target)).not.toBeNull()
  })
})

const eventTwice = `"Event" ("id", "orderId", "source", "digest", "reference", "status", "receivedAt") SELECT -1, "orderId", "source", 'd', "reference", "status", "receivedAt" FROM "Event" LIMIT 1`

const countOf = (url: string, table: string): Promise<unknown> =>
  inDatabase(url, async ({ select }) => (await select(`SELECT COUNT(*) FROM "${table}"`, []))[0]?.[0])

/** Tables are copied in the order of their names, all but one in a single batch. */
const batchesUpTo = (table: string, tables: Record<string, unknown>): number =>
  Object.keys(tables).filter((name) => name <= table).length

/** Makes the database anew as the version before 1.0.0 would have, without rows. */
const toVersionBefore = (path: string): void => {
  rmSync(path)
  executeInFile(path, developmentScript())
}

/** How PostgreSQL describes the indexes and constraints there, without the schema's name. */
const definitions = (url: string): Promise<string[]> =>
  inDatabase(url, async ({ select }) => {
    const rows = await select(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
       UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = to_regnamespace(current_schema())`,
      [],
    )
    return rows.map(([text]) => String(text).replace(/test_\w+\./, '')).sort()
  })
