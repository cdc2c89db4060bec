import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One bot as a process, which the test kills and suspends. */
export interface Instance {
  name: string
  start(): Promise<void>
  kill(): Promise<void>
  pause(): void
  resume(): void
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
  /** How often it was started again, as systemd would do it. A start fails if the database ends the connection. */
  restarts(): number
  isRunning(): boolean
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const tether = fileURLToPath(new URL('../../src/commands/sandbox/tether.ts', import.meta.url))

const restartMs = 500

/** @param logPath the file for all of its output. */
export const createInstance = (name: string, env: Record<string, string>, logPath: string): Instance => {
  const log: WriteStream = createWriteStream(logPath, { flags: 'a' })
  let child: ChildProcess | null = null
  let restarts = 0
  let isWanted = false

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    isWanted = false
    const running = child
    child = null
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null
    const exited = once(running, 'exit') as Promise<[number | null]>
    // A suspended process handles no other signal than SIGKILL.
    if (signal !== 'SIGKILL') running.kill('SIGCONT')
    running.kill(signal)
    return (await exited)[0]
  }

  const start = (): void => {
    const started = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', tether, main],
      { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    )
    isWanted = true
    child = started
    started.stdout?.pipe(log, { end: false })
    started.stderr?.pipe(log, { end: false })
    started.once('exit', () => {
      if (!isWanted || child !== started) return
      restarts += 1
      setTimeout(() => isWanted && child === started && start(), restartMs)
    })
  }

  return {
    name,
    start: async () => start(),
    kill: async () => {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    restarts: () => restarts,
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
  }
}
