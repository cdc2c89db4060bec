import { mutations } from './mutations.ts'
import { commandOf, purchasesPerSeed, type SimulateCommand } from './options.ts'
import { maxInstances } from './outside/weather.ts'
import { type Result, simulate } from './simulation.ts'
import { shareOut } from './thread.ts'

const help = `npm run simulate -- [options]

Runs the bot's engine in one process against a simulated provider, a simulated Telegram and people, by a virtual
clock, on the bot's own store with SQLite in memory. Faults, crashes, pauses and the order of events are drawn from
the seed: the same seed is the same run. After each step, and when all has come to rest, two days after the last
fault, the promises are checked: no debit without its confirmation, none unexplained, every status told, no order
sent by an old price, no key of another wallet taken for a new one.

Several instances share the database: one works by a lease, all take in callbacks. Each has clocks of its own that are
off; each is killed, stopped beyond its lease and cut off from the database. It is watched that no rate is exceeded
(but by a process that stood still), no round is done without the lease, and no two instances send to one chat or have
orders of one account under way. A single instance knows no lease: where it stands still a second one is started, and both work.

  --seed N       replays one seed and prints its events; with --seeds or --seconds: the first seed
  --seeds N      so many seeds (20)
  --purchases M  purchases of each seed (${purchasesPerSeed})
  --seconds S    seeds until so much time has passed
  --instances N  so many instances (drawn for each seed, 1 to ${maxInstances})
  --workers N    so many threads share out the seeds, or the safeguards (1); a seed alone is always one thread's
  --mutations [NAME …]
                 takes out the bot's safeguards one by one, all or the named ones, and shows that the simulation
                 notices each
  --judge-alone  with --mutations: only the judge looks at the end of each run, and says what it sees of them.
                 It knows nothing of how the bot works, so it does not see all
  --help         this text

Ends with 1 when a promise was broken. Writes nothing but its output.`

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
      print(`without ${safeguard}: ${found ? `seed ${found.seed}: ${found.broken}` : 'not noticed'}`)
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
    `${sum(({ mistaken }) => mistaken)} taken for another's`,
    `${rangeOf(results.map(({ instances }) => instances))} instances`,
    `${sum(({ rounds }) => rounds.asked)} requests of who led (${sum(({ rounds }) => rounds.askedLate)} after its lease)`,
    `${sum(({ paced }) => paced.messages)} messages paced (${sum(({ paced }) => paced.excused)} by a process that stood still or had no database)`,
    `${broken} broken`,
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
