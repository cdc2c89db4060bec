import { createPacer, type PacerLimits, paceOf } from '../relay/pacer.ts'
import { createBot } from '../telegram/bot.ts'
import { createPaidPace } from '../telegram/chat/paid-pace.ts'
import { createSender } from '../telegram/chat/sender.ts'
import { createTasks } from '../telegram/chat/tasks.ts'
import { type Foundation, monotonicMs } from './foundation.ts'

/** The bot, its pace and its senders. */
export type Messaging = ReturnType<typeof createMessaging>

/**
 * Builds the parts that talk to Telegram: the bot without its features, the pace of its messages, and a sender for each
 * urgency. `paid` is the pace of announcements that the operator pays for; null if not. `tasks` holds the work that goes on after an update was handled.
 * @param pace how fast messages may go.
 */
export const createMessaging = ({ config, log, rates, observations }: Foundation, pace: PacerLimits) => {
  const bot = createBot(config.telegram.token, config.telegram.apiRoot, observations.onTelegramCall)
  const isAdaptive = config.telegram.rate === 'adaptive'
  const pacer = createPacer({ ...pace, isAdaptive }, monotonicMs, undefined, rates)
  const paid =
    config.telegram.rate === 'paid'
      ? createPaidPace(paceOf(pacer, 'paid'), monotonicMs, (reason) =>
          log.warn({ reason }, 'Telegram takes no payment for messages, so they keep to 30 a second'),
        )
      : null
  return {
    ...{ bot, pacer, paid },
    redrawMs: pace.redrawMs,
    senders: {
      member: createSender(bot.api, pacer, monotonicMs),
      stranger: createSender(bot.api, paceOf(pacer, 'stranger'), monotonicMs),
      notice: createSender(bot.api, paceOf(pacer, 'notice'), monotonicMs, paid),
    },
    tasks: createTasks((error) => log.error({ err: error }, 'a task failed')),
  }
}
