import { parseArgs } from 'node:util'
import { commandLine, commandWith } from '../base/installation.ts'
import { markRestored } from '../database/copies/restored.ts'
import { urlOf } from './database-option.ts'
import { Mistake, runCommand } from './run-command.ts'

const help = `${commandWith('restored', '[options]')}

Marks a restored database as a copy. Run it if the copy was not made by ${commandLine('backup')} but, for
example, by pg_dump or a snapshot of the disk. Run it while the bot is stopped, after the copy is
in its place. The bot then sends no order that it finds in the copy, asks the provider what became
of each, and reports what was charged since.

  --at TIME             when the copy was made, as UTC or with an offset, for example
                        2026-11-21T10:32Z (default: the newest time in its rows)
  --database ADDRESS    the database (default: DATABASE_URL, from the environment or .env)
  --help                this text
  --version             the version

If you don't know the time exactly, give an earlier one.
Exits with 0 when the database is marked, else with 1 and the reason.`

const timeOf = (text: string | undefined): Date | null => {
  if (text === undefined) return null
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text.trim())
  const time = parts && new Date(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`)
  if (!time || Number.isNaN(time.getTime())) {
    throw new Mistake(`--at: “${text}” is no time, for example --at 2026-11-21T10:32Z`)
  }
  return time
}

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options: { database: { type: 'string' }, at: { type: 'string' } } })
  const at = timeOf(values.at)
  const marked = await markRestored({ url: urlOf(values.database), at, now: new Date() })
  process.stdout.write(
    `${marked.place}: marked as a copy of ${marked.at.toISOString()}. The bot's next start sends nothing of what it finds.\n`,
  )
})
