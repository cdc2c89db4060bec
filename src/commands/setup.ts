import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { commandLine, commandWith, packageFolder } from '../base/installation.ts'
import { FileFault } from '../database/database-file.ts'
import { readConfig } from '../start/config.ts'
import { withKey } from '../start/env-file.ts'
import { runCommand } from './run-command.ts'

const help = `${commandWith('setup', '[options]')}

Creates .env, the file with the bot's settings, with a new CREDENTIALS_KEY in it. Only you can read
the file. If .env already exists, a missing or empty CREDENTIALS_KEY is filled in; a key is never
replaced. Then fill in the other settings and check them with ${commandLine('doctor')}.

Keep a copy of the key somewhere else: without it, the stored credentials are lost.

  --help     show this text
  --version  show the version

Exits with 0 when .env has a key, otherwise with 1 and the reason.`

const file = '.env'
const template = join(packageFolder, '.env.example')

const readText = (): string => {
  try {
    return readFileSync(existsSync(file) ? file : template, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new FileFault(`${file}: cannot be read (${code})`)
  }
}

const write = (text: string): void => {
  try {
    writeFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new FileFault(`${file}: cannot be written (${code}). Run this as the owner of the folder`)
  }
}

const missingIn = (text: string): string[] => {
  const read = readConfig(parseEnv(text))
  return 'faults' in read ? read.faults.map(({ variable }) => variable) : []
}

const next = (missing: string[]): string =>
  missing.length === 0
    ? `Next: run ${commandLine('doctor')}`
    : `Next: set ${missing.join(', ')} in ${file} (and OWNER_IDS to your Telegram user id), then run ${commandLine('doctor')}`

await runCommand(help, async (args) => {
  parseArgs({ args, options: {} })
  const wasThere = existsSync(file)
  const text = readText()
  const completed = withKey(text, randomBytes(32).toString('base64'))
  if (completed !== null) write(completed)
  const done =
    completed === null
      ? `${file} already has a CREDENTIALS_KEY: nothing was changed.`
      : `${wasThere ? `Added a new CREDENTIALS_KEY to ${file}` : `Created ${file} with a new CREDENTIALS_KEY`}. Keep a copy of the key somewhere else.`
  process.stdout.write(`${done}\n${next(missingIn(completed ?? text))}\n`)
})
