import { type Api, GrammyError } from 'grammy'
import type { BotContext } from '../context.ts'
import { couldNotDelete } from './secret-words.ts'

/**
 * Enqueues the removal of the message, so that a crash does not leave a secret in the chat.
 * @returns a function that removes the message immediately, and tells the person if Telegram refuses.
 */
export const enqueueRemoval = async (ctx: BotContext): Promise<() => Promise<boolean>> => {
  const { store, now, onNotice } = ctx.services
  const messageId = ctx.msgId
  if (messageId === undefined) return async () => false
  const content = { kind: 'delete', subject: `message:${messageId}`, messageId } as const
  const noticeId = await store.notices.enqueueDirectly(ctx.talk.chatId, content, now())
  return async () => {
    if ((await deleteNow(ctx.api, ctx.talk.chatId, messageId)) === 'gone') {
      // If this write fails, the notice stays in the outbox, which later finds nothing to delete.
      await store.notices.done([noticeId]).catch(() => {})
      return true
    }
    // The outbox may have deleted the message already.
    if (!(await store.notices.isOwed(noticeId))) return true
    ctx.talk.say(couldNotDelete)
    onNotice()
    return false
  }
}

/**
 * Deletes a message. @returns `gone` also if it was deleted before; `unknown` if Telegram did not answer, or asked to
 * wait.
 */
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
