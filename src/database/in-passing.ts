import { AsyncLocalStorage } from 'node:async_hooks'
import { DriverAdapterError, type SqlQuery, type Transaction } from '@prisma/driver-adapter-utils'

/** What is said of a statement in passing. */
interface Passing {
  /** How many rows it has; null: any number. */
  expected: number | null
  /** Why the transaction fails if it has another number; null: it meets another transaction, and is run again. */
  refusal: (() => Error) | null
}

const inPassingNow = new AsyncLocalStorage<Passing>()

/**
 * Runs a write that nobody waits for. A transaction on PostgreSQL sends it together with its next statement, at the
 * latest with COMMIT, so it takes no round trip of its own; writes to several tables become one statement. If it fails,
 * the next statement fails in its place, and the transaction with it. Everywhere else it is run at once.
 * @param write one whose only answer is how many rows it changed.
 */
export const inPassing = (write: () => PromiseLike<unknown>): Promise<void> =>
  inPassingNow.run({ expected: null, refusal: null }, async () => void (await write()))

/** A row is not as the transaction has read it, although nobody else may write it meanwhile. */
export class ReadOtherwise extends Error {
  override name = 'ReadOtherwise'

  constructor() {
    super('A row was changed by somebody else while a transaction had it to itself.')
  }
}

/**
 * The same for a write whose guard repeats what the transaction has read, so that it changes exactly so many rows. If it
 * does not, nothing of the transaction stays, and PostgreSQL's runs it again.
 * @returns that number.
 * @throws {ReadOtherwise} where it is run at once.
 */
export const guardedInPassing = async (
  expected: number,
  write: () => PromiseLike<{ count: number }>,
): Promise<number> => {
  const { count } = await inPassingNow.run({ expected, refusal: null }, async () => await write())
  if (count !== expected) throw new ReadOtherwise()
  return count
}

/**
 * Lets a transaction last only if this query finds no row, and is sent and fails as a write in passing.
 * @param query one whose only answer is how many rows it found.
 * @param refusal the error that the transaction fails with.
 */
export const refusedInPassing = async (
  query: () => PromiseLike<number>,
  refusal: () => Error,
): Promise<void> => {
  const count = await inPassingNow.run({ expected: 0, refusal }, async () => await query())
  if (count !== 0) throw refusal()
}

/** A statement that is sent later. */
interface Held extends SqlQuery, Passing {
  /** How many rows it inserts: each has its own values, one after the other. */
  rows: number
}

/** A transaction of PostgreSQL that sends such writes with the statements that follow them. */
export const sendingInPassing = (transaction: Transaction): Transaction => {
  let held: Held[] = []

  /** Sends all at once. The server refuses whatever follows a failed write, COMMIT too: the first failure is the cause. */
  const send = async <T>(statement: () => Promise<T>): Promise<T> => {
    const writes = joined(held).map((write) => transaction.executeRaw(write))
    const refusal = held.find((each) => each.refusal)?.refusal ?? null
    held = []
    const answer = statement()
    await Promise.allSettled([...writes, answer])
    await Promise.all(writes).catch((error: unknown) => {
      throw causeOf(error, refusal)
    })
    return answer
  }

  return {
    ...transaction,
    queryRaw: (query) => send(() => transaction.queryRaw(query)),
    executeRaw: async (query) => {
      const passing = inPassingNow.getStore()
      if (query.sql === 'ROLLBACK') held = []
      else if (passing) {
        held.push({ ...query, ...passing, rows: 1 })
        return passing.expected ?? 0
      }
      return send(() => transaction.executeRaw(query))
    },
  }
}

/** The faults by which the server says that a statement has another number of rows, with PostgreSQL's codes. */
const faults = {
  conflict: { code: '22012', unless: (isSo: string) => `1 / CASE WHEN ${isSo} THEN 1 ELSE 0 END` },
  refusal: { code: '2201F', unless: (isSo: string) => `SQRT(CASE WHEN ${isSo} THEN 1 ELSE -1 END)` },
}

const causeOf = (error: unknown, refusal: Passing['refusal']): unknown => {
  const code = error instanceof DriverAdapterError ? error.cause.originalCode : null
  if (code === faults.refusal.code && refusal) return refusal()
  return code === faults.conflict.code ? new DriverAdapterError({ kind: 'TransactionWriteConflict' }) : error
}

/** One statement takes no more values, so that there are few texts: each is prepared once and kept. */
const maxValues = 100

/**
 * The writes in fewer statements. The parts of a statement see nothing of each other, and take effect in no order. So
 * each names one table, another one than the others, with two exceptions: rows for one table are inserted together, and
 * rows may be inserted into a table whose older rows are changed before.
 */
const joined = (writes: readonly Held[]): SqlQuery[] => {
  const groups: Held[][] = []
  for (const write of writes) {
    const group = groups.at(-1)
    if (!group || !fits(group, write)) groups.push([write])
    else if (!insertTogether(group, write)) group.push(write)
  }
  return groups.map(asOne)
}

const fits = (group: readonly Held[], write: Held): boolean => {
  const values = [...group, write].reduce((sum, { args }) => sum + args.length, 0)
  if (values > maxValues || [...group, write].some(({ sql }) => onlyTableIn(sql) === null)) return false
  const table = onlyTableIn(write.sql)
  return group
    .filter(({ sql }) => onlyTableIn(sql) === table)
    .every((other) => canShareRows(other, write) || (isInsert(write) && !isInsert(other)))
}

/** The table that a statement names; null: it names none, or several. */
const onlyTableIn = (sql: string): string | null => {
  const [named, another] = sql.matchAll(/\b(?:INTO|UPDATE|FROM|JOIN|USING)\s+(?:"\w+"\.)?"(\w+)"/gi)
  return (!another && named?.[1]) || null
}

const isInsert = ({ sql }: SqlQuery): boolean => /^\s*INSERT\b/i.test(sql)

/** The values of an insertion that gives each column a value of its own. */
const valuesIn = (sql: string): string | undefined => /\bVALUES\s*(\([$\d,\s]+\))\s*$/i.exec(sql)?.[1]

const canShareRows = (first: Held, second: Held): boolean =>
  first.sql === second.sql && isInsert(first) && valuesIn(first.sql) !== undefined

/** Adds the row to an insertion of the group. @returns false if there is none for it. */
const insertTogether = (group: Held[], write: Held): boolean => {
  const index = group.findIndex((other) => canShareRows(other, write))
  const found = group[index]
  if (!found) return false
  group[index] = {
    ...found,
    args: [...found.args, ...write.args],
    argTypes: [...found.argTypes, ...write.argTypes],
    rows: found.rows + 1,
  }
  return true
}

const asOne = (writes: readonly Held[]): SqlQuery => {
  let before = 0
  const parts = writes.map((write) => {
    const part = shifted(withEachRow(write), before)
    before += write.args.length
    return part
  })
  return {
    sql: writes.some(({ expected }) => expected !== null) ? checked(writes, parts) : together(parts),
    args: writes.flatMap(({ args }) => args),
    argTypes: writes.flatMap(({ argTypes }) => argTypes),
  }
}

/** The text with its values moved behind so many others. */
const shifted = (sql: string, offset: number): string =>
  offset === 0 ? sql : sql.replaceAll(/\$(\d+)/g, (_, place) => `$${Number(place) + offset}`)

const withEachRow = ({ sql, args, rows }: Held): string => {
  const row = valuesIn(sql) ?? ''
  const more = Array.from({ length: rows - 1 }, (_, index) =>
    shifted(row, ((index + 1) * args.length) / rows),
  )
  return [sql, ...more].join(', ')
}

const together = (parts: readonly string[]): string => {
  const earlier = parts.slice(0, -1).map((part, index) => `"${index}" AS (${part})`)
  return `${earlier.length === 0 ? '' : `WITH ${earlier.join(', ')} `}${parts.at(-1)}`
}

/** Fails on the server if one of them has another number of rows than it should: so COMMIT can be sent along. */
const checked = (writes: readonly Held[], parts: readonly string[]): string => {
  const named = parts.map((part, index) => {
    const { expected, refusal } = writes[index] ?? { expected: null, refusal: null }
    return `"${index}" AS (${part}${expected === null || refusal ? '' : ' RETURNING 1'})`
  })
  const asExpected = (isOf: (write: Held) => boolean): string[] =>
    writes.flatMap((write, index) =>
      write.expected !== null && isOf(write) ? [`(SELECT COUNT(*) FROM "${index}") = ${write.expected}`] : [],
    )
  const checks = [
    { fault: faults.conflict, all: asExpected(({ refusal }) => refusal === null) },
    { fault: faults.refusal, all: asExpected(({ refusal }) => refusal !== null) },
  ]
  const found = checks.flatMap(({ fault, all }) =>
    all.length === 0 ? [] : [fault.unless(all.join(' AND '))],
  )
  return `WITH ${named.join(', ')} SELECT ${found.join(', ')}`
}
