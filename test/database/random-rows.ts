import { DatabaseSync } from 'node:sqlite'

type Value = string | number | bigint | null

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

/** Texts that may be damaged when rows are copied as text. */
const pieces = [
  'a',
  'Ɔkomfo',
  '😀',
  '👨‍👩‍👧',
  '\0',
  '\ud800',
  '\t',
  '\n',
  '\r\n',
  '\\',
  '\\N',
  '\\.',
  "'",
  '"',
  '\u2028',
  '\ufeff',
  '\b\f\v',
  '{"a":[1]}',
  ' ',
]

/**
 * Fills every table of a migrated SQLite database with rows. Together they have all kinds of values that the columns
 * can hold, as far as foreign keys allow.
 * @param random returns a number from 0 to below 1.
 */
export const fillAtRandom = (path: string, rowsEach: number, random: () => number): void => {
  const database = new DatabaseSync(path)
  const tables = inOrder(database)
  database.exec('BEGIN')
  for (const table of tables) for (let row = 0; row < rowsEach; row += 1) insert(database, table, row, random)
  // A value that the bot never writes, but can read.
  database.exec(`UPDATE "Order" SET agentName = CAST(X'41FF42C3' AS TEXT) WHERE rowid % 3 = 0`)
  database.exec('COMMIT')
  database.close()
}

const all = (database: DatabaseSync, sql: string): Record<string, unknown>[] => database.prepare(sql).all()

const referencesOf = (database: DatabaseSync, table: string) =>
  all(database, `SELECT "from", "table" FROM pragma_foreign_key_list('${table}')`)

/** The tables, each after those that it refers to. */
const inOrder = (database: DatabaseSync): string[] => {
  const names = all(
    database,
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_prisma_migrations'`,
  ).map(({ name }) => String(name))
  const ordered: string[] = []
  const visit = (name: string): void => {
    for (const { table } of referencesOf(database, name)) visit(String(table))
    if (!ordered.includes(name)) ordered.push(name)
  }
  names.forEach(visit)
  return ordered
}

const insert = (database: DatabaseSync, table: string, row: number, random: () => number): void => {
  const columns = all(database, `SELECT * FROM pragma_table_info('${table}')`) as unknown as Column[]
  const parents = new Map(referencesOf(database, table).map((each) => [each.from, String(each.table)]))
  const values = columns.map((column): Value => {
    const parent = parents.get(column.name)
    if (parent) return `${parent} ${row}`
    if (column.name === 'id' && column.type === 'TEXT') return `${table} ${row}`
    return oneFor(column, row, random)
  })
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  database
    .prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
    .run(...values)
}

const oneFor = ({ type, notnull, pk }: Column, row: number, random: () => number): Value => {
  if (notnull === 0 && pk === 0 && random() < 0.3) return null
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  switch (type) {
    case 'TEXT':
      // The row's number makes the values distinct, because a column may have to be unique.
      return pk > 0 ? `key ${row}` : `${Array.from({ length: 6 }, () => pick(pieces)).join('')}${row}`
    case 'INTEGER':
      return pk > 0 ? row * 3 + 1 : pick([0, -1, 2 ** 31 - 1, -(2 ** 31), row])
    case 'BIGINT':
      return pk > 0 ? 2n ** 53n + BigInt(row) : pick([0n, 2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n])
    case 'BOOLEAN':
      return pick([0, 1])
    case 'DATETIME':
      return new Date(pick([0, 1_700_000_000_000, 1_700_000_000_010, 1_700_000_000_100, 253_402_300_799_999]))
        .toISOString()
        .replace('Z', '+00:00')
    default:
      throw new Error(`What is a ${type}?`)
  }
}
