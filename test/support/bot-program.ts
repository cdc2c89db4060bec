import { flushCompileCache } from 'node:module'
import '../../src/commands/sandbox/tether.ts'
import { run } from '../../src/application/application.ts'
import { faultLine, readConfig } from '../../src/config.ts'
import { unpaced } from './bot.ts'

/**
 * The bot as `main.ts` runs it, for a test that ends, pauses or measures it. CRASH_FILE says that it may be told to
 * crash, PACE that it keeps to Telegram's rates.
 */
if (process.env.CRASH_FILE !== undefined) await import('./crash.ts')
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(faultLine).join('\n'))
await run(result.config, process.env.PACE === 'telegram' ? {} : unpaced)
// Most of these processes are killed and would otherwise leave nothing to the next one.
flushCompileCache()
