import { z } from 'zod'
import { stampNames } from '../stamp.ts'

/** One move: its two databases name each other by it. */
export interface Mark {
  id: string
  /** When it began: what the source knows ends there. */
  at: Date
}

/** What the target has of the source. */
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

export const formatMark = ({ id, at }: Mark): string => JSON.stringify({ id, at: at.toISOString() })
export const readMark = (value: string | null): Mark | null =>
  value === null ? null : mark.parse(JSON.parse(value))

export const formatPosition = (at: Position): string =>
  JSON.stringify(at, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
export const readPosition = (value: string): Position => position.parse(JSON.parse(value))

/** Before every row. */
export const beginning: Position = { kind: 'copying', table: null, after: -(2n ** 63n), rows: 0 }

const { restored, ...ownNames } = stampNames

/** Facts that each database has of its own, and neither gets from the other. */
export const ownFacts = Object.values(ownNames)

/** Of which rows a move consists, as SQL. */
export const movedRows = (table: string): string =>
  table === 'Fact' ? `"name" NOT IN (${ownFacts.map((name) => `'${name}'`).join(', ')})` : 'true'
