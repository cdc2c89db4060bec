import { z } from 'zod'
import type { Finding } from './hunt.ts'
import { changeOf, type Mutant, mutantSchema, placeOf } from './mutant.ts'

/** What became of it, in a line. */
export const lineOf = ({ mutant, verdict, by, timedOut, passed, left, seconds }: Finding): string => {
  const what = `${String(mutant.number).padStart(3)}  ${verdict.padEnd(9)}  ${placeOf(mutant)}  ${changeOf(mutant)}`
  const time = `${Math.round(seconds)} s`
  switch (verdict) {
    case 'noticed':
      return `${what}\n       ${time}, ${timedOut ? 'by time-out' : `by ${by?.file ?? 'vitest'}: ${firstLine(by?.test)}`}`
    case 'survived':
      return `${what}\n       ${time}, ${passed} test files passed${left > 0 ? `, ${left} were not tried` : ''}`
    case 'not tried':
      return what
  }
}

const firstLine = (text = ''): string => text.split('\n')[0] ?? ''

/** The table, survivors last, and the share. */
export const reportOf = (findings: readonly Finding[]): string => {
  const of = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict)
  const sorted = [...of('noticed'), ...of('not tried'), ...of('survived')]
  return [...sorted.map(lineOf), '', summaryOf(findings)].join('\n')
}

export const summaryOf = (findings: readonly Finding[]): string => {
  const count = (verdict: Finding['verdict']) =>
    findings.filter((finding) => finding.verdict === verdict).length
  const [noticed, survived, untried] = [count('noticed'), count('survived'), count('not tried')]
  const unfinished = findings.filter(({ verdict, left }) => verdict === 'survived' && left > 0).length
  const share = noticed + survived > 0 ? Math.round((100 * noticed) / (noticed + survived)) : 0
  return [
    `${findings.length} mutants: ${noticed} noticed (${share}% of those tried), ${survived} survived`,
    ...(unfinished > 0 ? [`${unfinished} of the survivors were not tried with all tests`] : []),
    ...(untried > 0 ? [`time was up for ${untried}`] : []),
  ].join('; ')
}

const reportSchema = z.object({ findings: z.array(z.object({ mutant: mutantSchema })) })

export const jsonOf = (findings: readonly Finding[]): string =>
  `${JSON.stringify({ summary: summaryOf(findings), findings }, null, 2)}\n`

/** The mutants of a report in JSON. @throws where it is none */
export const mutantsIn = (json: string): Mutant[] =>
  reportSchema.parse(JSON.parse(json)).findings.map(({ mutant }) => mutant)
