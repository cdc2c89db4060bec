import { type Logger, pino } from 'pino'

/** Shared by all processes, because a separate log for each would keep its stream in memory to the end. */
export const silentLog: Logger = pino({ level: 'silent' })
