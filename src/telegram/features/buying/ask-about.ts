import type { Asker } from '../../chat/context.ts'
import type { Screen } from '../../chat/screen.ts'

/**
 * Asks what is not clear about an order's text, and remembers the question, so that it is closed if the person edits
 * their message.
 */
export const askAbout = (
  { talk, msgId, services: { askedOrders } }: Pick<Asker, 'talk' | 'msgId' | 'services'>,
  { text, bundleId = null }: { text: string; bundleId?: number | null },
  screen: Screen,
): void =>
  talk.say(screen, async (questionId) => {
    if (msgId !== undefined) askedOrders.note(talk.chatId, msgId, { text, bundleId, questionId })
  })
