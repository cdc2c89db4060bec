import { createPacer, type PacerLimits, paceOf } from '../messaging/pacer.ts'
import { proxyFor } from '../start/proxies.ts'
import { createBot } from '../telegram/bot.ts'
import { createSender } from '../telegram/chat/sender.ts'
import { createTasks } from '../telegram/chat/tasks.ts'
import { type Foundation, monotonicMs } from './foundation.ts'

export type Messaging = ReturnType<typeof createMessaging>

/**
 * Builds the parts that talk to Telegram: the bot without its features, the pacer, and a sender for each urgency.
 * `tasks` is work that continues after an update has been handled.
 * @param pace how fast messages may be sent
 */
export const createMessaging = ({ config, log, rates, observations }: Foundation, pace: PacerLimits) => {
  const bot = createBot(config.telegram.token, config.telegram.apiRoot, {
    onCall: observations.onTelegramCall,
    proxy: proxyFor(config.proxies, config.telegram.apiRoot),
  })
  const pacer = createPacer(pace, monotonicMs, undefined, rates)
  return {
    bot,
    pacer,
    redrawMs: pace.redrawMs,
    senders: {
      member: createSender(bot.api, pacer, monotonicMs),
      stranger: createSender(bot.api, paceOf(pacer, 'stranger'), monotonicMs),
      notice: createSender(bot.api, paceOf(pacer, 'notice'), monotonicMs),
    },
    tasks: createTasks((error) => log.error({ err: error }, 'a task failed')),
  }
}
