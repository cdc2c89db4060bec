import { ordersAgain, untilLetGo } from '../../../journal/notice.ts'
import { maintenanceOf } from '../../../orders/maintenance.ts'
import { link } from '../../chat/screen.ts'
import { youAreBlocked } from '../../texts/block.ts'
import * as maintenanceTexts from '../../texts/maintenance.ts'
import * as ownBotTexts from '../../texts/own-bot.ts'
import type { Wordings } from './wording.ts'

/** Operators' acts, bots that people made, and messages to delete. */
export const operationNotices: Wordings<'orders_again' | 'own_bot' | 'blocked' | 'delete'> = {
  /** If orders are paused once more, it is told after that. */
  orders_again: async (_content, chatId, { store, now }) => {
    if (!(await maintenanceOf(store))) return maintenanceTexts.ordersAgain
    await store.notices.owe(chatId, ordersAgain, now(), null, untilLetGo)
    return null
  },
  own_bot: ({ username }) => ({
    text: ownBotTexts.runs(username),
    rows: [[link(ownBotTexts.openLabel(username), ownBotTexts.address(username))]],
  }),
  /** Only as long as the chat is blocked. */
  blocked: async (_content, chatId, { store }) =>
    (await store.operations.blockedSince(chatId)) ? youAreBlocked : null,
  delete: ({ messageId }) => ({ kind: 'removal', messageId }),
}
