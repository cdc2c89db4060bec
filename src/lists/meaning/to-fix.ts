import type { ReadLine } from '../reading-result.ts'

/**
 * Whether a person has to correct the line. Of several lines that are read together, only the first counts. A line
 * that only waits for an answer needs no correction.
 */
export const isToFix = ({ number, together, verdict, problems }: ReadLine): boolean =>
  verdict === 'fix' && number === together[0] && problems.some(({ code }) => code !== 'asked')
