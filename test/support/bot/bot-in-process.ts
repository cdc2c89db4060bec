import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../../../src/application/application.ts'
import type { StartOptions } from '../../../src/application/running-bot.ts'
import { operatorsWords } from '../../../src/application/start-refusal.ts'
import type { Application } from '../../../src/application/stop-signals.ts'
import { createLog } from '../../../src/base/log.ts'
import { readConfig, secretsOf } from '../../../src/start/config.ts'
import { keepInside, letGo } from '../inside.ts'
import { type BotUnderTest, isConnected } from './bot.ts'

const startsWithinMs = 60_000

/** A bot in the tests' process. It shares nothing with other bots there except the loaded modules. */
export const createBotInProcess = (
  environment: Record<string, string>,
  url: string,
  options: StartOptions,
): BotUnderTest => {
  let application: Application | null = null
  let output = ''
  let databaseUrl: string | null = null

  const startIt = async (env: Record<string, string> = {}): Promise<void> => {
    const result = readConfig({ ...environment, ...env })
    if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
    const { config } = result
    const log = createLog(config.logLevel, secretsOf(config), {
      write: (line) => {
        output += line
      },
    })
    application = await start(config, log, options).catch((error) => {
      const words = operatorsWords(error, config)
      throw words === null ? error : new Error(words)
    })
    const deadline = Date.now() + startsWithinMs
    while (!(await isConnected(url))) {
      if (Date.now() > deadline) throw new Error(`The bot did not connect:\n${output.slice(-3000)}`)
      await wait(5)
    }
    databaseUrl = config.databaseUrl
    keepInside(databaseUrl)
  }

  const stop = async (): Promise<number> => {
    const running = application
    application = null
    // SQLite empties the write-ahead log when the last connection is closed.
    if (databaseUrl !== null) letGo(databaseUrl)
    databaseUrl = null
    await running?.stop()
    return 0
  }

  const ofProcesses = (): never => {
    throw new Error('The bots of this world are no processes: make it with `process: true`.')
  }

  return {
    url,
    start: startIt,
    stop,
    restart: async () => {
      await stop()
      await startIt()
    },
    output: () => output,
    kill: async () => ofProcesses(),
    crashAt: async () => ofProcesses(),
    died: async () => ofProcesses(),
    pid: ofProcesses,
  }
}
