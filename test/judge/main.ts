import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readDatabase } from './database.ts'
import type { Ledger, Telegram } from './evidence.ts'
import { judge, table } from './judge.ts'

const help = `npm run judge -- DATABASE --ledger FILE --messages FILE

Compares a bot's database after a run with the simulated provider's ledger and the simulated Telegram's history, and
says whether each promise was kept. It shares no code with the bot.

  DATABASE         the file of a SQLite database, or a PostgreSQL URL
  --ledger FILE    the answer of the simulated provider to GET /_sim/ledger
  --messages FILE  the answer of the simulated Telegram to GET /_sim/history
  --help           show this text

Exits with 1 if a promise was broken. Writes nothing but its output.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ledger: { type: 'string' },
    messages: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const read = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8'))

const [address] = positionals
if (values.help) process.stdout.write(`${help}\n`)
else if (address === undefined || !values.ledger || !values.messages) {
  process.stderr.write(`${help}\n`)
  process.exitCode = 2
} else {
  const verdicts = judge({
    database: await readDatabase(address),
    ledger: await read<Ledger>(values.ledger),
    telegram: await read<Telegram>(values.messages),
  })
  process.stdout.write(`${table(verdicts)}\n`)
  if (verdicts.some(({ breaches }) => breaches.length > 0)) process.exitCode = 1
}
