import type { AlertName, NoticeContent } from '../domain/notice.ts'
import type { Alert } from '../store/chats/alerts.ts'
import type { Queries } from '../store/store.ts'

/**
 * An alert is a warning that stays in a chat while a problem lasts, such as a refused key or a full disk. The database
 * stores which message shows it. When the problem is over, the message is edited to one line.
 */

/**
 * Queues the edit that closes an alert. Call it in the transaction that ends the problem. An alert that is still being
 * sent is closed after it has arrived.
 * @returns false if there was no open alert.
 */
export const endAlert = async (
  tx: Pick<Queries, 'alerts' | 'notices'>,
  chatId: number,
  name: AlertName,
  at: Date,
): Promise<boolean> => {
  const alert = await tx.alerts.at(chatId, name)
  if (alert === null || alert.messageId === null) return false
  const taken = await tx.alerts.take(chatId, name)
  if (taken) await enqueueAlertOver(tx, name, taken, at)
  return taken !== null
}

/** Queues the edit that closes an alert, or a new message if the id of the alert's message is not known. */
export const enqueueAlertOver = async (
  tx: Pick<Queries, 'notices'>,
  name: AlertName,
  { chatId, messageId, since }: Alert,
  at: Date,
): Promise<void> => {
  const lastedMs = Math.max(0, at.getTime() - since.getTime())
  const over: NoticeContent = { kind: 'alert_over', subject: `alert:${name}`, name, messageId, lastedMs }
  await tx.notices.enqueue(chatId, over, at)
}
