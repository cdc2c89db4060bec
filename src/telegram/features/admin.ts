import { randomBytes } from 'node:crypto'
import type { BotContext } from '../context.ts'
import { isOperator, mayConnect } from '../person.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import { homeLabels } from '../texts/home.ts'
import * as operatorTexts from '../texts/operator.ts'
import { notYours, unknownCommand } from '../texts/refusal.ts'

const invitationMs = 24 * 60 * 60_000

/** `/admin`, for operators alone: to everyone else the command does not exist. */
export const admin = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!isOperator(ctx, services)) {
    ctx.talk.show(unknownCommand)
    return
  }
  const counts = await services.store.orders.countByPlacement()
  const owed = await services.store.notices.count()
  ctx.talk.show({
    text: operatorTexts.admin(counts, owed),
    rows: [[key(operatorTexts.operatorLabels.invite, { do: 'invite' })]],
  })
}

/** A one-time link with which somebody may connect an account. */
export const invite = async (ctx: BotContext, services: Services): Promise<void> => {
  if (!isOperator(ctx, services) || !ctx.from) {
    ctx.talk.toast(notYours)
    return
  }
  const secret = randomBytes(24).toString('base64url')
  const createdAt = services.now()
  await services.store.chats.invite({
    tokenHash: services.keyring.invitationHashes(secret)[0] ?? '',
    createdBy: ctx.from.id,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + invitationMs),
  })
  ctx.talk.say(operatorTexts.invitation(`https://t.me/${ctx.me.username}?start=i${secret}`))
}

/** Somebody opened an invitation. Who has been invited already, by this link or another, spends none. */
export const acceptInvitation = async (
  ctx: BotContext,
  services: Services,
  secret: string,
): Promise<void> => {
  const hashes = services.keyring.invitationHashes(secret)
  const accepted =
    (await mayConnect(ctx, services)) ||
    (await services.store.chats.accept(hashes, ctx.talk.chatId, services.now()))
  const rows = [[key(homeLabels.connect, { do: 'connect' })]]
  ctx.talk.say(accepted ? { text: operatorTexts.invitationAccepted, rows } : operatorTexts.invitationSpent)
}
