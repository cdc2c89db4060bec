import { mutations } from './mutations.ts'
import { commandOf, purchasesPerSeed, type SimulateCommand } from './options.ts'
import { maxInstances } from './outside/weather.ts'
import { type Result, simulate } from './simulation.ts'
import { shareOut } from './thread.ts'

const help = `npm run simulate -- [options]

Runs the bot's engine and store (SQLite in memory) in one process, with a simulated provider, Telegram and people, on a
virtual clock. A seed determines all faults, crashes, pauses and the order of events, so the same seed always gives the
same run. After each step, and again two days after the last fault, the simulation checks the bot's promises: no debit
without a confirmation, none unexplained, every status reported, no order sent at an old price, no key accepted for the
wrong wallet.

Several instances of the bot share the database. All accept callbacks, but only the one that holds the lease does the
other work. Each has inaccurate clocks, and is killed, suspended beyond its lease and cut off from the database. The
simulation checks that no rate limit is exceeded (except after a suspension), that nobody works without the lease, that
no two instances send to one chat at once, and that together they have no more orders of an account in progress than
one may have. A single instance uses no lease: when it is suspended, a second one starts, and both work.

  --seed N       replay this seed and print its events; with --seeds or --seconds: the first seed
  --seeds N      how many seeds to run (20)
  --purchases M  purchases in each seed (${purchasesPerSeed})
  --seconds S    run seeds for S seconds instead of a fixed number
  --instances N  how many instances to run (default: the seed decides, from 1 to ${maxInstances})
  --workers N    threads that share the seeds or safeguards (1); a single seed always uses one thread
  --mutations [NAME …]
                 remove the bot's safeguards one at a time (all, or the named ones), and check that the simulation
                 notices each removal
  --judge-alone  with --mutations: check only with the judge, at the end of each run. The judge does not know how the
                 bot works, so it does not notice every removal
  --help         show this text

Exits with 1 if a promise was broken or a removal was not noticed. Writes nothing but its output.`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const replay = async (run: {
  seed: number
  purchases: number
  instances?: number | undefined
}): Promise<boolean> => {
  const result = await simulate({ ...run, traced: true })
  for (const line of result.trace) print(line)
  print(summaryOf([result]))
  return result.broken === null
}

const run = async ({
  firstSeed,
  seeds,
  seconds,
  purchases,
  instances,
  workers,
}: Extract<SimulateCommand, { kind: 'run' }>): Promise<boolean> => {
  const results: Result[] = []
  const beganMs = performance.now()
  let seed = firstSeed
  const isOver = () =>
    seconds === null ? seed >= firstSeed + seeds : performance.now() - beganMs >= seconds * 1000
  const nextSeed = () => (isOver() ? null : seed++)
  await shareOut(workers, nextSeed, async (thread, seed) => {
    const result = await thread.simulate({ seed, purchases, instances }).catch((error: unknown) => {
      throw new Error(`Seed ${seed} could not be simulated.`, { cause: error })
    })
    results.push(result)
    if (result.broken === null) return
    print(`seed ${seed}: ${result.broken}`)
    const given = instances === undefined ? '' : ` --instances ${instances}`
    print(`  npm run simulate -- --seed ${seed} --purchases ${purchases}${given}`)
  })
  results.sort((a, b) => a.seed - b.seed)
  print(`${summaryOf(results)}, ${Math.round((performance.now() - beganMs) / 1000)} s`)
  return results.every(({ broken }) => broken === null)
}

/** Prints for each safeguard whether the simulation fails without it. @returns true if it does for all. */
const checkMutations = async (names: string[], workers: number, judgedAlone: boolean): Promise<boolean> => {
  const left = names.length > 0 ? [...names] : Object.keys(mutations)
  let all = true
  await shareOut(
    workers,
    () => left.shift() ?? null,
    async (thread, safeguard) => {
      const found = await thread.notice(safeguard, judgedAlone)
      print(
        `without ${safeguard}: ${found ? `noticed in seed ${found.seed}: ${found.broken}` : 'NOT noticed'}`,
      )
      all &&= found !== null
    },
  )
  return all
}

const summaryOf = (results: readonly Result[]): string => {
  const sum = (number: (result: Result) => number) =>
    results.reduce((total, result) => total + number(result), 0)
  const broken = results.filter((result) => result.broken !== null).length
  return [
    `seeds ${results[0]?.seed} to ${results.at(-1)?.seed}`,
    `${sum(({ purchases }) => purchases)} purchases`,
    `${sum(({ debits }) => debits)} debits`,
    `${sum(({ crashes }) => crashes)} crashes`,
    `${sum(({ steps }) => steps)} steps`,
    `${sum(({ mistaken }) => mistaken)} orders with the debit of an identical order`,
    `${rangeOf(results.map(({ instances }) => instances))} instances`,
    `${sum(({ rounds }) => rounds.asked)} requests by leaders (${sum(({ rounds }) => rounds.askedLate)} after the lease had ended)`,
    `${sum(({ paced }) => paced.messages)} messages (${sum(({ paced }) => paced.excused)} not rate-checked because their process was suspended)`,
    `${broken} seeds broke a promise`,
  ].join(', ')
}

const rangeOf = (numbers: readonly number[]): string => {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  return least === most ? String(least) : `${least} to ${most}`
}

const command = commandOf(process.argv.slice(2))
switch (command.kind) {
  case 'help':
    print(help)
    break
  case 'mistake':
    process.stderr.write(`${command.sentence}\n`)
    process.exitCode = 2
    break
  case 'mutations':
    if (!(await checkMutations(command.names, command.workers, command.judgedAlone))) process.exitCode = 1
    break
  case 'replay':
    if (!(await replay(command))) process.exitCode = 1
    break
  case 'run':
    if (!(await run(command))) process.exitCode = 1
}
