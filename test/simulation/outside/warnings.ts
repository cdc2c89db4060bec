import type { NoticeContent } from '../../../src/domain/notice.ts'
import {
  isWarnedOf,
  noteEdited,
  rememberWarning,
  stateOf,
  type WarningState,
} from '../../../src/orders/following/warnings.ts'
import type { Warning } from '../../../src/store/orders/warnings.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Telegram } from './telegram.ts'

/** A message with a warning, or an edit of one. `messageId`: the message that shows it already. */
export interface SaidWarning {
  warning: Omit<Warning, 'messageId'>
  messageId: number | null
  /** What the message says. */
  state: WarningState
}

/** Sends warnings to chats like the bot, but without texts. */
export const warningsIn = (store: Store, telegram: Telegram, now: () => Date) => ({
  /** The warning of a notice; null if it warns of nothing. */
  wordingOf: async (chatId: number, content: NoticeContent): Promise<SaidWarning | null> => {
    switch (content.kind) {
      case 'announce':
        return aboutOrder(store, chatId, content)
      case 'list':
        return aboutList(store, chatId, content)
      case 'warning':
        return edited(store, chatId, content)
      default:
        return null
    }
  },

  /** Stores which message shows the warning, if the process lives and the database accepts the write. */
  note: async ({ warning, messageId: stood, state }: SaidWarning, messageId: number): Promise<void> => {
    const standing = { ...warning, messageId }
    const accountId = (await store.purchases.byId(warning.purchaseId))?.accountId ?? ''
    await store.transaction(
      (tx) =>
        stood === null ? rememberWarning(tx, standing, now()) : noteEdited(tx, standing, state, now()),
      { accounts: [accountId] },
    )
    telegram.noted(messageId)
  },
})

const aboutOrder = async (
  store: Store,
  chatId: number,
  { orderId, what }: Extract<NoticeContent, { kind: 'announce' }>,
): Promise<SaidWarning | null> => {
  const order = await store.orders.byId(orderId)
  const warns = what.about === 'placement' || what.about === 'mistaken'
  if (!order || !warns || !(await isWarnedOf(store, order))) return null
  const mistaken = what.about === 'mistaken' ? what.reference : null
  const { purchaseId } = order
  return {
    warning: { chatId, purchaseId, orderId, mistaken, says: 'uncertain' },
    messageId: null,
    state: 'uncertain',
  }
}

const aboutList = async (
  store: Store,
  chatId: number,
  { purchaseId, what }: Extract<NoticeContent, { kind: 'list' }>,
): Promise<SaidWarning | null> => {
  const holdingId = what === 'held' ? (await store.purchases.byId(purchaseId))?.heldById : null
  const order = holdingId ? await store.orders.byId(holdingId) : null
  if (!order) return null
  const says = (await isWarnedOf(store, order)) ? 'held' : 'asked'
  return {
    warning: { chatId, purchaseId, orderId: order.id, mistaken: null, says },
    messageId: null,
    state: says,
  }
}

const edited = async (
  store: Store,
  chatId: number,
  { messageId }: Extract<NoticeContent, { kind: 'warning' }>,
): Promise<SaidWarning | null> => {
  const warning = await store.warnings.at(chatId, messageId)
  const order = warning && (await store.orders.byId(warning.orderId))
  const purchase = warning && (await store.purchases.byId(warning.purchaseId))
  if (!warning || !order || !purchase) return null
  return { warning, messageId, state: await stateOf(store, warning, order, purchase) }
}
