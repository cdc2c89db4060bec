import type { Logger } from 'pino'

/**
 * What nobody planned ends the process, as it would anyway. But of an error Node prints all that it carries, addresses
 * with passwords and tokens in them among it: here it goes through the log, which redacts.
 * @returns ends the process for an error that was caught.
 */
export const reportCrashes = (log: Logger): ((error: unknown) => never) => {
  const crash = (error: unknown): never => {
    log.fatal({ err: error }, 'crashed')
    process.exit(1)
  }
  // Also told of promises that were rejected and that nobody waited for.
  process.on('uncaughtException', crash)
  return crash
}
