import { ordersAgain, untilLetGo } from '../../../domain/notice.ts'
import { maintenanceOf, networksDown } from '../../../orders/permission/switches.ts'
import { sendAgain } from '../../chat/updates/outage-words.ts'
import * as maintenanceTexts from '../words/paused-or-down.ts'
import { youAreBlocked } from '../words/warning.ts'
import { draftButtons } from './next-step-buttons.ts'
import type { Wordings } from './wording.ts'

/** Notices about what operators did and about lost answers, and messages to delete. */
export const operationNotices: Wordings<
  'orders_again' | 'network_back' | 'blocked' | 'send_again' | 'delete'
> = {
  /** If orders are paused again, the notice waits until that pause is over. */
  orders_again: async (_content, chatId, { store, now }) => {
    if (!(await maintenanceOf(store))) return maintenanceTexts.ordersAgain
    await store.notices.enqueue(chatId, ordersAgain, now(), null, untilLetGo)
    return null
  },
  /** Not sent if the network is down again. */
  network_back: async ({ network, purchaseId }, _chatId, { store }) => {
    if ((await networksDown(store)).has(network)) return null
    const rows = draftButtons(await store.purchases.byId(purchaseId))
    return { text: maintenanceTexts.networkBack(network), rows }
  },
  /** Not sent if the chat is no longer blocked. */
  blocked: async (_content, chatId, { store }) =>
    (await store.operations.blockedSince(chatId)) ? youAreBlocked : null,
  send_again: async () => sendAgain,
  delete: ({ messageId }) => ({ kind: 'removal', messageId }),
}
