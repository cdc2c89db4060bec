import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandWith } from '../base/installation.ts'
import {
  type Compared,
  type Comparison,
  type Moved,
  move,
  type OnProgress,
  verify,
} from '../database/move/move.ts'
import { databaseOf, usualUrl } from './database-option.ts'
import { Mistake, runCommand } from './run-command.ts'

const help = `${commandWith('db:move', '--from file:PATH --to-file FILE [options]')}

Moves the bot's SQLite database to an empty PostgreSQL database. Stop the bot first.

All rows are copied in one transaction, which is committed only if each table has the same row
count and checksum on both sides. From then on the bot starts only on PostgreSQL, no longer on the
SQLite database. If the command is interrupted, run it again: it starts over. On its first start
there, the bot sends none of the orders it finds, as after restoring a backup: drafts expire, and
the wallet's entries show what became of waiting orders.

  --from file:PATH    the SQLite database (default: DATABASE_URL, from the environment or .env)
  --to-file FILE      a file with the PostgreSQL address, for example the one you will name in
                      DATABASE_URL_FILE: postgresql://bundlegram:password@127.0.0.1:5432/bundlegram
  --to ADDRESS        the address itself (default: DATABASE_URL, unless that is the SQLite database).
                      Every user of this machine can see a command line, so keep the password in
                      ~/.pgpass or PGPASSWORD
  --verify            change nothing, only compare the two databases, even while they are in use
  --help              show this text
  --version           show the version

PostgreSQL cannot store the character NUL. In texts it becomes U+FFFD, which counts as equal.

Exits with 0 when everything is moved (with --verify: when nothing differs), otherwise with 1 and
the reason.`

const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  'to-file': { type: 'string' },
  verify: { type: 'boolean', default: false },
} as const

const sourceOf = (option: string | undefined): string => {
  if (option === undefined && !usualUrl().startsWith('file:')) {
    throw new Mistake('Name the SQLite database, for example: --from file:./data/bundlegram.db')
  }
  if (option !== undefined && /^postgres/.test(option)) {
    throw new Mistake('--from must name the SQLite database, for example --from file:./data/bundlegram.db')
  }
  return databaseOf(option)
}

const targetOf = (address: string | undefined, file: string | undefined): string => {
  if (address !== undefined && file !== undefined) throw new Mistake('Use --to or --to-file, not both.')
  const url = file === undefined ? (address ?? usualUrl()) : contentOf(file)
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new Mistake(
    `${file ?? '--to'} must name a PostgreSQL database, for example postgresql://bundlegram@127.0.0.1:5432/bundlegram`,
  )
}

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Mistake(`--to-file: cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

const everyMs = 1_000

/** Shows a line of progress every second, with the speed since the current step began. */
const showRows = (): OnProgress => {
  let next = Date.now() + everyMs
  let since = { doing: '', done: 0, at: Date.now() }
  return (doing, done, total) => {
    if (doing !== since.doing) since = { doing, done, at: Date.now() }
    if (Date.now() < next || done === since.done) return
    next = Date.now() + everyMs
    const perSecond = Math.round(((done - since.done) * 1000) / Math.max(1, Date.now() - since.at))
    const percent = Math.floor((done / Math.max(1, total)) * 100)
    process.stderr.write(`${percent}% ${doing}, ${whole(perSecond)} rows/s\n`)
  }
}

const whole = (count: number): string => count.toLocaleString('en')

const lineOf = ({ table, rows, checksum, isSame }: Comparison): string => {
  const counts =
    rows.source === rows.target ? whole(rows.source) : `${whole(rows.source)} → ${whole(rows.target)}`
  return `  ${table.padEnd(16)} ${counts.padStart(20)}  ${isSame ? checksum.slice(0, 16) : 'DIFFERS'}`
}

const listOf = (tables: readonly Comparison[]): string[] => [
  '  table                            rows  checksum',
  ...tables.map(lineOf),
]

const nulLine = (replaced: number): string[] =>
  replaced === 0
    ? []
    : [`Texts in which U+FFFD replaces the character NUL on PostgreSQL: ${whole(replaced)}.`]

const differing = (tables: readonly Comparison[]): string =>
  tables
    .filter(({ isSame }) => !isSame)
    .map(({ table }) => table)
    .join(', ')

const say = (lines: readonly string[]): unknown => process.stdout.write(`${lines.join('\n')}\n`)

const fail = (lines: readonly string[]): void => {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}

const tell = (outcome: Moved, path: string): unknown => {
  switch (outcome.kind) {
    case 'moved': {
      const total = outcome.tables.reduce((sum, { rows }) => sum + rows.source, 0)
      return say([
        ...listOf(outcome.tables),
        `Moved ${whole(total)} rows. All row counts and checksums match.`,
        ...nulLine(outcome.replaced),
        `Now start the bot with the PostgreSQL address in DATABASE_URL. No bot will start on ${path} any more. Delete it once you are sure: it contains customers' numbers.`,
      ])
    }
    case 'was_moved':
      return say([`Already moved there on ${outcome.at.toISOString()}. Nothing was changed.`])
    case 'differs':
      return fail([
        ...listOf(outcome.tables),
        `Not moved: ${differing(outcome.tables)} differ. Nothing was changed in either database. Run the command again. If that does not help, please report this.`,
      ])
  }
}

const tellCompared = ({ tables, replaced }: Compared): unknown => {
  const different = differing(tables)
  if (different !== '') return fail([...listOf(tables), `The databases differ in: ${different}.`])
  return say([...listOf(tables), 'All row counts and checksums match.', ...nulLine(replaced)])
}

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options })
  const path = sourceOf(values.from)
  const url = targetOf(values.to, values['to-file'])
  const ends = { path, url, onProgress: showRows() }
  if (values.verify) tellCompared(await verify(ends))
  else tell(await move({ ...ends, now: () => new Date() }), path)
})
