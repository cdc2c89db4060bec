import { parseArgs } from 'node:util'
import { backUp } from '../store/backup.ts'
import { databaseOf } from './database.ts'
import { Mistake, runCommand } from './outcome.ts'
import { showProgress } from './progress.ts'

const help = `npm run backup -- FILE [options]

Copies the bot's SQLite database to FILE. The bot may be running: the copy is the database as it
was when the command began, checked and on the disk before it gets its name. It holds customers'
numbers and sealed credentials: it is readable by you alone, and opens only with CREDENTIALS_KEY,
which is not in it.

  --database file:PATH  the database (default: DATABASE_URL, from the environment or .env)
  --force               write over FILE if it is there
  --help                this text

To restore: stop the bot, put FILE in the place of the database, remove the files with -wal and
-shm at the end of their names beside it, start the bot. It sends nothing that it finds in a copy.

Ends with 0 when the copy is in its place, else with 1 and a sentence that says why.`

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
  const { at, bytes } = await backUp({
    source: databaseOf(values.database),
    target,
    force: values.force,
    now: () => new Date(),
    onProgress: showProgress('copied'),
  })
  process.stdout.write(`${target}: ${megabytes(bytes)}, the database as of ${at.toISOString()}\n`)
})
