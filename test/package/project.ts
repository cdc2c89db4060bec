import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

export const root = resolve(import.meta.dirname, '../..')

const run = promisify(execFile)

/** The environment that a person has, without the variables of npm and Vitest. */
const plain = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_|VITEST|TEST|INIT_CWD$|NODE_(ENV|OPTIONS)$)/.test(name),
  ),
)

export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'bundlegram-package-'))

export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** @returns npm's output. */
export const npm = async (folder: string, ...args: string[]): Promise<string> =>
  (await run('npm', args, { cwd: folder, env: plain })).stdout

export interface Program {
  process: ChildProcess
  /** Everything that the program has printed so far. */
  said(): string
  /** The program's exit code; null if a signal ended it. */
  ended: Promise<number | null>
}

/** Starts a program. If it is still running when the test ends, it is stopped. */
export const start = (
  folder: string,
  [command = '', ...args]: string[],
  env: Record<string, string> = {},
): Program => {
  const child = spawn(command, args, { cwd: folder, env: { ...plain, ...env }, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
  })
  return { process: child, said: () => said, ended }
}

/** Settings with which the bot starts, although neither Telegram nor the provider answers. */
export const settingsIn = (folder: string): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: `123456789:${'a'.repeat(35)}`,
  TELEGRAM_API_ROOT: 'http://127.0.0.1:9',
  BUNDLE_API_URL: 'http://127.0.0.1:9/api/v1',
  CREDENTIALS_KEY: Buffer.alloc(32, 7).toString('base64'),
  DATABASE_URL: `file:${join(folder, 'bot.db')}`,
  PORT: '0',
})
