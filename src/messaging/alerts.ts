import type { AlertName, NoticeContent } from '../domain/notice.ts'
import type { Alert } from '../store/chats/alerts.ts'
import type { Queries } from '../store/store.ts'

/**
 * Alerts are warnings that stay true for a while: a refused key, a full disk. The message of each is remembered in the
 * database. When what it warned of is over, the message is edited to one line.
 */

/**
 * Owes the edit that closes an alert. Call it in the transaction that ends the trouble. An alert that is being sent is
 * closed when it has arrived.
 * @returns whether one stood.
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
  if (taken) await oweAlertOver(tx, name, taken, at)
  return taken !== null
}

/** Owes the edit that closes an alert. If nobody knows where it stands, a new message says so. */
export const oweAlertOver = async (
  tx: Pick<Queries, 'notices'>,
  name: AlertName,
  { chatId, messageId, since }: Alert,
  at: Date,
): Promise<void> => {
  const lastedMs = Math.max(0, at.getTime() - since.getTime())
  const over: NoticeContent = { kind: 'alert_over', subject: `alert:${name}`, name, messageId, lastedMs }
  await tx.notices.owe(chatId, over, at)
}
