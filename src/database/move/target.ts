import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { copyMarkNames, formatCopyMark } from '../copies/copy-mark.ts'
import { FileFault } from '../database-file.ts'
import type { Session } from '../postgres/session.ts'
import { createAdder, type Sum } from './checksum.ts'
import { type Kind, movedRows, type Table } from './row-text.ts'

/** The PostgreSQL database that gets the rows, in one transaction. */
export interface Target {
  place: string
  tables(): Promise<Table[]>
  /** The mark of the move that filled the target; null if none did. */
  movedFrom(): Promise<string | null>
  /**
   * Keeps out bots and other moves until the transaction ends.
   * @throws {FileFault} if another program is using the target
   */
  lock(): Promise<void>
  /** The names of tables that have rows. */
  filled(): Promise<string[]>
  /** Drops the foreign keys, does the work, and adds them again. */
  withoutReferences(work: () => Promise<void>): Promise<void>
  /**
   * Adds rows to a table with one COPY.
   * @param lines in the format of COPY
   */
  append(table: Table, lines: Iterable<string>): Promise<void>
  /** The names of tables whose rows get numbers from the database. */
  numbered(): Promise<string[]>
  /** Makes the numbers of the table's new rows start after `last`. */
  numberAfter(table: string, last: bigint): Promise<void>
  sum(table: Table, onRow: () => void): Promise<Sum>
  /** Marks the target as a copy made at `asOf`, so that a bot can start on it. */
  mark(moved: string, asOf: Date): Promise<void>
  /** Collects the tables' statistics now. Otherwise the server would do so only some time after the bot's start. */
  analyze(): Promise<void>
}

export const openTarget = ({ client, address: { place, schema } }: Session): Target => {
  const list = async (sql: string): Promise<string[]> => {
    const { rows } = await client.query<{ item: string }>(sql, [schema])
    return rows.map(({ item }) => item)
  }

  const setFact = (name: string, value: string): Promise<unknown> =>
    client.query('INSERT INTO "Fact" ("name", "value") VALUES ($1, $2)', [name, value])

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
    movedFrom: async () => {
      if ((await tables()).length === 0) return null
      const name = copyMarkNames.movedFrom
      const query = 'SELECT "value" FROM "Fact" WHERE "name" = $1'
      const { rows } = await client.query<{ value: string }>(query, [name])
      return rows[0]?.value ?? null
    },
    lock: async () => {
      try {
        await client.query('LOCK TABLE "Fact" IN ACCESS EXCLUSIVE MODE NOWAIT')
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error
        throw new FileFault(`${place}: another program is using it. Wait until that has ended, or stop it.`)
      }
    },
    filled: async () => {
      const filled: string[] = []
      for (const { name } of await tables()) {
        const { rowCount } = await client.query(`SELECT 1 FROM "${name}" WHERE ${movedRows(name)} LIMIT 1`)
        if (rowCount !== 0) filled.push(name)
      }
      return filled
    },
    withoutReferences: async (work) => {
      const restore = await list(referencesSql)
      for (const statement of await list(dropReferencesSql)) await client.query(statement)
      await work()
      for (const statement of restore) await client.query(statement)
    },
    append: async (table, lines) => {
      const into = client.query(copyFrom(`COPY "${table.name}" (${namesOf(table)}) FROM STDIN`))
      await pipeline(Readable.from(lines), into)
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
    mark: async (moved, asOf) => {
      await setFact(copyMarkNames.backupOf, formatCopyMark(asOf))
      await setFact(copyMarkNames.movedFrom, moved)
    },
    analyze: async () => {
      for (const { name } of await tables()) await client.query(`VACUUM (ANALYZE) "${name}"`)
    },
  }
}

const lockNotAvailable = '55P03'

const namesOf = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** Splits a stream at its line feeds. COPY escapes line feeds in values. */
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
  if (kind === undefined) throw new Error(`There is no rule for moving a ${type}.`)
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

const references = `
  FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
  WHERE ${ours} AND contype = 'f' ORDER BY conname`

const referencesSql = `
  SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) AS item ${references}`
const dropReferencesSql = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS item ${references}`
