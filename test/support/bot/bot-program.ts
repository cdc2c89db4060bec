import { flushCompileCache } from 'node:module'
import '../../../src/commands/sandbox/tether.ts'
import { run } from '../../../src/application/application.ts'
import { faultLine, readConfig } from '../../../src/start/config.ts'
import { unpaced } from './bot.ts'

/**
 * The bot as `main.ts` runs it, for tests that kill, pause or measure it. With CRASH_FILE it can be told to crash; with
 * PACE it keeps Telegram's rates.
 */
if (process.env.CRASH_FILE !== undefined) await import('./crash.ts')
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(faultLine).join('\n'))
await run(result.config, process.env.PACE === 'telegram' ? {} : unpaced)
// Written now, because most of these processes are killed and could not write the cache at their end.
flushCompileCache()
