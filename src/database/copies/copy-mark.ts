import { z } from 'zod'
import { commandLine, commandWith } from '../../base/installation.ts'

/** The names of the `Fact` rows about the database's past. */
export const copyMarkNames = {
  /** The database is a copy, made at the time in the row, and no bot has started on it yet. */
  backupOf: 'backup_of',
  /** A bot has started on the database, which was a copy made at the time in the row. */
  restored: 'restored',
  movedTo: 'moved_to',
  movedFrom: 'moved_from',
} as const

/** A copy on which a bot has started, at `at`. The copy knows nothing about the time from `from` to `at`. */
export interface Restored {
  from: Date
  at: Date
}

/** The database is marked as a copy, but the time in the mark cannot be read. */
export class UnreadableStamp extends Error {
  override name = 'UnreadableStamp'
  readonly code = 'unreadable_stamp'

  constructor() {
    super(
      `DATABASE_URL: this database is marked as a copy, but the time of the copy is missing. Give it, for example: ${commandWith('restored', '--at 2026-11-21T10:32Z')}`,
    )
  }
}

export class MovedDatabase extends Error {
  override name = 'MovedDatabase'
  readonly code = 'moved_database'

  constructor() {
    super(
      `DATABASE_URL: this database was moved to another one, and only that one has what happened since. Start on that one, for example DATABASE_URL=postgresql://user:password@localhost/bundlegram; if ${commandLine('db:move')} was interrupted, run it again first`,
    )
  }
}

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const stamp = z.object({ at: time })
const restored = z.object({ from: time, at: time })

export const formatCopyMark = (at: Date): string => JSON.stringify({ at: at.toISOString() })

/**
 * Reads the time of the copy from a mark.
 * @throws {UnreadableStamp}
 */
export const readCopyMark = (value: string): Date => {
  const parsed = stamp.safeParse(jsonOf(value))
  if (!parsed.success) throw new UnreadableStamp()
  return parsed.data.at
}

/** The time for the new mark: the time in the known mark if that is earlier, otherwise `at`. */
export const earlierCopyMark = (known: string | null, at: Date): Date => {
  const parsed = known === null ? null : stamp.safeParse(jsonOf(known))
  return parsed?.success && parsed.data.at < at ? parsed.data.at : at
}

export const formatRestored = ({ from, at }: Restored): string =>
  JSON.stringify({ from: from.toISOString(), at: at.toISOString() })

/** Reads what `formatRestored` wrote. @throws if the text is malformed */
export const readRestored = (value: string): Restored => restored.parse(jsonOf(value))

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
