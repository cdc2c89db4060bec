import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { scriptPath } from '../../base/installation.ts'
import { wait } from '../../base/wait.ts'
import { readable } from './log-line.ts'

interface BotProcessOptions {
  script: string
  env: Record<string, string>
  verbose: boolean
  say: (line: string) => void
  /** How long to wait before a bot that died is started again, in ms. */
  restartAfterMs: number
  /** How long the bot may take to stop before it is killed, in ms. */
  stopsWithinMs: number
}

/** The bot as a process. If it dies before `stop`, it is started again. */
export interface BotProcess {
  /** The id of the running process; undefined between two runs. */
  pid(): number | undefined
  /** Lets the bot finish its work and does not start it again. Resolves when the process has ended. */
  stop(): Promise<void>
  /** Kills the bot immediately. Synchronous, because this process is about to end. */
  kill(): void
}

/** In ms. A bot that dies within this time after its start never worked. */
const soonMs = 5_000

/** After this many early deaths in a row, the bot is not started again, because it would only die again. */
const givesUpAfter = 3

/** How many of the last lines on stderr are shown when the bot dies. */
const shownLines = 20

const tether = pathToFileURL(scriptPath('commands/sandbox/tether')).href

export function runBot(options: BotProcessOptions): BotProcess {
  const { say } = options
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  const ended = keepAlive()
  return { pid: () => child?.pid, stop, kill }

  async function keepAlive(): Promise<void> {
    let deathsInARow = 0
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const death = await live()
      if (stopping.signal.aborted) return
      deathsInARow = performance.now() - startedAt < soonMs ? deathsInARow + 1 : 1
      report(death)
      if (deathsInARow >= givesUpAfter) {
        say(
          `The bot ended right after its start ${givesUpAfter} times in a row, so it will not be restarted. Press Ctrl-C to end the sandbox.`,
        )
        return
      }
      say('Restarting the bot …')
      await wait(options.restartAfterMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** One life of the bot, from its start to its end. */
  async function live(): Promise<Death> {
    const bot = spawn(process.execPath, ['--import', tether, options.script], {
      env: options.env,
      // The bot has a separate process group, so that Ctrl-C reaches only the sandbox, which then stops the bot in
      // order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = bot
    const errors: string[] = []
    eachLine(bot.stdout, (line) => log(line))
    eachLine(bot.stderr, (line) => {
      errors.push(line)
      if (options.verbose) say(`bot  ${line}`)
    })
    const [code, signal] = await once(bot, 'close').catch((error: Error) => {
      errors.push(error.message)
      return [null, null]
    })
    child = undefined
    return { code, signal, errors: errors.slice(-shownLines) }
  }

  function log(line: string): void {
    const { matters, text } = readable(line)
    if (matters || options.verbose) say(`bot  ${text}`)
  }

  function report({ code, signal, errors }: Death): void {
    say(`The bot ended unexpectedly (${signal ?? `exit code ${code}`}).`)
    if (!options.verbose) for (const line of errors) say(`  ${line}`)
  }

  async function stop(): Promise<void> {
    stopping.abort()
    child?.kill('SIGTERM')
    const overdue = setTimeout(kill, options.stopsWithinMs)
    await ended
    clearTimeout(overdue)
  }

  function kill(): void {
    stopping.abort()
    child?.kill('SIGKILL')
  }
}

interface Death {
  code: number | null
  signal: string | null
  errors: string[]
}

function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream) createInterface({ input: stream }).on('line', take)
}
