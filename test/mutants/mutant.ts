import { z } from 'zod'

/** One change of one operator or constant. */
export const mutantSchema = z.object({
  /** Among those drawn with the same seed from the same source, from 1. */
  number: z.number(),
  /** From the root of the project, with `/`. */
  file: z.string(),
  line: z.number(),
  column: z.number(),
  /** Where the changed text begins in the file. */
  start: z.number(),
  before: z.string(),
  after: z.string(),
  /** The whole line before the change, by which the place is found again when lines above it have changed. */
  text: z.string(),
})

export type Mutant = z.infer<typeof mutantSchema>

/** The source with the change. @throws if it is not the source that the mutant was drawn from */
export const mutated = (source: string, { file, line, start, before, after }: Mutant): string => {
  if (source.slice(start, start + before.length) !== before) {
    throw new RangeError(`${file}:${line} has changed since the mutant was drawn.`)
  }
  return source.slice(0, start) + after + source.slice(start + before.length)
}

/** Its place among all the mutants of its file. */
export const foundAgain = (mutant: Mutant, candidates: readonly Mutant[]): Mutant | undefined => {
  const distance = ({ line, column }: Mutant) =>
    Math.abs(line - mutant.line) * 1000 + Math.abs(column - mutant.column)
  const found = candidates
    .filter(
      ({ before, after, text }) => before === mutant.before && after === mutant.after && text === mutant.text,
    )
    .sort((first, second) => distance(first) - distance(second))[0]
  return found && { ...found, number: mutant.number }
}

export const placeOf = ({ file, line, column }: Mutant): string => `${file}:${line}:${column}`

/** What changed, in one short line. */
export const changeOf = ({ before, after }: Mutant): string =>
  `${onOneLine(before)} → ${onOneLine(after) || '(nothing)'}`

const maxShownLength = 32

const onOneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line
}
