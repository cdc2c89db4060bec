import { DriverAdapterError } from '@prisma/driver-adapter-utils'

/** SQLite's extended error codes (sqlite.org/rescode.html), where the primary code does not suffice. */
const extended: Record<number, string> = {
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1034: 'SQLITE_IOERR_FSYNC',
  1290: 'SQLITE_IOERR_DIR_FSYNC',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
}

/** The primary error codes that matter here, by the low byte of the number. */
const primary: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
}

const lowByte = 0xff

export interface SqliteFault extends Error {
  code: string
  errcode: number
}

/** Whether SQLite itself reported the error: Node's driver then adds SQLite's code as a number. */
const isOfSqlite = (error: unknown): error is SqliteFault =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'

/**
 * Adds the name of the code to errors of SQLite.
 * @throws {SqliteFault}
 */
export const withNamedFaults = <T>(run: () => T): T => {
  try {
    return run()
  } catch (error) {
    if (isOfSqlite(error))
      error.code = extended[error.errcode] ?? primary[error.errcode & lowByte] ?? 'SQLITE_ERROR'
    throw error
  }
}

/** Converts an error of SQLite into the one that Prisma's client expects. Returns other errors unchanged. */
export const asAdapterError = (error: unknown): unknown =>
  isOfSqlite(error)
    ? new DriverAdapterError({
        originalCode: error.code,
        originalMessage: error.message,
        ...kindOf(error),
      })
    : error

const kindOf = ({ code, errcode, message }: SqliteFault): DriverAdapterError['cause'] => {
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY': {
      const columns = columnsIn(message)
      const [table] = columns[0]?.split('.') ?? []
      return {
        kind: 'UniqueConstraintViolation',
        constraint: { fields: columns.map(nameOf) },
        ...(table && { table }),
      }
    }
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return { kind: 'NullConstraintViolation', constraint: { fields: columnsIn(message).map(nameOf) } }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
    case 'SQLITE_BUSY':
      return { kind: 'SocketTimeout' }
    default:
      return { kind: 'sqlite', extendedCode: errcode, message }
  }
}

/** Reads `UNIQUE constraint failed: Order.reference, Order.accountId`: the columns with their tables. */
const columnsIn = (message: string): string[] => message.split('constraint failed: ')[1]?.split(', ') ?? []

const nameOf = (column: string): string => column.slice(column.indexOf('.') + 1)
