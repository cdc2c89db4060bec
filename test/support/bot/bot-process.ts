import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type BotUnderTest, isConnected } from './bot.ts'
import { bundledBot } from './bundled-bot.ts'

/**
 * A bot in its own process.
 * @param crashFile the file that says where to crash, see `crash.ts`. A start that ends in a crash resolves, too.
 * @param onDeath called when a signal has ended the process.
 */
export const createBotProcess = (
  environment: Record<string, string>,
  url: string,
  crashFile: string | null,
  onDeath: () => void = () => {},
): BotUnderTest => {
  let child: ChildProcess | null = null
  let output = ''

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    const { program, compileCache } = await bundledBot()
    const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: {
        NODE_COMPILE_CACHE: compileCache,
        ...environment,
        ...env,
        ...(crashFile !== null && { CRASH_FILE: crashFile }),
      },
      // The IPC channel tells the bot when the tests have ended, for whatever reason.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = started
    started.once('exit', (_code, signal) => {
      if (signal !== null) onDeath()
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    while (!(await isConnected(url))) {
      if (crashFile !== null && started.signalCode === 'SIGKILL') return
      if (hasEnded(started)) throw new Error(`The bot ended at its start:\n${output.slice(-3000)}`)
      await wait(20)
    }
  }

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    const running = child
    child = null
    if (!running || hasEnded(running)) return running?.exitCode ?? null
    const exited = once(running, 'exit') as Promise<[number | null]>
    running.kill(signal)
    const [code] = await exited
    return code
  }

  return {
    url,
    start,
    stop: () => end('SIGTERM'),
    restart: async () => {
      await end('SIGTERM')
      await start()
    },
    output: () => output,
    kill: async () => {
      await end('SIGKILL')
    },
    crashAt: async (crash) => {
      if (crashFile === null) throw new Error('The bots of this world do not crash: make it crashable.')
      await writeFile(`${crashFile}.new`, JSON.stringify(crash))
      await rename(`${crashFile}.new`, crashFile)
    },
    died: async () => {
      if (child && !hasEnded(child)) await once(child, 'exit', { signal: AbortSignal.timeout(30_000) })
      return child?.signalCode ?? child?.exitCode ?? null
    },
    pid: () => (child && !hasEnded(child) ? child.pid : undefined),
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
