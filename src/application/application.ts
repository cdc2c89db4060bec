import type { Logger } from 'pino'
import { createLog } from '../base/log.ts'
import { wait } from '../base/wait.ts'
import { findListener, type Listener } from '../doctor/address.ts'
import { removeLeftovers } from '../exports/scratch.ts'
import { type Config, type ConfigFault, faultLine, secretsOf } from '../start/config.ts'
import { createKeyring } from '../wallets/credentials/keyring.ts'
import { reportCrashes } from './crash-report.ts'
import { createServer } from './http.ts'
import { createRunningBot, type StartOptions } from './running-bot.ts'
import { isPortTaken, operatorsWords } from './start-refusal.ts'
import { type Application, stopOnSignals } from './stop-signals.ts'

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
    // Without `exit`, connections that were opened before the failure would keep the process alive.
    process.exit(1)
  }
}

/** Another program may accept the connection and never answer, so the wait is limited. */
const holderMs = 2_000

const holderOf = async (config: Config): Promise<Listener['kind']> => {
  const asked = findListener(config, createKeyring(config.credentialsKeys)).then(({ kind }) => kind)
  return Promise.race([asked, wait(holderMs, 'other_program' as const)])
}

/**
 * Starts the bot in this process. Resolves when its ports accept connections and its loops run; the connection to
 * Telegram may come later.
 * @throws errors that `operatorsWords` explains, such as a database of a newer version or a port that is in use
 */
export const start = async (
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Application> => {
  const bot = await createRunningBot(config, log, options)
  const server = createServer(bot)
  void removeLeftovers().catch((error: unknown) =>
    log.warn({ err: error }, 'files left by an earlier run could not be removed'),
  )
  await server.listen()
  await bot.begin()
  return {
    givenUp: bot.front.updates.givenUp,
    stop: () => bot.stop(server.close()),
  }
}
