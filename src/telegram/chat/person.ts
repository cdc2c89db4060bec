import type { User } from 'grammy/types'
import { cleanName } from '../../lists/names/contact-name.ts'
import type { Person } from '../../orders/buying/purchases.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { BotContext } from './context.ts'
import { currentSnapshot } from './request-context.ts'

/** The member who wrote or pressed, to whom their purchases belong; null without an account. */
export const personOf = async (ctx: BotContext): Promise<Person | null> => {
  const member = await memberOf(ctx)
  return member && { ...pick(member), chatId: ctx.talk.chatId }
}

const pick = ({ userId, accountId, role }: Member): Omit<Person, 'chatId'> => ({ userId, accountId, role })

/** The member who wrote or pressed; null without an account. */
export const memberOf = async ({ from, services: { store } }: BotContext): Promise<Member | null> => {
  if (!from) return null
  const snapshot = currentSnapshot()
  return snapshot?.userId === from.id ? snapshot.member : store.accounts.member(from.id)
}

/** Whether the person who wrote may connect an account. */
export const mayConnect = async (ctx: BotContext): Promise<boolean> => {
  const { services } = ctx
  const userId = ctx.from?.id
  if (userId === undefined) return false
  if (services.access === 'open' || services.ownerIds.includes(userId)) return true
  if (await services.store.chats.isInvited(userId)) return true
  // Agents were invited to order with an owner's wallet, not to connect an account.
  return (await memberOf(ctx))?.role === 'owner'
}

/** The name that Telegram gives; null if it has no visible characters. */
export const nameOf = ({ first_name, last_name }: User): string | null =>
  cleanName(`${first_name} ${last_name ?? ''}`)

/** Whether the person who wrote is one of `OWNER_IDS`. */
export const isOperator = (ctx: BotContext): boolean =>
  ctx.from !== undefined && ctx.services.ownerIds.includes(ctx.from.id)
