import { type Api, GrammyError } from 'grammy'
import type { BotContext } from '../context.ts'
import type { Services } from '../services.ts'
import { couldNotDelete } from './secret-words.ts'

/**
 * Owes the removal of the message durably, so that a crash does not leave a secret in the chat.
 * @returns a function that removes the message now. If Telegram refuses, the person is told.
 */
export const enqueueRemoval = async (
  ctx: BotContext,
  { store, now, onNotice }: Services,
): Promise<() => Promise<boolean>> => {
  const messageId = ctx.msgId
  if (messageId === undefined) return async () => false
  const content = { kind: 'delete', subject: `message:${messageId}`, messageId } as const
  const noticeId = await store.notices.enqueueDirectly(ctx.talk.chatId, content, now())
  return async () => {
    if ((await deleteNow(ctx.api, ctx.talk.chatId, messageId)) === 'gone') {
      // If the notice stays owed, it finds nothing to delete.
      await store.notices.done([noticeId]).catch(() => {})
      return true
    }
    // The outbox may have been faster.
    if (!(await store.notices.isOwed(noticeId))) return true
    ctx.talk.say(couldNotDelete)
    onNotice()
    return false
  }
}

/** @returns `gone` even if the message was deleted before; `unknown` if Telegram did not answer or put the call off. */
export const deleteNow = async (
  api: Pick<Api, 'deleteMessage'>,
  chatId: number,
  messageId: number,
): Promise<'gone' | 'refused' | 'unknown'> => {
  try {
    await api.deleteMessage(chatId, messageId)
    return 'gone'
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code === 429 || error.error_code >= 500)
      return 'unknown'
    return /message to delete not found/i.test(error.description) ? 'gone' : 'refused'
  }
}
