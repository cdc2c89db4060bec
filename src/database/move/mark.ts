import { z } from 'zod'
import { copyMarkNames } from '../copy-mark.ts'

/** The mark of one move, by which its two databases name each other. */
export interface Mark {
  id: string
  /** When the move began: the source knows nothing later. */
  at: Date
}

/** How much of the source the target has. */
export type Position =
  | {
      kind: 'copying'
      table: string | null /** The source's `rowid` of the last row of it. */
      after: bigint
      rows: number
    }
  /** All of it, compared row by row. */
  | { kind: 'verified' }

const mark = z.object({ id: z.string(), at: z.iso.datetime().transform((text) => new Date(text)) })

const position = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('copying'),
    table: z.string().nullable(),
    after: z.string().transform(BigInt),
    rows: z.number(),
  }),
  z.object({ kind: z.literal('verified') }),
])

/** Writes a mark as the text of a fact. */
export const formatMark = ({ id, at }: Mark): string => JSON.stringify({ id, at: at.toISOString() })
/** Reads a mark; null stays null. @throws if the text is malformed. */
export const readMark = (value: string | null): Mark | null =>
  value === null ? null : mark.parse(JSON.parse(value))

/** Writes a position as the text of a fact. */
export const formatPosition = (at: Position): string =>
  JSON.stringify(at, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
/** Reads a position. @throws if the text is malformed. */
export const readPosition = (value: string): Position => position.parse(JSON.parse(value))

/** The position before every row. */
export const beginning: Position = { kind: 'copying', table: null, after: -(2n ** 63n), rows: 0 }

const { restored, ...ownNames } = copyMarkNames

/** Facts that belong to one database alone and are never copied. */
export const ownFacts = Object.values(ownNames)

/** The rows that a move copies, as SQL. Each database writes its duties itself, by triggers. */
export const movedRows = (table: string): string => {
  if (table === 'Duty') return 'false'
  return table === 'Fact' ? `"name" NOT IN (${ownFacts.map((name) => `'${name}'`).join(', ')})` : 'true'
}
