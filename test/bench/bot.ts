import { run } from '../../src/application/application.ts'
import { readConfig } from '../../src/start/config.ts'
import { unpaced } from '../support/bot/bot.ts'

/**
 * The bot as `npm start` runs it, but letting everybody in. PACE=none: it also sends as fast as it can, for a Telegram
 * without limits.
 */
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
await run(result.config, process.env.PACE === 'none' ? unpaced : { admission: null })
