import type { User } from 'grammy/types'
import { cleanName } from '../../lists/customer-name.ts'
import type { Person } from '../../orders/purchases.ts'
import type { Member } from '../../store/accounts.ts'
import type { BotContext } from './context.ts'
import type { Services } from './services.ts'

/** The member who wrote or pressed, to whom their purchases are bound; null without an account. */
export const personOf = async (ctx: BotContext, { store }: Services): Promise<Person | null> => {
  const userId = ctx.from?.id
  return personIn(ctx, userId === undefined ? null : await store.accounts.member(userId))
}

/** The same for a message of which nothing was done yet: they need not be read twice. */
export const writerOf = async (ctx: BotContext, services: Services): Promise<Person | null> =>
  ctx.member === undefined ? personOf(ctx, services) : personIn(ctx, ctx.member)

const personIn = ({ talk }: BotContext, member: Member | null): Person | null =>
  member && { userId: member.userId, chatId: talk.chatId, accountId: member.accountId, role: member.role }

/** Whether that user may connect an account. */
export const mayConnect = async (ctx: BotContext, services: Services): Promise<boolean> => {
  const userId = ctx.from?.id
  if (userId === undefined) return false
  if (services.access === 'open' || services.ownerIds.includes(userId)) return true
  if (await services.store.chats.isInvited(userId)) return true
  // Agents were invited to order on somebody's wallet, not to connect one.
  return (await services.store.accounts.member(userId))?.role === 'owner'
}

/** The name that Telegram gives; null if nobody could be called by it. */
export const nameOf = ({ first_name, last_name }: User): string | null =>
  cleanName(`${first_name} ${last_name ?? ''}`)

/** Whether the update is from one of `OWNER_IDS`. */
export const isOperator = (ctx: BotContext, { ownerIds }: Services): boolean =>
  ctx.from !== undefined && ownerIds.includes(ctx.from.id)
