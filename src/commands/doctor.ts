import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { examine } from '../doctor/examination.ts'
import { type Finding, fail } from '../doctor/finding.ts'
import { readEnvFile } from '../env-file.ts'
import { usage, version } from '../installation.ts'
import { runCommand } from './outcome.ts'

const help = `${usage('doctor')} [options]

Looks at all that the bot needs, by the environment or .env as npm start reads them, and says of each
whether it is well, and what to do where it is not:

  configuration   every variable, and who can read the files with secrets
  database        whether it can be read, has room, is sound, is of this version, is a copy or was
                  moved, and whether CREDENTIALS_KEY opens what is sealed there
  instances       which process speaks to Telegram
  Telegram        whether it is reached, the token works, and updates arrive as TELEGRAM_UPDATES says
  provider        whether it is reached and answers like the API; nobody's credentials are used
  clock           this machine's against those of Telegram, the provider and the database
  HTTP server     who listens on HOST and PORT
  public address  a request to PUBLIC_URL and back to this bot; while the bot does not run the doctor
                  listens on its port itself

Nothing is changed, so it can be run beside a bot that works. It takes some seconds, a minute at most.

  --json     the findings as JSON: { "version", "well": true, "findings": [{ "grade", "what", "finding", "remedy" }] }
  --help     this text
  --version  the version

Ends with 0 when nothing fails (warnings are no failure), else with 1.`

/** `.env` and the files that `<NAME>_FILE` names, as far as they are there. */
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

/** What a container is given there nobody else sees, whatever its permissions. */
const isSecretFile = (name: string): boolean =>
  /^(TELEGRAM_BOT_TOKEN|CREDENTIALS_KEY|DATABASE_URL|METRICS_TOKEN)_FILE$/.test(name) &&
  !process.env[name]?.startsWith('/run/secrets/')

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

const lineOf = ({ grade, what, finding, remedy }: Finding): string =>
  `${marks[grade]}  ${what}: ${finding}${remedy === null ? '' : `\n      → ${remedy}`}`

const summary = (findings: readonly Finding[]): string => {
  const count = (grade: Finding['grade']) => findings.filter((each) => each.grade === grade).length
  return `${count('fail')} to be mended, ${count('warn')} to be looked at, ${count('ok')} well`
}

/** A service's `.env` is its group's, and a person who is not in it cannot look at it. */
const unreadableRemedy = (sentence: string): string =>
  /EACCES|EPERM/.test(sentence)
    ? 'Run this as the bot’s user, for example sudo -u bundlegram npm run doctor, or let this one read it'
    : 'Move it away and make a new one: npm run setup'

await runCommand(help, async (args) => {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const unreadable = readEnvFile()
  const envFile = unreadable === null ? [] : [fail('configuration', unreadable, unreadableRemedy(unreadable))]
  const findings = [...envFile, ...(await examine(readConfig(process.env), { secretFiles: secretFiles() }))]
  const isWell = findings.every(({ grade }) => grade !== 'fail')
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ version, well: isWell, findings }, null, 2)}\n`
      : `Bundlegram ${version}, Node ${process.versions.node}\n\n${findings.map(lineOf).join('\n')}\n\n${summary(findings)}\n`,
  )
  if (!isWell) process.exitCode = 1
})
