import type { BotContext } from './context.ts'
import type { Services } from './services.ts'

/**
 * Bots that owners of accounts make by a key of this bot. An operator switches it on, and BotFather's Bot Management Mode
 * has to be on for this bot.
 */

const fact = 'own_bots'

/** Reads the right anew: BotFather changes it while the bot runs. If Telegram does not answer, it stays as it was. */
export const learnRight = async (ctx: BotContext): Promise<void> => {
  const me = await ctx.api.getMe().catch(() => ctx.me)
  ctx.me.can_manage_bots = me.can_manage_bots
}

/** Whether this bot may manage bots, and can serve them. */
export const mayManage = (ctx: BotContext, { bots }: Services): boolean =>
  bots?.isPossible === true && ctx.me.can_manage_bots === true

/** Whether owners may make bots now. */
export const areOffered = async (ctx: BotContext, services: Services): Promise<boolean> =>
  mayManage(ctx, services) && (await services.store.chats.fact(fact)) === 'on'

/** Lets owners make bots, or no more. */
export const offer = ({ store }: Services, areMade: boolean): Promise<void> =>
  store.chats.setFact(fact, areMade ? 'on' : 'off')
