import type { Logger } from 'pino'
import { type Config, secretsOf } from '../config.ts'
import { reportCrashes } from '../crash-report.ts'
import type { ReadFreeBytes } from '../database/free-space.ts'
import { removeLeftovers } from '../exports/scratch.ts'
import { createAddedRoutes } from '../http/bot-routes.ts'
import { createLog } from '../log.ts'
import { operatorsWords } from '../start-refusal.ts'
import { type BotOptions, createBot } from './bot.ts'
import { createFleet } from './fleet.ts'
import { createProcessParts } from './process-parts.ts'
import { createServer } from './server.ts'
import { type Application, stop, stopOnSignals } from './stop.ts'

/** Builds the bot, starts it, and stops it in order when the process is asked to end. */
export const run = async (config: Config, options?: StartOptions): Promise<void> => {
  const log = createLog(config.logLevel, secretsOf(config))
  const crash = reportCrashes(log)
  try {
    const starting = start(config, log, options)
    stopOnSignals(starting, log)
    await starting
  } catch (error) {
    const words = operatorsWords(error, config)
    if (words === null) crash(error)
    process.stderr.write(`${words}\n`)
    // Connections that were opened before the failure would keep the process alive.
    process.exit(1)
  }
}

/** The settings that tests and measurements change. */
export interface StartOptions extends BotOptions {
  /** Reads how many bytes are free for the database. */
  freeBytes?: ReadFreeBytes
}

/**
 * Starts the main bot in this process, then the bots that operators added. Resolves when its ports take connections and
 * the main bot's loops run; Telegram may be away.
 * @throws errors that `operatorsWords` words, such as a database of a newer version or a port that is taken.
 */
export const start = async (
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Application> => {
  const parts = createProcessParts(config, options.freeBytes)
  const added = createAddedRoutes()
  const fleet = createFleet({ config, parts, routes: added, options })
  const main = await createBot(config, log, parts, { added: null, bots: fleet.bots }, options)
  const server = createServer(main, added, fleet)
  void removeLeftovers().catch((error: unknown) => log.warn({ err: error }, 'files of an earlier run remain'))
  await fleet.register(main)
  await server.listen()
  await main.begin()
  fleet.begin()
  return {
    givenUp: main.front.polling.givenUp,
    stop: () => stop({ main, fleet, server, parts }),
  }
}
