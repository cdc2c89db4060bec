import pg from 'pg'
import type { PostgresPools } from './postgres-pools.ts'
import { beginningOf } from './postgres-scopes.ts'
import { asStored, cellTypes } from './postgres-values.ts'
import type { Part } from './scope.ts'
import type { Parameter, Stored } from './selection.ts'

/**
 * One statement in a transaction of its own, which has these parts to itself: all in one round trip, so others wait for
 * the locks no longer than the statement takes.
 * @param sql with a `?` for each parameter. The parameters become a part of the text, so it is prepared anew each time.
 */
export type AtOnce = (
  scope: readonly Part[],
  sql: string,
  parameters: readonly Parameter[],
) => Promise<Stored[][]>

export const atOnceOn = (pool: pg.Pool, keySpace: string, turnOf: PostgresPools['turnOf']): AtOnce => {
  return async (scope, sql, parameters) => {
    const { sql: beginning, keys } = beginningOf(scope, 'READ COMMITTED', keySpace)
    const text = [beginning, withLiterals(sql, parameters), 'COMMIT'].join('; ')
    const endTurn = await turnOf(keys)
    try {
      return await rowsOf(pool, text)
    } finally {
      endTurn()
    }
  }
}

/** The rows of the statement before the last. */
const rowsOf = async (pool: pg.Pool, text: string): Promise<Stored[][]> => {
  const connection = await pool.connect()
  try {
    const answer: unknown = await connection.query({ text, rowMode: 'array', types: cellTypes })
    connection.release()
    return ((answer as pg.QueryArrayResult<Stored[]>[]).at(-2)?.rows ?? []) satisfies Stored[][]
  } catch (error) {
    // The transaction ends with its connection, if that cannot be undone.
    await connection.query('ROLLBACK').then(
      () => connection.release(),
      (broken: Error) => connection.release(broken),
    )
    throw error
  }
}

const withLiterals = (sql: string, parameters: readonly Parameter[]): string => {
  const values = parameters.values()
  return sql.replaceAll('?', () => literal(values.next().value ?? null))
}

const literal = (value: Parameter): string => {
  if (value === null) return 'NULL'
  return typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : pg.escapeLiteral(String(asStored(value)))
}
