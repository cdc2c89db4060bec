import { run } from '../../src/application/application.ts'
import { telegramLimits } from '../../src/messaging/pacer.ts'
import { readConfig } from '../../src/start/config.ts'
import { unpaced } from '../support/bot/bot.ts'

/**
 * The bot as `npm start` runs it, but letting everybody in. PACE=none: it also sends as fast as it can, for a Telegram
 * without limits. A card's redraws are gathered as always, because each would cost an edit.
 */
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
const fast = { ...unpaced.pace, redrawMs: telegramLimits.redrawMs } as typeof telegramLimits
await run(result.config, process.env.PACE === 'none' ? { ...unpaced, pace: fast } : { admission: null })
