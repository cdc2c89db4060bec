import { run } from '../../src/application/application.ts'
import { telegramLimits } from '../../src/messaging/pacer.ts'
import { readConfig } from '../../src/start/config.ts'
import { unpaced } from '../support/bot/bot.ts'

/**
 * The bot as `npm start` runs it, but open to everybody. With PACE=none, it also sends without pauses, for a
 * simulated Telegram without limits. Redraws of a card are still gathered, because each edit takes time.
 */
const result = readConfig(process.env)
if ('faults' in result) throw new Error(result.faults.map(({ variable }) => variable).join(', '))
const fast = { ...unpaced.pace, redrawMs: telegramLimits.redrawMs } as typeof telegramLimits
await run(result.config, process.env.PACE === 'none' ? { ...unpaced, pace: fast } : { admission: null })
