import type { Mutant } from './mutant.ts'
import type { Failure, TestRun } from './test-run.ts'

/** What became of a mutant. */
export interface Finding {
  mutant: Mutant
  verdict: 'noticed' | 'survived' | 'not tried'
  /** The test that noticed it. */
  by?: Failure
  /** Noticed because no test ended any more. */
  timedOut: boolean
  /** Test files that ran to their end and noticed nothing. */
  passed: number
  /** Test files that are left to be tried. */
  left: number
  seconds: number
}

export interface HuntOptions {
  /** All test files, the likeliest to notice a change of the file first. */
  testsFor(file: string): readonly string[]
  /** Runs test files with the mutant, or without any; until the first failure, or all of them. */
  run(mutant: Mutant | null, files: readonly string[]): Promise<TestRun>
  signal: AbortSignal
  /** Is told of each mutant as soon as it is noticed. */
  tell(finding: Finding): void
  /** Is given all that is known after each round. */
  keep(findings: readonly Finding[]): void
}

/**
 * How many test files each mutant has been tried with at the end of a round. All mutants take their turn in each round:
 * when time is up, the likeliest tests have been tried with all of them.
 */
const rounds = [4, 12, 32, 80, Number.POSITIVE_INFINITY]

/** Tries the mutants until all are noticed or no test is left, or the signal stops it. */
export const hunt = async (mutants: readonly Mutant[], options: HuntOptions): Promise<Finding[]> => {
  const trials = mutants.map((mutant) => new Trial(mutant, options.testsFor(mutant.file)))
  const control = new Control(options)
  for (const reach of rounds) {
    let open = trials.filter(({ isOpen }) => isOpen)
    if (open.length === 0 || options.signal.aborted) break
    while (open.length > 0 && !options.signal.aborted) {
      for (const trial of open) await trial.go(reach, control.untrusted, options)
      open = await control.doubt(open)
    }
    options.keep(trials.map((trial) => trial.finding))
  }
  return trials.map((trial) => trial.finding)
}

/** One mutant on its way through the tests. */
class Trial {
  readonly #mutant: Mutant
  #left: readonly string[]
  #passed = 0
  #seconds = 0
  #wasTried = false
  #run: TestRun | null = null

  constructor(mutant: Mutant, tests: readonly string[]) {
    this.#mutant = mutant
    this.#left = tests
  }

  get isOpen(): boolean {
    return this.#run === null && this.#left.length > 0
  }

  /** The files by which it was noticed: the failed one, or all that did not come to their end. */
  get blamed(): readonly string[] {
    if (!this.#run) return []
    const { failures, unfinished } = this.#run
    return failures[0] ? failures.flatMap(({ file }) => file ?? []) : unfinished
  }

  async go(reach: number, untrusted: ReadonlySet<string>, { run, signal, tell }: HuntOptions): Promise<void> {
    this.#left = this.#left.filter((file) => !untrusted.has(file))
    const files = this.#left.slice(0, Math.max(0, reach - this.#passed))
    if (files.length === 0 || signal.aborted) return
    const beganMs = performance.now()
    const result = await run(this.#mutant, files)
    this.#seconds += (performance.now() - beganMs) / 1000
    if (result.end === 'stopped' && result.failures.length === 0) return
    this.#wasTried = true
    if (result.end === 'stalled' || result.failures.length > 0) {
      this.#run = result
      tell(this.finding)
    } else {
      this.#passed += files.length
      this.#left = this.#left.slice(files.length)
    }
  }

  /** The tests that noticed it also fail without any mutant. */
  acquit(): void {
    this.#run = null
  }

  get finding(): Finding {
    const by = this.#run?.failures[0]
    return {
      mutant: this.#mutant,
      verdict: this.#run ? 'noticed' : this.#wasTried ? 'survived' : 'not tried',
      ...(by && { by }),
      timedOut: this.#run !== null && !by,
      passed: this.#passed,
      left: this.#left.length,
      seconds: this.#seconds,
    }
  }
}

/** Looks whether the tests that noticed something are content without a mutant. */
class Control {
  readonly untrusted = new Set<string>()
  readonly #trusted = new Set<string>()
  readonly #options: HuntOptions

  constructor(options: HuntOptions) {
    this.#options = options
  }

  /** @returns the trials that have to go on, because a test that noticed their mutant cannot be trusted */
  async doubt(trials: readonly Trial[]): Promise<Trial[]> {
    const unknown = new Set(trials.flatMap(({ blamed }) => blamed))
    for (const file of [...this.#trusted, ...this.untrusted]) unknown.delete(file)
    if (unknown.size > 0 && !this.#options.signal.aborted) await this.#try([...unknown])
    const acquitted = trials.filter(({ blamed }) => blamed.some((file) => this.untrusted.has(file)))
    for (const trial of acquitted) trial.acquit()
    return acquitted
  }

  async #try(files: readonly string[]): Promise<void> {
    const { end, failures, unfinished } = await this.#options.run(null, files)
    if (end === 'stopped') return
    const bad = new Set([...failures.map(({ file }) => file), ...(end === 'stalled' ? unfinished : [])])
    for (const file of files) (bad.has(file) ? this.untrusted : this.#trusted).add(file)
  }
}
