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

Moves the bot's SQLite database to an empty PostgreSQL. Stop the bot first.

One transaction copies all rows and compares the count and the checksums of each table. Only when
all agree is it committed; from then on the bot starts on the PostgreSQL, and no longer on the
SQLite database. If the command is interrupted, run it again: it begins anew. On its first start
there the bot sends no order that it finds, as with a restored backup: drafts expire, and waiting
orders are settled by the wallet's entries.

  --from file:PATH    the SQLite database (default: DATABASE_URL, from the environment or .env)
  --to-file FILE      a file that holds the address of the PostgreSQL, as DATABASE_URL_FILE may name
                      it later: postgresql://bundlegram:password@127.0.0.1:5432/bundlegram
  --to ADDRESS        the address itself (default: DATABASE_URL, if that is not the SQLite). Every
                      user of the machine can read a command line, so keep the password in
                      ~/.pgpass or PGPASSWORD
  --verify            change nothing, only compare the two databases, in use or not
  --help              this text
  --version           the version

PostgreSQL cannot store the character NUL. In texts it becomes U+FFFD, which counts as equal.

Exits with 0 when all is moved (with --verify: when nothing differs), else with 1 and the reason.`

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
    throw new Mistake('--from: is the SQLite database, for example --from file:./data/bundlegram.db')
  }
  return databaseOf(option)
}

const targetOf = (address: string | undefined, file: string | undefined): string => {
  if (address !== undefined && file !== undefined) throw new Mistake('Name --to or --to-file, not both.')
  const url = file === undefined ? (address ?? usualUrl()) : contentOf(file)
  if (/^postgres(ql)?:\/\//.test(url)) return url
  throw new Mistake(
    `${file ?? 'Where to'}: name a PostgreSQL, for example postgresql://bundlegram@127.0.0.1:5432/bundlegram`,
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
    process.stderr.write(`${percent} % ${doing}, ${whole(perSecond)} rows/s\n`)
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
  replaced === 0 ? [] : [`In ${whole(replaced)} texts the character NUL is U+FFFD there.`]

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
        `Moved: ${whole(total)} rows; counts and checksums of all tables agree.`,
        ...nulLine(outcome.replaced),
        `Start the bot with DATABASE_URL naming the PostgreSQL. No bot starts on ${path} any more: delete it when you are sure, for customers' numbers are there.`,
      ])
    }
    case 'was_moved':
      return say([`Was moved there on ${outcome.at.toISOString()}; nothing was changed.`])
    case 'differs':
      return fail([
        ...listOf(outcome.tables),
        `Not moved: ${differing(outcome.tables)} differ. Nothing was changed in either database. Run it again; if that does not help, report it.`,
      ])
  }
}

const tellCompared = ({ tables, replaced }: Compared): unknown => {
  const different = differing(tables)
  if (different !== '') return fail([...listOf(tables), `They differ in ${different}.`])
  return say([...listOf(tables), 'Counts and checksums of all tables agree.', ...nulLine(replaced)])
}

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options })
  const path = sourceOf(values.from)
  const url = targetOf(values.to, values['to-file'])
  const ends = { path, url, onProgress: showRows() }
  if (values.verify) tellCompared(await verify(ends))
  else tell(await move({ ...ends, now: () => new Date() }), path)
})
