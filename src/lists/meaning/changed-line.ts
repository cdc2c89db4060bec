import { linesOf } from '../reading/plain.ts'

/** A line that a correction changed. */
export interface ChangedLine {
  /** Counts from 1. */
  number: number
  /** The line before; null if the correction added it. */
  before: string | null
}

/** The lines in which two versions of a text differ. The later version has as many lines or more. */
export const changedLines = (before: string, after: string): ChangedLine[] => {
  const old = linesOf(before)
  return linesOf(after).flatMap((line, index) =>
    line === old[index] ? [] : [{ number: index + 1, before: old[index] ?? null }],
  )
}

/** Takes a correction back. A line that it added becomes empty, so that all lines keep their numbers. */
export const putBack = (text: string, changed: readonly ChangedLine[]): string => {
  const lines = linesOf(text)
  for (const { number, before } of changed) if (number <= lines.length) lines[number - 1] = before ?? ''
  return lines.join('\n')
}
