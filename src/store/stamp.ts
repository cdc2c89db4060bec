import { z } from 'zod'

/** What a database says of its own past, as rows of `Fact`. */
export const stampNames = {
  /** It is a copy of that time, and no bot has started on it yet. */
  backupOf: 'backup_of',
  /** A bot was started on a copy of that time. */
  restored: 'restored',
  /** Its rows live on in another database. */
  movedTo: 'moved_to',
  /** They were about to: a bot that starts here has the last word, and what was copied of them is worth nothing. */
  movingTo: 'moving_to',
  /** It is being filled with the rows of another one, and is no database of a bot until all of them are there. */
  moving: 'moving',
  /** How far that has come. */
  movingPosition: 'moving_position',
  /** What is made again when all rows are there. */
  movingRebuild: 'moving_rebuild',
  /** Its rows came from another database. */
  movedFrom: 'moved_from',
} as const

/** What `npm run db:move` has to do with a database. */
export type Move =
  | 'none'
  /** It began to copy this one elsewhere. */
  | 'begun'
  /** This one lives on elsewhere. */
  | 'moved'
  /** It has not filled this one yet. */
  | 'half_filled'

/** Those that a bot asks for before it takes a database up. */
export const moveNames: string[] = [stampNames.movedTo, stampNames.moving, stampNames.movingTo]

export const moveOf = (names: readonly string[]): Move => {
  if (names.includes(stampNames.movedTo)) return 'moved'
  if (names.includes(stampNames.moving)) return 'half_filled'
  return names.includes(stampNames.movingTo) ? 'begun' : 'none'
}

/** A copy that a bot took up: it knows nothing of what happened from `from` to `at`. */
export interface Restored {
  from: Date
  at: Date
}

/** The database says that it is a copy, but of when cannot be read. */
export class UnreadableStamp extends Error {
  override name = 'UnreadableStamp'
  readonly code = 'unreadable_stamp'

  constructor() {
    super(
      'DATABASE_URL: this database is marked as a copy, but not of what time. Say it, for example: npm run restored -- --at 2026-11-21T10:32Z',
    )
  }
}

/** The database was moved to another one, which is the one to start on. */
export class MovedDatabase extends Error {
  override name = 'MovedDatabase'
  readonly code = 'moved_database'

  constructor() {
    super(
      'DATABASE_URL: this database was moved to another one, and what happened since stands there alone. Start on that one, for example DATABASE_URL=postgresql://user:password@localhost/bundlegram',
    )
  }
}

/** The database holds only a part of the rows of the one that is being moved to it. */
export class HalfMovedDatabase extends Error {
  override name = 'HalfMovedDatabase'
  readonly code = 'half_moved_database'

  constructor() {
    super(
      'DATABASE_URL: npm run db:move is filling this database, or was ended before all was there. Run it again, and it goes on where it was; then start',
    )
  }
}

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const stamp = z.object({ at: time })
const restored = z.object({ from: time, at: time })

export const formatStamp = (at: Date): string => JSON.stringify({ at: at.toISOString() })

/** @throws {UnreadableStamp} */
export const readStamp = (value: string): Date => {
  const parsed = stamp.safeParse(jsonOf(value))
  if (!parsed.success) throw new UnreadableStamp()
  return parsed.data.at
}

/**
 * A copy that is marked again keeps the earlier time. One whose stamp cannot be read says no time: the one that is given
 * now takes its place.
 */
export const earlierStamp = (known: string | null, at: Date): Date => {
  const parsed = known === null ? null : stamp.safeParse(jsonOf(known))
  return parsed?.success && parsed.data.at < at ? parsed.data.at : at
}

export const formatRestored = ({ from, at }: Restored): string =>
  JSON.stringify({ from: from.toISOString(), at: at.toISOString() })

export const readRestored = (value: string): Restored => restored.parse(jsonOf(value))

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
