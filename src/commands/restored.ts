import { parseArgs } from 'node:util'
import { commandLine, commandWith } from '../base/installation.ts'
import { markRestored } from '../database/copies/restored.ts'
import { urlOf } from './database-option.ts'
import { Mistake, runCommand } from './run-command.ts'

const help = `${commandWith('restored', '[options]')}

Marks a restored database as a copy. Run this if the copy was not made by ${commandLine('backup')} but, for
example, by pg_dump or as a disk snapshot. Run it after the copy is in place and before you start
the bot on it. The bot then sends none of the orders it finds in the copy, asks the provider what
became of each, and reports what has been charged since.

  --at TIME             when the copy was made, as UTC or with an offset, for example
                        2026-11-21T10:32Z (default: the newest time in its rows)
  --database ADDRESS    the database (default: DATABASE_URL, from the environment or .env)
  --help                show this text
  --version             show the version

If you don't know the exact time, give an earlier one.
Exits with 0 when the database is marked, otherwise with 1 and the reason.`

const timeOf = (text: string | undefined): Date | null => {
  if (text === undefined) return null
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  const time = parts && new Date(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`)
  if (!time || Number.isNaN(time.getTime())) {
    throw new Mistake(`--at: “${text}” is not a time. Example: --at 2026-11-21T10:32Z`)
  }
  return time
}

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options: { database: { type: 'string' }, at: { type: 'string' } } })
  const at = timeOf(values.at)
  const marked = await markRestored({ url: urlOf(values.database), at, now: new Date() })
  process.stdout.write(
    `${marked.place}: marked as a copy of ${marked.at.toISOString()}. The bot will send none of the orders it finds there.\n`,
  )
})
