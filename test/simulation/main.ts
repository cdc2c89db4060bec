import { checkMutations } from './mutations.ts'
import { commandOf, purchasesPerSeed } from './options.ts'
import { type Result, simulate } from './simulation.ts'

const help = `npm run simulate -- [options]

Runs the bot's domain in one process against a simulated provider, a simulated Telegram and people, by a
virtual clock and on a database in memory. Faults, crashes, pauses and the order of events are drawn from the
seed: the same seed is the same run. After each step, and when all has come to rest, two days after the last
fault, the promises are checked: no debit without its confirmation, none unexplained, every status told.

  --seed N       replays one seed and prints its events; with --seeds or --seconds: the first seed
  --seeds N      so many seeds, one after another (20)
  --purchases M  purchases of each seed (${purchasesPerSeed})
  --seconds S    seeds until so much time has passed
  --mutations    takes out the bot's safeguards one by one, and shows that the simulation notices each
  --help         this text

Ends with 1 when a promise was broken. Writes nothing but its output.`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const replay = async (seed: number, purchases: number): Promise<boolean> => {
  const result = await simulate({ seed, purchases, traced: true })
  for (const line of result.trace) print(line)
  print(summaryOf([result]))
  return result.broken === null
}

const run = async (
  first: number,
  { seeds, seconds, purchases }: { seeds: number; seconds: number | null; purchases: number },
): Promise<boolean> => {
  const results: Result[] = []
  const beganMs = performance.now()
  const isOver = () =>
    seconds === null ? results.length >= seeds : performance.now() - beganMs >= seconds * 1000
  while (!isOver()) {
    const result = await simulate({ seed: first + results.length, purchases })
    results.push(result)
    if (result.broken !== null) {
      print(`seed ${result.seed}: ${result.broken}`)
      print(`  npm run simulate -- --seed ${result.seed} --purchases ${purchases}`)
    }
  }
  print(`${summaryOf(results)}, ${Math.round((performance.now() - beganMs) / 1000)} s`)
  return results.every(({ broken }) => broken === null)
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
    `${broken} broken`,
  ].join(', ')
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
    if (!(await checkMutations(print))) process.exitCode = 1
    break
  case 'replay':
    if (!(await replay(command.seed, command.purchases))) process.exitCode = 1
    break
  case 'run':
    if (!(await run(command.firstSeed, command))) process.exitCode = 1
}
