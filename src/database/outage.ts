import { lostConnection } from './postgres/server-fault.ts'

export type OutageCause = 'full' | 'read_only' | 'locked' | 'unreachable' | 'failing'

interface RefusedWrite {
  cause: OutageCause
  /**
   * Whether the write certainly did not happen. If false, the commit may have succeeded, and only its answer was
   * lost.
   */
  isCertain: boolean
}

/**
 * Error codes of SQLite, PostgreSQL, the network and Prisma. An error may have several codes, so the uncertain ones
 * come first and win.
 */
const kinds: readonly (RefusedWrite & { codes: RegExp })[] = [
  {
    codes: /^(57P0[12]|08\w{3}|ECONNRESET|EPIPE|ETIMEDOUT|P1017|ConnectionClosed)$/,
    cause: 'unreachable',
    isCertain: false,
  },
  { codes: /^(SQLITE_FULL|53100|ENOSPC)$/, cause: 'full', isCertain: true },
  { codes: /^(SQLITE_READONLY\w*|25006|EROFS)$/, cause: 'read_only', isCertain: true },
  {
    codes: /^(SQLITE_BUSY\w*|SQLITE_LOCKED\w*|SocketTimeout|55P03|57014|P1008|P2028)$/,
    cause: 'locked',
    isCertain: true,
  },
  {
    codes: /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|57P03|53300|P1001|DatabaseNotReachable)$/,
    cause: 'unreachable',
    isCertain: true,
  },
  { codes: /^SQLITE_IOERR_(DIR_)?FSYNC$/, cause: 'failing', isCertain: false },
  { codes: /^(SQLITE_IOERR\w*|58030)$/, cause: 'failing', isCertain: true },
]

/** Errors that have no code are recognised by their message. */
const wordings: readonly (RefusedWrite & { words: RegExp })[] = [
  // The pool's error. Usually all its connections are waiting for a lock.
  { words: /timeout exceeded when trying to connect/, cause: 'locked', isCertain: true },
  { words: lostConnection, cause: 'unreachable', isCertain: false },
]

/**
 * What an error says about the database if it means that the database refuses writes or cannot be reached; null for any
 * other error.
 */
export const refusalIn = (error: unknown): RefusedWrite | null => {
  const parts = partsOf(error)
  const codes = parts.flatMap(({ code, kind, originalCode }) => [code, kind, originalCode].map(String))
  const messages = parts.map(({ message }) => String(message))
  const found =
    kinds.find(({ codes: known }) => codes.some((code) => known.test(code))) ??
    wordings.find(({ words }) => messages.some((message) => words.test(message)))
  return found ? { cause: found.cause, isCertain: found.isCertain } : null
}

interface Part {
  code?: unknown
  kind?: unknown
  originalCode?: unknown
  message?: unknown
}

interface Wrapped extends Part {
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/** How many nested causes are followed. Prisma's client wraps the adapter's error, which wraps the driver's. */
const deepest = 6

const partsOf = (error: unknown, depth = 0): Part[] => {
  if (typeof error !== 'object' || error === null || depth > deepest) return []
  const { cause, meta } = error as Wrapped
  return [error as Part, ...partsOf(cause, depth + 1), ...partsOf(meta?.driverAdapterError, depth + 1)]
}
