import type { ReadLine } from './reading.ts'

/**
 * Whether a person has to correct the line. Of several lines that are read as one only the first counts, and a line
 * that waits for an answer alone is not to correct.
 */
export const isToFix = ({ number, together, verdict, problems }: ReadLine): boolean =>
  verdict === 'fix' && number === together[0] && problems.some(({ code }) => code !== 'asked')
