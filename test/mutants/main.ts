import { readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { accepted, compilerIn } from './compiler.ts'
import { type Copy, copyOf } from './copy.ts'
import { draw } from './draw.ts'
import { hunt } from './hunt.ts'
import { changeOf, foundAgain, type Mutant, placeOf } from './mutant.ts'
import { orderOfTests } from './nearness.ts'
import { commandOf, type MutantsCommand, usualFolders } from './options.ts'
import { type Project, projectAt } from './project.ts'
import { jsonOf, lineOf, mutantsIn, reportOf, summaryOf } from './report.ts'
import { runTests } from './test-run.ts'

const help = `npm run mutants -- [options]

Counts what the tests notice. Operators and constants are drawn at random from the source, and each is changed
in a copy of the project: < to <=, === to !==, && to ||, + to -, !x to x, true to false, ?? with one side
left out, a number to another. Then the tests run on it, those nearest to the changed file first, until one
fails: the change is noticed. A change that no test notices has survived: it is equivalent, or a test is missing.

What the compiler refuses is not drawn; what is only logged, neither. All mutants are tried with their four
nearest test files, then with more and more. A test that noticed something is run without the mutant, too. If no
test ends for two and a half minutes, that is taken for an endless loop, and counts as noticed.

  --seed N       what is drawn (1): the same seed and the same source, the same mutants
  --count N      how many (60)
  --minutes M    when to stop, however many are left (30)
  --only PATH    only of this file or folder; may be given several times
                 (${usualFolders.join(', ')})
  --these N,N    only those with these numbers
  --from FILE    the mutants of an earlier report, found again by their lines, instead of new ones
  --json FILE    writes the report to a file, too, after each round
  --list         prints the mutants and runs nothing
  --help         this text

The tests run on SQLite, at low priority. The copy is in a folder of its own, which is removed; besides, nothing
is written. Ends with 1 if one has survived all tests.`

type Run = Extract<MutantsCommand, { kind: 'run' }>

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const drawn = async (project: Project, copy: Copy, command: Run, signal: AbortSignal): Promise<Mutant[]> => {
  const { seed, count } = command
  const refusedFiles = await compilerIn(copy, signal)
  const sieve = (mutants: readonly Mutant[]) => accepted(mutants, refusedFiles)
  return draw(project.places(command.only), { seed, count, sieve })
}

/** Those of a report, as they are now: the ones whose place is no more are named, and left out. */
const found = (project: Project, mutants: readonly Mutant[]): Mutant[] =>
  mutants.flatMap((mutant) => {
    const now = foundAgain(mutant, project.places([mutant.file]).flat())
    if (!now)
      print(`${String(mutant.number).padStart(3)}  gone       ${placeOf(mutant)}  ${changeOf(mutant)}`)
    return now ?? []
  })

const run = async (command: Run, project: Project, copy: Copy, signal: AbortSignal): Promise<void> => {
  const { from, these } = command
  const all = from ? mutantsIn(readFileSync(from, 'utf8')) : await drawn(project, copy, command, signal)
  const meant = all.filter(({ number }) => these.length === 0 || these.includes(number))
  const mutants = from ? found(project, meant) : meant
  if (command.list) {
    for (const mutant of mutants) print(`${mutant.number}  ${placeOf(mutant)}  ${changeOf(mutant)}`)
    return
  }
  const findings = await hunt(mutants, {
    testsFor: orderOfTests(project.tests(), project.imports()),
    run: async (mutant, files) => {
      await copy.hold(mutant ? [mutant] : [])
      return runTests(copy, files, { bail: mutant !== null, signal })
    },
    signal,
    tell: (finding) => print(lineOf(finding)),
    keep: (findings) => {
      print(`… ${summaryOf(findings)}`)
      if (command.json) writeFileSync(command.json, jsonOf(findings))
    },
  })
  print(`\n${reportOf(findings)}`)
  if (findings.some(({ verdict, left }) => verdict === 'survived' && left === 0)) process.exitCode = 1
}

const start = async (command: Run): Promise<void> => {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(command.minutes * 60_000)])
  const project = projectAt(join(import.meta.dirname, '../..'))
  const copy = await copyOf(project.root)
  try {
    await run(command, project, copy, signal)
  } finally {
    await copy.remove()
  }
  if (interrupted.signal.aborted) process.exitCode = 130
}

const command = commandOf(process.argv.slice(2))
switch (command.kind) {
  case 'help':
    print(help)
    break
  case 'mistake':
    process.stderr.write(`${command.sentence}\nnpm run mutants -- --help says what there is.\n`)
    process.exitCode = 2
    break
  case 'run':
    await start(command)
}
