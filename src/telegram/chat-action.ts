import type { Api } from 'grammy'

export type ChatAction = 'typing' | 'upload_photo' | 'upload_document'

/** Shows in the chat that something is on its way, for as long as the work takes: Telegram forgets it after 5 s. */
export const acting = async <T>(
  api: Api,
  chatId: number,
  action: ChatAction,
  work: () => Promise<T>,
): Promise<T> => {
  const show = () => void api.sendChatAction(chatId, action).catch(() => {})
  const first = setTimeout(show, 150)
  const again = setInterval(show, 4_500)
  try {
    return await work()
  } finally {
    clearTimeout(first)
    clearInterval(again)
  }
}
