import { parseArgs } from 'node:util'
import { usage } from '../installation.ts'
import { markRestored } from '../store/restored.ts'
import { urlOf } from './database.ts'
import { Mistake, runCommand } from './outcome.ts'

const help = `${usage('restored')} [options]

For a database that was restored from a copy made by other means than npm run backup, such as a
snapshot of the disk or pg_dump: marks it as a copy, so that the bot's next start sends nothing of
what it finds there, asks the provider what became of it, and reports what was charged since. Run
it while the bot is stopped, after the copy is in its place and before the bot starts on it.

  --at TIME             when the copy was made, as UTC or with an offset, for example
                        2026-11-21T10:32Z (default: the newest time in its rows)
  --database ADDRESS    the database (default: DATABASE_URL, from the environment or .env)
  --help                this text
  --version             the version

When in doubt about the time, an earlier one is safe.
Ends with 0 when the database is marked, else with 1 and a sentence that says why.`

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
