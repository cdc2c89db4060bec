import type { Logger } from 'pino'
import { type Config, type ConfigFault, faultLine, secretsOf } from '../config.ts'
import { reportCrashes } from '../crash-report.ts'
import { findListener, type Listener } from '../doctor/address.ts'
import { removeLeftovers } from '../exports/scratch.ts'
import { createLog } from '../log.ts'
import { isPortTaken, operatorsWords } from '../start-refusal.ts'
import { wait } from '../wait.ts'
import { createKeyring } from '../wallets/credentials/keyring.ts'
import { createBot, type StartOptions } from './bot.ts'
import { createServer } from './server.ts'
import { type Application, stopOnSignals } from './stop.ts'

/** Builds the bot, starts it, and stops it in order when the process is asked to end. */
export const run = async (
  config: Config,
  options?: StartOptions,
  doubts: readonly ConfigFault[] = [],
): Promise<void> => {
  const log = createLog(config.logLevel, secretsOf(config))
  for (const doubt of doubts) log.warn(faultLine(doubt))
  const crash = reportCrashes(log)
  try {
    const starting = start(config, log, options)
    stopOnSignals(starting, log)
    await starting
  } catch (error) {
    const words = operatorsWords(error, config, isPortTaken(error) ? await holderOf(config) : undefined)
    if (words === null) crash(error)
    process.stderr.write(`${words}\n`)
    // Connections that were opened before the failure would keep the process alive.
    process.exit(1)
  }
}

/** Another program may take the connection and never answer. */
const holderMs = 2_000

/** The program that answers on the bot's port. */
const holderOf = async (config: Config): Promise<Listener['kind']> => {
  const asked = findListener(config, createKeyring(config.credentialsKeys)).then(({ kind }) => kind)
  return Promise.race([asked, wait(holderMs, 'other_program' as const)])
}

/**
 * Starts the bot in this process. Resolves when its ports take connections and its loops run; Telegram may be away.
 * @throws errors that `operatorsWords` words, such as a database of a newer version or a port that is taken.
 */
export const start = async (
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Application> => {
  const bot = await createBot(config, log, options)
  const server = createServer(bot)
  void removeLeftovers().catch((error: unknown) => log.warn({ err: error }, 'files of an earlier run remain'))
  await server.listen()
  await bot.begin()
  return {
    givenUp: bot.front.updates.givenUp,
    stop: () => bot.stop(server.close()),
  }
}
