/** The action that a chat shows at its top, in Telegram’s words. */
export type ChatAction = 'typing' | 'upload_photo' | 'upload_document'

/**
 * Shows at the top of the chat that the bot is working, for as long as the work takes. Telegram shows an action for 5
 * s, so it is repeated.
 */
export const acting = async <T>(show: () => Promise<void>, work: () => Promise<T>): Promise<T> => {
  const first = setTimeout(show, 150)
  const again = setInterval(show, 4_500)
  try {
    return await work()
  } finally {
    clearTimeout(first)
    clearInterval(again)
  }
}
