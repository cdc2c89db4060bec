import { parseArgs } from 'node:util'
import { commandLine, commandWith } from '../base/installation.ts'
import { backUp } from '../database/copies/backup.ts'
import { databasePath, FileFault } from '../database/database-file.ts'
import { readPostgresUrl, withoutPassword } from '../database/postgres/url.ts'
import { quoted } from '../doctor/quoting.ts'
import { urlOf } from './database-option.ts'
import { showProgress } from './progress-line.ts'
import { Mistake, runCommand } from './run-command.ts'

const help = `${commandWith('backup', 'FILE [options]')}

Copies the bot's SQLite database to FILE, even while the bot runs. The copy shows the database as
it was when the command began. FILE appears only once the copy is checked and on disk. It contains
customers' numbers and encrypted credentials. Only you can read it, and the credentials open only
with CREDENTIALS_KEY, which is not in the copy.

  --database file:PATH  the database (default: DATABASE_URL, from the environment or .env)
  --force               overwrite FILE if it exists
  --help                show this text
  --version             show the version

To restore, stop the bot. Move the database away, together with the files whose names end in -wal
and -shm. Put FILE in its place and start the bot:

  mkdir data/replaced
  mv data/bundlegram.db* data/replaced/
  cp FILE data/bundlegram.db
  ${commandLine('start')}

If the bot runs as a service, see src/deploy/README.md. The bot sends none of the orders it finds
in a copy.

For PostgreSQL, this command tells you how to use pg_dump.

Exits with 0 when the copy is in place, otherwise with 1 and the reason.`

/** Tells the operator how to back up a PostgreSQL database with PostgreSQL's own tool, which is better than ours. */
const dumpInstead = (url: string, target: string): string => {
  const address = readPostgresUrl(url)
  const schema = address.schema === 'public' ? '' : ` --schema=${address.schema}`
  return `DATABASE_URL: PostgreSQL has its own backup tool, which you can use while the bot runs:

  pg_dump --format=custom --file=${quoted(target)}${schema} ${quoted(withoutPassword(address))}

It asks for the password, or takes it from ~/.pgpass. After restoring that file, and before starting the bot on it, run ${commandLine('restored')}`
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
    throw new Mistake(
      `Name one file for the copy, for example: ${commandWith('backup', 'backups/bundlegram.db')}`,
    )
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
