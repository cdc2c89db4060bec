#!/usr/bin/env node
/**
 * The program `bundlegram` of the packed tarball. It finds a Node that is new enough, and starts the bot or a command on
 * it, with the flags that this needs. Plain JavaScript, for any Node from 18 on.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { become, fail, ownNode, pinnedNode } from './runtime.js'

const quiet = ['--disable-warning=ExperimentalWarning']
/** Half the memory, for work that makes few objects at a time. */
const small = [...quiet, '--max-semi-space-size=2']
/**
 * The bot runs for months, mostly idle: it grows by less before it collects garbage (10 MB), and Prisma's compiler, which
 * runs once for each query, is not optimized (another 10 MB, which the optimizing takes and does not give back). Its young
 * generation holds a crowd of callbacks: with 2 MB it stores a tenth less of them in a second.
 */
const resident = [
  ...[...quiet, '--max-semi-space-size=4', '--heap-growing-percent=70'],
  ...['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'],
]

const commands = {
  start: { script: 'main.js', flags: resident, does: 'run the bot (also without a command)' },
  sandbox: { script: 'sandbox.js', flags: quiet, does: 'try it against a simulated Telegram and provider' },
  setup: { script: 'setup.js', flags: quiet, does: 'make .env, with a new key in it' },
  doctor: { script: 'doctor.js', flags: quiet, does: 'look at all that the bot needs' },
  backup: { script: 'backup.js', flags: quiet, does: 'copy the SQLite database while the bot runs' },
  restored: { script: 'restored.js', flags: quiet, does: 'mark a restored database as a copy' },
  'rotate-key': { script: 'rotate-key.js', flags: quiet, does: 'change CREDENTIALS_KEY while the bot runs' },
  'db:move': {
    script: 'db-move.js',
    flags: small,
    does: 'move the SQLite database to PostgreSQL (also: db-move)',
  },
}

const help = `bundlegram [command] [options]

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}

  --help      this text, and after a command that one's
  --version   the version`

const here = dirname(fileURLToPath(import.meta.url))

const [first, ...others] = process.argv.slice(2)
const isOption = first === undefined || first.startsWith('-')
const name = isOption ? 'start' : first === 'db-move' ? 'db:move' : first
const args = isOption ? process.argv.slice(2) : others
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (isOption && (args.includes('--help') || args.includes('-h'))) process.stdout.write(`${help}\n`)
else if (!command) fail(`“${first}” is no command of bundlegram.\n\n${help}`)
else if (args.includes('--version')) {
  const { version } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  become(ownNode() ?? pinnedNode(), [...command.flags, join(here, command.script), ...args])
}
