import type { Asker } from '../../chat/context.ts'
import type { Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'

/**
 * Asks what is not clear about an order's text, and remembers the question, so that it is closed if the person edits
 * their message.
 */
export const askAbout = (
  { talk, msgId }: Pick<Asker, 'talk' | 'msgId'>,
  { askedOrders }: Pick<Services, 'askedOrders'>,
  { text, bundleId = null }: { text: string; bundleId?: number | null },
  screen: Screen,
): void =>
  talk.say(screen, async (questionId) => {
    if (msgId !== undefined) askedOrders.note(talk.chatId, msgId, { text, bundleId, questionId })
  })
