import { callbacks } from './callbacks.ts'
import { drain } from './drain.ts'
import { exporting } from './export.ts'
import { type Figure, isMet, ratio } from './figure.ts'
import { finding } from './finding.ts'
import { floods } from './floods.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { instances } from './instances.ts'
import { latency } from './latency.ts'
import { lists } from './lists.ts'
import { memory } from './memory.ts'
import { type BenchOptions, commandOf, type RunCommand } from './options.ts'
import { owed } from './owed.ts'
import { pictures } from './pictures.ts'
import { preview } from './preview.ts'
import { purchases } from './purchases.ts'
import { recovery } from './recovery.ts'
import { linesOf, type Sheet } from './sheet.ts'
import { startUp } from './start-up.ts'
import { tableOf } from './table.ts'
import { unknownTokens } from './unknown-tokens.ts'
import { updates } from './updates.ts'

interface Bench {
  says: string
  run: (options: BenchOptions) => Promise<Figure[] | (Sheet & { figures?: Figure[] })>
}

const benches: Record<string, Bench> = {
  start: { says: 'time from the start to the first getUpdates', run: startUp },
  memory: { says: 'resident memory after a whole journey (Linux)', run: memory },
  updates: { says: 'updates handled, and answered, per second', run: updates },
  callbacks: {
    says: 'provider callbacks acknowledged durably, at full load, 500/s and in a burst',
    run: callbacks,
  },
  'unknown-tokens': {
    says: 'callbacks with unknown tokens refused per second, and genuine ones answered meanwhile',
    run: unknownTokens,
  },
  latency: {
    says: 'time from a callback to its status in the chat, idle and at 300 callbacks a second',
    run: latency,
  },
  purchases: {
    says: 'purchases a second, and what each costs, on SQLite and on the PostgreSQL of TEST_DATABASE_URL, near and far (--rtt, --instances, --seconds, --people, --cores)',
    run: purchases,
  },
  instances: {
    says: 'updates, callbacks, memory and take-over of 1, 2 and 4 instances on the PostgreSQL of TEST_DATABASE_URL',
    run: instances,
  },
  lists: { says: 'lines of a pasted list read per second', run: lists },
  preview: {
    says: 'time from a file of 10,000 lines to its preview, and the memory of the largest',
    run: preview,
  },
  export: {
    says: 'orders into files in the chat, and their memory with 100,000 and 300,000',
    run: exporting,
  },
  drain: { says: 'notices to many chats, at the limits of Telegram (2 minutes)', run: drain },
  floods: {
    says: 'what a member waits for, and memory, while strangers send 10,000 updates a minute (6 minutes)',
    run: floods,
  },
  finding: {
    says: 'due work found among 100, 10,000 and 100,000 waiting rows, on SQLite and on the PostgreSQL of TEST_DATABASE_URL',
    run: finding,
  },
  owed: { says: 'whose turn it is, found among 300,000 owed notices', run: owed },
  pictures: { says: 'time to the pictures of /stats and /prices with 100,000 orders', run: pictures },
  growth: { says: 'the same work with 1,000, 100,000 and 1,000,000 orders', run: growth },
  history: {
    says: 'pages of /orders, filters and searches with 100,000 orders in the account',
    run: history,
  },
  recovery: { says: 'start after an interruption with 100,000 orders', run: recovery },
}

const help = `npm run bench -- [options]

Measures the bot against the simulated Telegram and the simulated provider, all on this machine, each
figure beside that of something bare that does the same in the same run. Figures are medians of several
runs in turn. They depend on the machine; the ratios do so less.

  --only NAME  only this one; may be given several times:
${Object.entries(benches)
  .map(([name, { says }]) => `                 ${name.padEnd(14)} ${says}`)
  .join('\n')}
  --orders N   with how many orders, where a bench says so
  --rtt MS,…   purchases: round trips between bot and PostgreSQL (0,1,2,5)
  --instances N,…  purchases: how many processes, from 1 to 4 (1,2)
  --seconds N  purchases: how long people buy in each way (10)
  --people N   purchases: how many, each with an account (60)
  --cores N    purchases: how much of a core each process of the bot may use, such as 0.25, so that several
                 share nothing but the server; without SQLite, as root on Linux (as much as there is)
  --json       the figures as JSON instead of a table
  --help       this text

Databases are written to a folder below TMPDIR and removed: the callbacks' figures are those of its disk.
Nothing else is written, except Node's cache of compiled code by npm start. While it runs, stderr says what
is being measured.`

const run = async ({ only, json, ...options }: RunCommand): Promise<void> => {
  const figures: Figure[] = []
  const sheets: Sheet[] = []
  for (const [name, bench] of Object.entries(benches)) {
    if (only.length > 0 && !only.includes(name)) continue
    process.stderr.write(`${name}: ${bench.says} …\n`)
    const result = await bench.run(options)
    if ('rows' in result) {
      const { figures: beside = [], ...sheet } = result
      sheets.push(sheet)
      figures.push(...beside)
    } else figures.push(...result)
  }
  const tables = [...(figures.length > 0 ? [tableOf(figures)] : []), ...sheets.map(linesOf)]
  process.stdout.write(json ? `${jsonOf(figures, sheets)}\n` : tables.map((table) => `\n${table}\n`).join(''))
}

const jsonOf = (figures: readonly Figure[], sheets: readonly Sheet[]): string =>
  JSON.stringify(
    [...figures.map((figure) => ({ ...figure, ratio: ratio(figure), goalMet: isMet(figure) })), ...sheets],
    null,
    2,
  )

const command = commandOf(process.argv.slice(2), Object.keys(benches))
switch (command.kind) {
  case 'help':
    process.stdout.write(`${help}\n`)
    break
  case 'mistake':
    process.stderr.write(`${command.sentence}\nnpm run bench -- --help says what there is.\n`)
    process.exitCode = 2
    break
  case 'run':
    await run(command)
}
