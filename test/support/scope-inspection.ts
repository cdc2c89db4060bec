import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils'
import type { Inspect } from '../../src/database/database.ts'
import { isWithin, type Scope } from '../../src/database/scope.ts'

/** What transactions of this process did outside their scopes: the bot itself only logs that one failed. */
export const scopeViolations: string[] = []

/** A transaction wrote outside its scope, or wrote after it had read outside. */
export class ScopeViolation extends Error {
  override name = 'ScopeViolation'

  constructor(what: string) {
    super(what)
    scopeViolations.push(what)
  }
}

/** How the account of a row is found, by table. Rows of other tables belong to no account. */
const accountsOf: Record<string, string> = {
  Account: '"id"',
  Order: '"accountId"',
  Purchase: '"accountId"',
  Recipient: '"accountId"',
  Request: '"accountId"',
  Member: '"accountId"',
  Shop: '"accountId"',
  PortedNumber: '"accountId"',
  Enquiry: '"accountId"',
  Unanswered: '"accountId"',
  Event: '(SELECT "accountId" FROM "Order" WHERE "Order"."id" = "orderId")',
  Warning: '(SELECT "accountId" FROM "Purchase" WHERE "Purchase"."id" = "purchaseId")',
  List: '(SELECT "accountId" FROM "Purchase" WHERE "Purchase"."id" = "purchaseId")',
}

/** Accounts in the rows of an answer: any may have been read, joined or returned. */
const accountsIn = ({ columnNames, rows }: SqlResultSet, sql: string): Set<string> => {
  const isAccounts = /FROM "\w+"\."Account"/.test(sql)
  const isOwn = columnNames.map(
    (name) => /(?:^|\.)accountId$/.test(name) || name === 'account.id' || (isAccounts && name === 'id'),
  )
  const hasJoined = /\bJSONB?_/i.test(sql)
  return new Set(
    rows.flatMap((row) =>
      row.flatMap((value, place) => {
        if (isOwn[place]) return value ? [String(value)] : []
        return hasJoined ? accountsWithin(value) : []
      }),
    ),
  )
}

/** Accounts in the rows that came along with a row, as one JSON value. */
const accountsWithin = (value: unknown): string[] => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return [...text.matchAll(/"accountId"\s*:\s*"([^"]+)"/g)].flatMap(([, account]) => account ?? [])
}

/** Several writes may be one statement. */
const writtenTables = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:"\w+"\.)?"(\w+)"/gi)].flatMap(
    ([, table]) => table ?? [],
  )

const plain = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

/**
 * Refuses what a transaction does outside its scope: a write, and any write after a read. Owing a message is neither, it
 * is one row more in any chat.
 */
export const inspectScope: Inspect = (transaction, scope) =>
  scope === 'everything' ? transaction : inspected(transaction, scope)

const inspected = (
  transaction: Parameters<Inspect>[0],
  scope: Exclude<Scope, 'everything'>,
): Parameters<Inspect>[0] => {
  let foreign: string | null = null
  const written = new Set<string>()
  const isOwn = (account: string): boolean => isWithin(scope, `account ${account}`)

  const noteWrite = (sql: string): void => {
    for (const table of writtenTables(sql)) {
      if (table === 'Notice') continue
      if (foreign) throw new ScopeViolation(`${table} is written after ${foreign}, outside ${String(scope)}`)
      written.add(table)
    }
  }
  /** Rows that this transaction wrote carry its number. */
  const checkWritten = async (): Promise<void> => {
    for (const table of written) {
      const account = accountsOf[table]
      if (account === undefined) continue
      const { rows } = await transaction.queryRaw(
        plain(`SELECT DISTINCT ${account} FROM "${table}" WHERE xmin = pg_current_xact_id()::xid`),
      )
      for (const [id] of rows) {
        if (id !== null && !isOwn(String(id)))
          throw new ScopeViolation(`${table} of ${String(id)} is written, outside ${String(scope)}`)
      }
    }
  }
  return {
    ...transaction,
    queryRaw: async (query) => {
      noteWrite(query.sql)
      const answer = await transaction.queryRaw(query)
      for (const account of accountsIn(answer, query.sql))
        if (!isOwn(account)) foreign ??= `account ${account} was read by ${query.sql.slice(0, 80)}`
      return answer
    },
    executeRaw: async (query) => {
      if (query.sql === 'COMMIT') await checkWritten()
      else noteWrite(query.sql)
      return transaction.executeRaw(query)
    },
  }
}
