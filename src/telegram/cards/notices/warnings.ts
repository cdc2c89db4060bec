import type { Order, Purchase } from '../../../domain/order/order.ts'
import {
  noteEdited,
  rememberWarning,
  stateOf,
  type WarningState,
} from '../../../orders/following/warnings.ts'
import type { Warning } from '../../../store/orders/warnings.ts'
import type { Screen } from '../../chat/screen.ts'
import { orderSeenBy, roleOf, viewOf } from '../viewer.ts'
import { announceMistaken, announceUnconfirmed } from '../words/announcement.ts'
import { warningDropped, warningOver, warningOverForOthers } from '../words/warning.ts'
import { heldNews } from './held-news.ts'
import type { Sources, Worded, Wordings } from './wording.ts'

/** Updates of warnings about an order that may have been charged, or about a list that waits for such an order. */
export const warningNotices: Wordings<'warning'> = {
  warning: async ({ messageId }, chatId, sources) => {
    const { store, now } = sources
    const warning = await store.warnings.at(chatId, messageId)
    const order = warning && (await store.orders.byId(warning.orderId))
    const purchase = warning && (await store.purchases.byId(warning.purchaseId))
    if (!warning || !order || !purchase) return null
    const state = await stateOf(store, warning, order, purchase)
    const screen = await wordingNow(warning, order, purchase, state, sources)
    const noted = () =>
      store.transaction((tx) => noteEdited(tx, warning, state, now()), { accounts: [order.accountId] })
    if (screen) return { kind: 'amendment', screen, messageId, noted }
    await noted()
    return null
  },
}

/** What the warning's message should say now; null if it already says that. */
const wordingNow = async (
  { chatId, says, mistaken }: Warning,
  order: Order,
  purchase: Purchase,
  state: WarningState,
  sources: Sources,
): Promise<Screen | null> => {
  if (state === says) return null
  const { store } = sources
  const viewer = await roleOf(store, order, chatId)
  if (chatId !== order.chatId && viewer !== 'owner') return { text: warningOverForOthers }
  const seen = orderSeenBy(order, await viewOf(store, order, viewer))
  switch (state) {
    case 'held':
    case 'asked':
      return heldNews(purchase, chatId, sources)
    case 'uncertain':
      return { text: announceUnconfirmed(seen) }
    case 'dropped':
      return { text: warningDropped(seen) }
    case 'over':
      return { text: mistaken === null ? warningOver(seen) : announceMistaken(seen, mistaken) }
  }
}

/**
 * Sends a warning as a new message and remembers it. If the outcome is known by then, the warning is closed
 * immediately.
 */
export const standingWarning = (
  screen: Screen,
  warning: Omit<Warning, 'messageId'>,
  accountId: string,
  { store, now }: Sources,
): Worded => ({
  kind: 'live',
  screen,
  messageId: null,
  isWarning: true,
  standsOn: (messageId) =>
    store.transaction((tx) => rememberWarning(tx, { ...warning, messageId }, now()), {
      accounts: [accountId],
    }),
})
