import { parseArgs } from 'node:util'
import { callbacks } from './callbacks.ts'
import { floods } from './floods.ts'
import { lists } from './lists.ts'
import { purchases } from './purchases.ts'
import { start } from './start.ts'
import { type Figure, tableOf } from './table.ts'

/** The options of `npm run bench`. */
export interface BenchOptions {
  people: number
  /** Purchases a second. */
  rate: number
  seconds: number
  /** Round trips between the bot and PostgreSQL to measure, ms; 0: no added delay. */
  rttsMs: number[]
}

const benchmarks: Record<string, (options: BenchOptions) => Promise<Figure[]>> = {
  purchases,
  callbacks,
  lists,
  start,
  floods,
}

const help = `npm run bench -- [options]

Measures the bot between the simulated Telegram and the simulated provider, all on this machine, each figure
beside something plain that does the same in the same run. Figures depend on the machine; ratios do so less.
Runs on Linux.

  --only NAME    one of these; may be given several times:
                   purchases  from the typed order to its delivery, on SQLite and on the PostgreSQL of
                              TEST_DATABASE_URL; beside a naive bot on the same database (2 minutes each)
                   callbacks  callbacks accepted, and their way to the chat; beside a bare Fastify route
                   lists      pasted lists read; beside a regular expression
                   start      time to the first answer, and memory; beside an empty grammY bot
                   floods     what members wait for while strangers send 10,000 updates a minute; beside the bot
                              that lets them all in (4 minutes)
  --people N     purchases: how many buy (60)
  --rate N       purchases: how many a second (4)
  --seconds N    purchases: for how long (10)
  --rtt MS,MS    purchases: how far away PostgreSQL is, round trips in ms (0)
  --help         this text

Databases are in a folder below TMPDIR, or in a schema of their own, and are removed at the end.`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(benchmarks) },
    people: { type: 'string', default: '60' },
    rate: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
    rtt: { type: 'string', default: '0' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const numbers = (name: string, text: string): number[] => {
  const all = text.split(',').map(Number)
  if (all.some((number) => !(number >= 0))) throw new Error(`--${name} takes a number, not ${text}.`)
  return all
}

const number = (name: 'people' | 'rate' | 'seconds'): number => {
  const [first = 0] = numbers(name, values[name])
  if (first === 0) throw new Error(`--${name} takes a number above 0.`)
  return first
}

const run = async (): Promise<void> => {
  const options = {
    people: number('people'),
    rate: number('rate'),
    seconds: number('seconds'),
    rttsMs: numbers('rtt', values.rtt),
  }
  for (const name of values.only) {
    const benchmark = benchmarks[name]
    if (!benchmark) throw new Error(`--only takes one of ${Object.keys(benchmarks).join(', ')}, not ${name}.`)
    process.stderr.write(`${name} …\n`)
    process.stdout.write(`\n${tableOf(await benchmark(options))}\n\n`)
  }
}

if (values.help) process.stdout.write(`${help}\n`)
else await run()
