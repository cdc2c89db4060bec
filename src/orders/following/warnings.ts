import { announcementSubject } from '../../domain/notice.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import { isUncertain, type WarningWord } from '../../domain/order/uncertainty.ts'
import { isErased } from '../../store/accounts/accounts.ts'
import type { Warning } from '../../store/orders/warnings.ts'
import type { Queries } from '../../store/store.ts'

/**
 * A warning says that an order may have been charged, or that it holds up the rest of its list. The bot stores which
 * message shows it, and edits that message to one line once the warning is no longer true.
 */

/** Whether the order may have been charged, and the bot can still find out, because its account exists. */
export const isWarnedOf = async (
  { accounts }: Pick<Queries, 'accounts'>,
  order: Pick<Order, 'placement' | 'reason' | 'accountId'>,
): Promise<boolean> => isUncertain(order) && !isErased(await accounts.byId(order.accountId))

/**
 * The current state of a warning. `dropped`: the order is no longer looked into, because its account was removed.
 * `over`: the order's outcome is known.
 */
export type WarningState = WarningWord | 'dropped' | 'over'

/**
 * The current state of a warning.
 * @param says what the warning's message says. A warning about an order never becomes one about its list.
 */
export const stateOf = async (
  queries: Pick<Queries, 'accounts' | 'orders'>,
  { says }: Pick<Warning, 'says'>,
  order: Order,
  purchase: Purchase,
): Promise<WarningState> => {
  const isWarned = await isWarnedOf(queries, order)
  if (says !== 'uncertain' && (await holdsUpRest(queries, purchase, order.id)))
    return isWarned ? 'held' : 'asked'
  if (isWarned) return 'uncertain'
  return isUncertain(order) ? 'dropped' : 'over'
}

const holdsUpRest = async (
  { orders }: Pick<Queries, 'orders'>,
  { id, heldById }: Pick<Purchase, 'id' | 'heldById'>,
  orderId: string,
): Promise<boolean> =>
  heldById === orderId && (await orders.placementsOf(id)).some(({ placement }) => placement === 'queued')

/** Enqueues edits of the purchase's warnings that are no longer true. Call it after each change of its orders. */
export const endWarnings = async (tx: Queries, purchaseId: string, at: Date): Promise<void> => {
  const standing = await tx.warnings.standing(purchaseId)
  if (standing.length === 0) return
  const purchase = await tx.purchases.byId(purchaseId)
  const orders = await tx.orders.byIds([...new Set(standing.map(({ orderId }) => orderId))])
  for (const warning of standing) {
    const order = orders.find(({ id }) => id === warning.orderId)
    if (!order || !purchase || (await stateOf(tx, warning, order, purchase)) === warning.says) continue
    await tx.warnings.enqueueEdit(warning)
    const { chatId, messageId, orderId } = warning
    const subject = announcementSubject(orderId)
    await tx.notices.enqueue(chatId, { kind: 'warning', subject, orderId, messageId }, at)
  }
}

/**
 * Stores which message shows a warning. If the warning is no longer true, an edit of the message is enqueued
 * immediately.
 */
export const rememberWarning = async (tx: Queries, warning: Warning, at: Date): Promise<void> => {
  // The order may have been erased while the message was on its way.
  if ((await tx.purchases.byId(warning.purchaseId)) === null) return
  await tx.warnings.remember(warning)
  await endWarnings(tx, warning.purchaseId, at)
}

/**
 * Stores what the warning's message says after an edit, or forgets the warning if its message will not change again.
 */
export const noteEdited = async (
  tx: Queries,
  warning: Warning,
  state: WarningState,
  at: Date,
): Promise<void> => {
  if (state === 'dropped' || state === 'over') await tx.warnings.forget(warning)
  else await rememberWarning(tx, { ...warning, says: state }, at)
}

/**
 * Moves a purchase's card to another message. If that message was a warning, or the card itself warns, the card's old
 * message is stored as a warning instead.
 */
export const moveCard = async (
  tx: Queries,
  { id, chatId, cardMessageId }: Purchase,
  messageId: number,
  at: Date,
): Promise<void> => {
  if (cardMessageId === messageId) return
  await tx.purchases.showOn(id, messageId)
  if (cardMessageId === null) return
  const there = await tx.warnings.at(chatId, messageId)
  const replaced = there?.purchaseId === id ? there : null
  if (replaced) await tx.warnings.forget(replaced)
  const warning = replaced ?? (await warningOnCard(tx, id, chatId))
  if (warning) await rememberWarning(tx, { ...warning, messageId: cardMessageId, mistaken: null }, at)
}

/** The warning that the card shows; null if it shows none. */
const warningOnCard = async (
  tx: Queries,
  purchaseId: string,
  chatId: number,
): Promise<Omit<Warning, 'messageId'> | null> => {
  const [order, ...others] = await tx.orders.ofPurchase(purchaseId)
  if (!order || others.length > 0 || order.listed || !(await isWarnedOf(tx, order))) return null
  return { chatId, purchaseId, orderId: order.id, mistaken: null, says: 'uncertain' }
}
