import { type Logger, pino } from 'pino'

/** One for all processes: each would write to a stream of its own, which stays in memory to the end. */
export const silentLog: Logger = pino({ level: 'silent' })
