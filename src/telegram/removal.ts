import type { BotContext } from './context.ts'
import type { Services } from './services.ts'
import { couldNotDelete } from './texts/connect.ts'

/**
 * The removal of the message is owed durably, so that a crash does not leave a secret standing.
 * @returns removes it now; where Telegram refuses, the person is told.
 */
export const oweRemoval = async (
  ctx: BotContext,
  { store, now, onNotice }: Services,
): Promise<() => Promise<boolean>> => {
  const messageId = ctx.msgId
  if (messageId === undefined) return async () => false
  const content = { kind: 'delete', subject: `message:${messageId}`, messageId } as const
  const noticeId = await store.notices.owe(ctx.talk.chatId, content, now())
  return async () => {
    try {
      await ctx.api.deleteMessage(ctx.talk.chatId, messageId)
      await store.notices.done([noticeId])
      return true
    } catch {
      // The outbox may have been faster.
      if (!(await store.notices.isOwed(noticeId))) return true
      ctx.talk.say(couldNotDelete)
      onNotice()
      return false
    }
  }
}
