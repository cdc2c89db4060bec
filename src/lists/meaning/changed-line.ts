import { linesOf } from '../reading/normalize.ts'

export interface ChangedLine {
  /** Counts from 1. */
  number: number
  /** The line before the correction; null if the correction added it. */
  before: string | null
}

/** The lines that differ between two versions of a text. The later version must have at least as many lines. */
export const changedLines = (before: string, after: string): ChangedLine[] => {
  const old = linesOf(before)
  return linesOf(after).flatMap((line, index) =>
    line === old[index] ? [] : [{ number: index + 1, before: old[index] ?? null }],
  )
}

/** Undoes a correction. A line that it added becomes empty, so that all lines keep their numbers. */
export const putBack = (text: string, changed: readonly ChangedLine[]): string => {
  const lines = linesOf(text)
  for (const { number, before } of changed) if (number <= lines.length) lines[number - 1] = before ?? ''
  return lines.join('\n')
}
