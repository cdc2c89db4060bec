import { describe, expect, test } from 'vitest'
import { type Finding, hunt } from './hunt.ts'
import type { Mutant } from './mutant.ts'
import { placesOf } from './place.ts'
import { jsonOf, mutantsIn, summaryOf } from './report.ts'
import type { TestRun } from './test-run.ts'

const mutants = placesOf('src/a.ts', 'f(a === b, b === c, c === d)')
  .flat()
  .map((mutant, index) => ({ ...mutant, number: index + 1 }))
const [first, second, third] = mutants as [Mutant, Mutant, Mutant]
const tests = Array.from({ length: 40 }, (_, index) => `test/${index}.test.ts`)

/** Runs nothing: the test files of the map fail, for the mutants with these numbers (0: without any). */
const play = async (
  noticing: Record<string, readonly number[]>,
  { stops = Number.POSITIVE_INFINITY, stalls = false } = {},
) => {
  const ran: string[] = []
  const told: Finding[] = []
  const kept: string[] = []
  const end = new AbortController()
  const run = async (mutant: Mutant | null, files: readonly string[]): Promise<TestRun> => {
    ran.push(`${mutant?.number ?? 0}: ${files.length}`)
    if (ran.length >= stops) {
      end.abort()
      return { end: 'stopped', failures: [], unfinished: files }
    }
    const failed = files.filter((file) => noticing[file]?.includes(mutant?.number ?? 0))
    if (stalls && failed.length > 0) return { end: 'stalled', failures: [], unfinished: failed }
    const failures = failed.map((file) => ({ file, test: 'a sentence' }))
    return { end: 'whole', failures: mutant ? failures.slice(0, 1) : failures, unfinished: [] }
  }
  const findings = await hunt(mutants, {
    testsFor: () => tests,
    run,
    signal: end.signal,
    tell: (finding) => told.push(finding),
    keep: (findings) => kept.push(summaryOf(findings)),
  })
  return { findings, ran, told, kept }
}

const verdicts = (findings: readonly Finding[]) => findings.map(({ verdict }) => verdict)

describe('a hunt', () => {
  test('tries all mutants with their nearest tests before it goes on to others', async () => {
    const { findings, ran } = await play({ 'test/1.test.ts': [2], 'test/9.test.ts': [1] })
    expect(verdicts(findings)).toEqual(['noticed', 'noticed', 'survived'])
    expect(ran).toEqual(['1: 4', '2: 4', '3: 4', '0: 1', '1: 8', '3: 8', '0: 1', '3: 20', '3: 8'])
    expect(findings[2]).toMatchObject({ passed: 40, left: 0 })
  })

  test('tells of a mutant as soon as a test notices it, and which', async () => {
    const { told } = await play({ 'test/1.test.ts': [2] })
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ mutant: second, by: { file: 'test/1.test.ts', test: 'a sentence' } })
  })

  test('keeps what is known after each round, from the first one on', async () => {
    const { kept } = await play({ 'test/1.test.ts': [2], 'test/9.test.ts': [1] })
    expect(kept[0]).toContain('3 mutants: 1 noticed')
    expect(kept[1]).toContain('3 mutants: 2 noticed')
  })

  test('does not believe a test that fails without a mutant, and asks the others', async () => {
    const { findings } = await play({ 'test/1.test.ts': [0, 1, 2, 3], 'test/2.test.ts': [3] })
    expect(verdicts(findings)).toEqual(['survived', 'survived', 'noticed'])
    expect(findings[0]).toMatchObject({ passed: 39, left: 0 })
  })

  test('takes an endless loop for noticed, where there is none without the mutant', async () => {
    const { findings } = await play({ 'test/1.test.ts': [1], 'test/2.test.ts': [0, 2] }, { stalls: true })
    expect(verdicts(findings)).toEqual(['noticed', 'survived', 'survived'])
    expect(findings[0]).toMatchObject({ timedOut: true })
  })

  test('says what was not tried when time is up', async () => {
    const { findings, ran } = await play({ 'test/1.test.ts': [1] }, { stops: 3 })
    expect(ran).toHaveLength(3)
    expect(verdicts(findings)).toEqual(['noticed', 'survived', 'not tried'])
    expect(summaryOf(findings)).toBe(
      '3 mutants: 1 noticed (50% of those tried), 1 survived; 1 of the survivors were not tried with all tests; time was up for 1',
    )
  })
})

test('the mutants of a report in JSON can be tried again', async () => {
  const { findings } = await play({})
  expect(mutantsIn(jsonOf(findings))).toEqual([first, second, third])
})
