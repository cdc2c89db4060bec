#!/usr/bin/env node
/**
 * The program `bundlegram` in the tarball. It finds a recent enough Node and runs the bot or a command on it. Plain
 * JavaScript that any Node from 18 on can run.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { become, fail, ownNode, pinnedNode, quiet } from './runtime.js'

const commands = {
  start: { script: 'main.js', does: 'run the bot (the default)' },
  sandbox: { script: 'sandbox.js', does: 'try it against a simulated Telegram and provider' },
  setup: { script: 'setup.js', does: 'create .env with a new key in it' },
  doctor: { script: 'doctor.js', does: 'check everything the bot needs' },
  backup: { script: 'backup.js', does: 'copy the SQLite database while the bot runs' },
  restored: { script: 'restored.js', does: 'mark a restored database as a copy' },
  'rotate-key': { script: 'rotate-key.js', does: 'change CREDENTIALS_KEY while the bot runs' },
  'db:move': { script: 'db-move.js', does: 'move the SQLite database to PostgreSQL (also: db-move)' },
}

const help = `bundlegram [command] [options]

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(12)}${does}`)
  .join('\n')}

  --help      show this text, or after a command, its own help
  --version   show the version`

const here = dirname(fileURLToPath(import.meta.url))

const [first, ...others] = process.argv.slice(2)
const isOption = first === undefined || first.startsWith('-')
const name = isOption ? 'start' : first === 'db-move' ? 'db:move' : first
const args = isOption ? process.argv.slice(2) : others
const command = Object.hasOwn(commands, name) ? commands[name] : undefined

if (!existsSync(join(here, 'main.js'))) {
  fail('This is not the packed program. To make it, run npm run pack in a clone.')
} else if (isOption && (args.includes('--help') || args.includes('-h'))) {
  process.stdout.write(`${help}\n`)
} else if (!command) {
  fail(`“${first}” is not a bundlegram command.\n\n${help}`)
} else if (args.includes('--version')) {
  const { version } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  become(ownNode() ?? pinnedNode(), [...quiet, join(here, command.script), ...args])
}
