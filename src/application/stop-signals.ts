import type { Logger } from 'pino'
import { wait } from '../base/wait.ts'

/** How long a start may continue after SIGTERM. */
const startGraceMs = 2_000

/**
 * Stops the bot on SIGTERM and SIGINT, and when the bot gives up because it cannot continue. A signal during the
 * start takes effect after the start, or after `startGraceMs`.
 */
export const stopOnSignals = (starting: Promise<Application>, log: Logger): void => {
  let stopping = false
  const stop = async (why: { signal: string } | { givenUp: true }, exitCode: 0 | 1) => {
    if (stopping) return
    stopping = true
    log.info(why, 'stopping')
    try {
      const application = await Promise.race([starting, wait(startGraceMs, null)])
      await application?.stop()
      log.info('stopped')
      process.exit(exitCode)
    } catch (error) {
      log.error({ err: error }, 'the stop was not clean')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop({ signal }, 0))
  starting.then(({ givenUp }) => givenUp.then(() => stop({ givenUp: true }, 1))).catch(() => {})
}

export interface Application {
  /** Stops everything in order. Resolves when the database is closed, within about 10 s. */
  stop(): Promise<void>
  /** Resolves when the bot cannot continue. It is then stopped, with exit code 1. */
  readonly givenUp: Promise<void>
}
