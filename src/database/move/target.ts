import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { wait } from '../../wait.ts'
import { copyMarkNames, formatCopyMark } from '../copy-mark.ts'
import { FileFault } from '../database-file.ts'
import type { Session } from '../postgres-session.ts'
import { createAdder, type Sum } from './checksum.ts'
import {
  beginning,
  formatMark,
  formatPosition,
  type Mark,
  movedRows,
  ownFacts,
  type Position,
  readMark,
  readPosition,
} from './mark.ts'
import type { Kind, Table } from './row-text.ts'

/** The PostgreSQL that a database is moved to. */
export interface Target {
  place: string
  tables(): Promise<Table[]>
  /** Tables that have rows. */
  filled(): Promise<string[]>
  /** The move that is filling the target, or that has filled it. */
  mark(state: 'moving' | 'moved'): Promise<Mark | null>
  position(): Promise<Position>
  /** Marks the target, so that no bot starts on it. Indexes and references are rebuilt when all rows are there. */
  begin(mark: Mark): Promise<void>
  /** Deletes the rows and the mark of an earlier move. */
  empty(): Promise<void>
  /** Adds rows and the move's position in one commit. */
  append(table: Table, rows: string, position: Position): Promise<void>
  /** Rebuilds indexes and references. @param onStep called with the number done and the number of all. */
  rebuild(onStep: (done: number, total: number) => void): Promise<void>
  /** Tables that number their rows themselves. */
  numbered(): Promise<string[]>
  /** Makes the table's numbers go on after that one. */
  numberAfter(table: string, last: bigint): Promise<void>
  sum(table: Table, onRow: () => void): Promise<Sum>
  /** Makes sure that all rows are on the disk. */
  settle(): Promise<void>
  /** Marks the target as a copy of that time, on which a bot may start. */
  complete(mark: Mark, asOf: Date): Promise<void>
}

/** The target of a move, on an open session. */
export const openTarget = ({ client, address: { place, schema } }: Session): Target => {
  const fact = async (name: string): Promise<string | null> => {
    const { rows } = await client.query<{ value: string }>('SELECT "value" FROM "Fact" WHERE "name" = $1', [
      name,
    ])
    return rows[0]?.value ?? null
  }

  const setFact = (name: string, value: string): Promise<unknown> =>
    client.query(
      'INSERT INTO "Fact" ("name", "value") VALUES ($1, $2) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"',
      [name, value],
    )

  const list = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ item: string }>(sql, [schema])
    return rows.map(({ item }) => item)
  }

  /**
   * Runs the work in a transaction. @param isLasting waits for the disk; otherwise a crash of the server may take back
   * the last transactions.
   */
  const inTransaction = async (isLasting: boolean, work: () => Promise<unknown>): Promise<void> => {
    await client.query(`BEGIN; SET LOCAL synchronous_commit = ${isLasting ? 'on' : 'off'}`)
    await work()
    await client.query('COMMIT')
  }

  const leftToRebuild = async (): Promise<string[]> =>
    JSON.parse((await fact(copyMarkNames.movingRebuild)) ?? '[]') as string[]

  const rebuild = async (onStep: (done: number, total: number) => void): Promise<void> => {
    const statements = await leftToRebuild()
    for (const [index, statement] of statements.entries()) {
      onStep(index, statements.length)
      await inTransaction(false, async () => {
        await client.query(statement)
        await setFact(copyMarkNames.movingRebuild, JSON.stringify(statements.slice(index + 1)))
      })
    }
  }

  const tables = async (): Promise<Table[]> => {
    const { rows } = await client.query<{ table: string; column: string; type: string }>(columnsSql, [schema])
    return [...Map.groupBy(rows, ({ table }) => table)].map(([name, columns]) => ({
      name,
      columns: columns.map(({ column, type }) => ({ name: column, kind: kindOf(type) })),
    }))
  }

  return {
    place,
    tables,
    filled: async () => {
      const filled: string[] = []
      for (const { name } of await tables()) {
        const { rowCount } = await client.query(`SELECT 1 FROM "${name}" LIMIT 1`)
        if (rowCount !== 0) filled.push(name)
      }
      return filled
    },
    mark: async (state) =>
      readMark(await fact(state === 'moving' ? copyMarkNames.moving : copyMarkNames.movedFrom)),
    position: async () => {
      const written = await fact(copyMarkNames.movingPosition)
      return written === null ? beginning : readPosition(written)
    },
    begin: (mark) =>
      inTransaction(true, async () => {
        const statements = [...(await list(indexesSql)), ...(await list(referencesSql))]
        for (const statement of [...(await list(dropReferencesSql)), ...(await list(dropIndexesSql))]) {
          await client.query(statement)
        }
        await setFact(copyMarkNames.moving, formatMark(mark))
        await setFact(copyMarkNames.movingRebuild, JSON.stringify(statements))
      }),
    empty: () =>
      inTransaction(true, async () => {
        const statements = await leftToRebuild()
        const names = (await tables()).map(({ name }) => `"${name}"`)
        await client.query(`TRUNCATE ${names.join(', ')} RESTART IDENTITY`)
        for (const statement of statements) await client.query(statement)
      }),
    append: (table, rows, position) =>
      inTransaction(false, async () => {
        const into = client.query(copyFrom(`COPY "${table.name}" (${namesOf(table)}) FROM STDIN`))
        await pipeline([Buffer.from(rows)], into)
        await setFact(copyMarkNames.movingPosition, formatPosition(position))
      }),
    rebuild: async (onStep) => {
      await rebuild(onStep)
      // Lets the server learn the tables' statistics now, not some time after the bot's start.
      for (const { name } of await tables()) await client.query(`VACUUM (ANALYZE) "${name}"`)
    },
    numbered: () => list(numberedSql),
    numberAfter: async (table, last) => {
      const { rowCount } = await client.query(
        `SELECT setval(pg_get_serial_sequence($1, 'id'), GREATEST($2::bigint, 1), $2::bigint > 0)`,
        [`"${table}"`, String(last)],
      )
      if (rowCount !== 1) throw new Error(`${table} has no sequence.`)
    },
    sum: async (table, onRow) => {
      const adder = createAdder()
      const query = `COPY (SELECT ${namesOf(table)} FROM "${table.name}" WHERE ${movedRows(table.name)}) TO STDOUT`
      for await (const line of linesOf(client.query(copyTo(query)))) {
        adder.add(line)
        onRow()
      }
      return adder.sum()
    },
    settle: () =>
      inTransaction(true, () => setFact(copyMarkNames.movingPosition, formatPosition({ kind: 'verified' }))),
    complete: (mark, asOf) =>
      inTransaction(true, async () => {
        await client.query('DELETE FROM "Fact" WHERE "name" = ANY ($1)', [ownFacts])
        await setFact(copyMarkNames.backupOf, formatCopyMark(asOf))
        await setFact(copyMarkNames.movedFrom, formatMark(mark))
      }),
  }
}

/** How long a killed process's connection may linger. */
const lockedForMs = 10_000
const lookAgainMs = 100
/** An arbitrary constant. */
const moveLock = 0x6d6f7665

/** Keeps other moves out until the session ends. @throws {FileFault} while there is another. */
export const lockTarget = async ({ client, address: { place, schema } }: Session): Promise<void> => {
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
      [moveLock, schema],
    )
    if (rows[0]?.taken) return
    if (performance.now() - startedMs > lockedForMs) {
      throw new FileFault(`${place}: another npm run db:move is filling it. Wait for its end.`)
    }
    await wait(lookAgainMs)
  }
}

const namesOf = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** Cuts a stream at its line feeds: inside a value COPY escapes them. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.subarray(from, end)
      from = end + 1
    }
    rest = bytes.subarray(from)
  }
}

const kindOf = (type: string): Kind => {
  const kind = kinds[type]
  if (kind === undefined) throw new Error(`Nobody has said how a ${type} is moved.`)
  return kind
}

const kinds: Record<string, Kind> = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  'timestamp without time zone': 'time',
}

const ours = `relnamespace = to_regnamespace(quote_ident($1)) AND relkind = 'r' AND relname <> '_prisma_migrations'`

const columnsSql = `
  SELECT relname AS "table", attname AS "column", format_type(atttypid, NULL) AS "type"
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE ${ours} AND attnum > 0 AND NOT attisdropped ORDER BY relname COLLATE "C", attnum`

const numberedSql = `
  SELECT relname AS item FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE ${ours} AND attname = 'id' AND pg_get_serial_sequence(quote_ident($1) || '.' || quote_ident(relname), attname) IS NOT NULL
  ORDER BY 1`

/** All indexes except those of the primary keys. */
const indexes = `
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE ${ours} AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
  ORDER BY indexrelid`

const indexesSql = `SELECT pg_get_indexdef(indexrelid) AS item ${indexes}`
const dropIndexesSql = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS item ${indexes}`

const references = `
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE ${ours} AND contype = 'f' ORDER BY conname`

const referencesSql = `
  SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) AS item ${references}`
const dropReferencesSql = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS item ${references}`
