import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { commandLine, commandWith, version } from '../base/installation.ts'
import { examine } from '../doctor/examination.ts'
import { type Finding, fail, warn } from '../doctor/finding.ts'
import { isMissingSetting, type ReadConfig, readConfig } from '../start/config.ts'
import { noEnvFile, readEnvFile } from '../start/env-file.ts'
import { runCommand } from './run-command.ts'

const help = `${commandWith('doctor', '[options]')}

Checks everything the bot needs, with the same settings as ${commandLine('start')}, and says what to do about each
problem:

  configuration   is every variable valid, and who can read the files with secrets
  database        can it be read, is there room, is it intact and of this version, is it a copy, was
                  it moved, and does CREDENTIALS_KEY open the credentials in it
  instances       which process is connected to Telegram
  Telegram        can it be reached, does the token work, do updates arrive as TELEGRAM_UPDATES says
  provider        can it be reached, does it answer like the API; no credentials are used
  clock           this machine's clock against Telegram's, the provider's and the database's
  HTTP server     what listens on HOST and PORT
  public address  does a request to PUBLIC_URL reach this bot; if the bot is not running, the doctor
                  listens on its port instead

The doctor changes nothing, so you can use it while the bot runs. It takes at most a minute.

  --json     print JSON: { "version", "well": true, "findings": [{ "grade", "what", "finding", "remedy" }] }
  --help     show this text
  --version  show the version

Exits with 0 when nothing fails (warnings do not count), otherwise with 1.`

/** The permissions of `.env` and of the files that `<NAME>_FILE` variables name. */
const secretFiles = (): { name: string; mode: number }[] => {
  if (process.platform === 'win32') return []
  const named = Object.entries(process.env).flatMap(([name, path]) =>
    isSecretFile(name) && path ? [path] : [],
  )
  return ['.env', ...named].flatMap((name) => {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode
    return mode === undefined ? [] : { name, mode }
  })
}

/**
 * Whether the variable names a file with a secret. Files in /run/secrets are left out: nobody else in the container can
 * read them, whatever their permissions.
 */
const isSecretFile = (name: string): boolean =>
  /^(TELEGRAM_BOT_TOKEN|CREDENTIALS_KEY|DATABASE_URL|METRICS_TOKEN)_FILE$/.test(name) &&
  !process.env[name]?.startsWith('/run/secrets/')

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

const lineOf = ({ grade, what, finding, remedy }: Finding): string =>
  `${marks[grade]}  ${what}: ${finding}${remedy === null ? '' : `\n      → ${remedy}`}`

const summary = (findings: readonly Finding[]): string => {
  const count = (grade: Finding['grade']) => findings.filter((each) => each.grade === grade).length
  return `${count('fail')} to fix, ${count('warn')} to look at, ${count('ok')} ok`
}

/** What to do about a `.env` that cannot be read. Only the bot's user and group should be able to read it. */
const unreadableRemedy = (sentence: string): string =>
  /EACCES|EPERM/.test(sentence)
    ? `Run this as the bot’s user, for example sudo -u bundlegram ${commandLine('doctor')}, or let this user read it`
    : `Move it away and create a new one: ${commandLine('setup')}`

const lacking = (read: ReadConfig): Finding[] =>
  'faults' in read && read.faults.some(isMissingSetting) && noEnvFile() !== null
    ? [warn('configuration', 'there is no .env in this folder', `${commandLine('setup')} creates one`)]
    : []

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const unreadable = readEnvFile()
  const envFile = unreadable === null ? [] : [fail('configuration', unreadable, unreadableRemedy(unreadable))]
  const read = readConfig(process.env)
  const findings = [...envFile, ...lacking(read), ...(await examine(read, { secretFiles: secretFiles() }))]
  const isWell = findings.every(({ grade }) => grade !== 'fail')
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ version, well: isWell, findings }, null, 2)}\n`
      : `Bundlegram ${version}, Node ${process.versions.node}\n\n${findings.map(lineOf).join('\n')}\n\n${summary(findings)}\n`,
  )
  if (!isWell) process.exitCode = 1
})
