import { parseArgs } from 'node:util'
import { usage } from '../installation.ts'
import { backUp } from '../store/backup.ts'
import { databasePath, FileFault } from '../store/database-file.ts'
import { readPostgresUrl, withoutPassword } from '../store/postgres-url.ts'
import { urlOf } from './database.ts'
import { Mistake, runCommand } from './outcome.ts'
import { showProgress } from './progress.ts'
import { quoted } from './quoting.ts'

const help = `${usage('backup')} FILE [options]

Copies the bot's SQLite database to FILE. The bot may be running: the copy is the database as it
was when the command began, checked and on the disk before it gets its name. It holds customers'
numbers and sealed credentials: it is readable by you alone, and opens only with CREDENTIALS_KEY,
which is not in it.

  --database file:PATH  the database (default: DATABASE_URL, from the environment or .env)
  --force               write over FILE if it is there
  --help                this text
  --version             the version

To restore: stop the bot, move the database away together with the files beside it whose names end
in -wal and -shm, put FILE in its place, start the bot:

  mkdir data/replaced
  mv data/bundlegram.db* data/replaced/
  cp FILE data/bundlegram.db
  npm start

src/deploy/README.md has the same for a service. The bot sends nothing that it finds in a copy.

Of a PostgreSQL it says how PostgreSQL's own pg_dump copies it.

Ends with 0 when the copy is in its place, else with 1 and a sentence that says why.`

/** PostgreSQL has its own program for it, which knows it better. */
const dumpInstead = (url: string, target: string): string => {
  const address = readPostgresUrl(url)
  const schema = address.schema === 'public' ? '' : ` --schema=${address.schema}`
  return `DATABASE_URL: PostgreSQL has its own tools, which copy it while the bot runs:

  pg_dump --format=custom --file=${quoted(target)}${schema} ${quoted(withoutPassword(address))}

It asks for the password, or takes it from ~/.pgpass. What is restored from that file is to be marked before the bot starts on it: npm run restored`
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

await runCommand(help, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { database: { type: 'string' }, force: { type: 'boolean', default: false } },
  })
  const [target, ...others] = positionals
  if (!target || others.length > 0) {
    throw new Mistake('Name one file for the copy, for example: npm run backup -- backups/bundlegram.db')
  }
  const url = urlOf(values.database)
  if (!url.startsWith('file:')) throw new FileFault(dumpInstead(url, target))
  const { at, bytes } = await backUp({
    source: databasePath(url),
    target,
    force: values.force,
    now: () => new Date(),
    onProgress: showProgress('copied'),
  })
  process.stdout.write(`${target}: ${megabytes(bytes)}, the database as of ${at.toISOString()}\n`)
})
