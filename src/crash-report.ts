import type { Logger } from 'pino'

/**
 * Logs unplanned errors before they end the process. Node would print everything in the error, such as addresses with
 * passwords and tokens; the log redacts.
 * @returns a function that ends the process for an error that was caught.
 */
export const reportCrashes = (log: Logger): ((error: unknown) => never) => {
  const crash = (error: unknown): never => {
    log.fatal({ err: error }, 'crashed')
    process.exit(1)
  }
  // Node also reports rejected promises here that nobody waited for.
  process.on('uncaughtException', crash)
  return crash
}
