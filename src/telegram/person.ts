import type { Person } from '../orders/purchases.ts'
import type { BotContext } from './context.ts'
import type { Services } from './services.ts'

/** The member who wrote or pressed, as what their purchases are bound to; null without an account. */
export const personOf = async (ctx: BotContext, { store }: Services): Promise<Person | null> => {
  const userId = ctx.from?.id
  const member = userId === undefined ? null : await store.accounts.member(userId)
  return member && { userId: member.userId, chatId: ctx.talk.chatId, accountId: member.accountId }
}

/** Whether that user may connect an account. */
export const mayConnect = async (ctx: BotContext, services: Services): Promise<boolean> => {
  const userId = ctx.from?.id
  if (userId === undefined) return false
  if (services.access === 'open' || services.ownerIds.includes(userId)) return true
  return (
    (await services.store.chats.isInvited(userId)) || (await services.store.accounts.member(userId)) !== null
  )
}

export const isOperator = (ctx: BotContext, { ownerIds }: Services): boolean =>
  ctx.from !== undefined && ownerIds.includes(ctx.from.id)
