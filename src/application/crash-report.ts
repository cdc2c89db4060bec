import type { Logger } from 'pino'

/**
 * Logs unexpected errors before they end the process. Node would print everything in the error, such as addresses with
 * passwords and tokens; the log redacts them.
 * @returns a function that does the same for a caught error.
 */
export const reportCrashes = (log: Logger): ((error: unknown) => never) => {
  const crash = (error: unknown): never => {
    log.fatal({ err: error }, 'crashed')
    process.exit(1)
  }
  // Node also reports unhandled rejections here.
  process.on('uncaughtException', crash)
  return crash
}
