import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Copy } from './copy.ts'

/** What the reporter tells. */
export type Message =
  | { kind: 'test'; file: string; test: string; failed: boolean }
  | { kind: 'file'; file: string; failed: boolean }
  | { kind: 'error'; message: string }

export interface Failure {
  /** Unknown where something went wrong outside the tests. */
  file: string | null
  test: string
}

export interface TestRun {
  failures: readonly Failure[]
  /** Why it is over: `stalled` if no test ended for too long. */
  end: 'whole' | 'stalled' | 'stopped'
  /** Files that had not come to their end. */
  unfinished: readonly string[]
}

export interface TestRunOptions {
  /** Stop at the first failure. */
  bail: boolean
  /** Stops it. */
  signal: AbortSignal
}

/** So long no test has to end, on a machine that does other work, until it is taken for an endless loop. */
const patienceMs = 150_000

/** Runs test files in the copy, and leaves no process of theirs behind. */
export const runTests = async (
  { folder, scratch }: Copy,
  files: readonly string[],
  { bail, signal }: TestRunOptions,
): Promise<TestRun> => {
  const { TEST_DATABASE_URL: _, ...environment } = process.env
  const vitest = spawn(process.execPath, argumentsFor(files, bail), {
    cwd: folder,
    env: { ...environment, TEST_FOLDER: scratch },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  })
  const account = new Account(files)
  let complaint = ''
  vitest.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000)
  })
  const exited = once(vitest, 'exit')
  const end = await endOf(vitest, account, { bail, signal })
  endGroup(vitest)
  const [code] = await exited
  if (end === 'whole' && code !== 0 && account.failures.length === 0) {
    account.failures.push({ file: null, test: `vitest ended with ${code}: ${complaint.trim()}` })
  }
  return { end, failures: account.failures, unfinished: [...account.unfinished] }
}

const argumentsFor = (files: readonly string[], bail: boolean): string[] => [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...files,
  ...(bail ? ['--bail', '1'] : []),
  '--passWithNoTests',
  '--reporter',
  join(import.meta.dirname, 'reporter.ts'),
]

/** Resolves as soon as the run ends, or need not go on. */
const endOf = (vitest: ChildProcess, account: Account, { bail, signal }: TestRunOptions) =>
  new Promise<TestRun['end']>((resolve) => {
    const stalled = setTimeout(resolve, patienceMs, 'stalled')
    const settle = (end: TestRun['end']) => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', stop)
      resolve(end)
    }
    const stop = () => settle('stopped')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    vitest.on('message', (message: Message) => {
      stalled.refresh()
      account.take(message)
      if (bail && account.failures.length > 0) settle('whole')
    })
    vitest.once('exit', () => settle('whole'))
  })

/** What the reporter has told so far. */
class Account {
  readonly failures: Failure[] = []
  readonly unfinished: Set<string>

  constructor(files: readonly string[]) {
    this.unfinished = new Set(files)
  }

  take(message: Message): void {
    if (message.kind === 'error') this.failures.push({ file: null, test: message.message })
    else if (message.kind === 'file') this.#end(message)
    else if (message.failed) this.failures.push({ file: message.file, test: message.test })
  }

  #end({ file, failed }: { file: string; failed: boolean }): void {
    this.unfinished.delete(file)
    if (failed && !this.failures.some((failure) => failure.file === file)) {
      this.failures.push({ file, test: 'could not be run to its end' })
    }
  }
}

/** Its workers, and the bots that tests have started, are in a group of their own. */
const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}
