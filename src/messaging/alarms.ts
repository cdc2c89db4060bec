import type { AlarmName, NoticeContent } from '../domain/notice.ts'
import type { Alarm } from '../store/chats/alarms.ts'
import type { Queries } from '../store/store.ts'

/**
 * Alarms are warnings that stay true for a while: a refused key, a full disk. The message of each is remembered in the
 * database. When what it warned of is over, the message is edited to one line.
 */

/**
 * Owes the edit that closes an alarm. Call it in the transaction that ends the trouble. An alarm that is being sent is
 * closed when it has arrived.
 * @returns whether one stood.
 */
export const endAlarm = async (
  tx: Pick<Queries, 'alarms' | 'notices'>,
  chatId: number,
  name: AlarmName,
  at: Date,
): Promise<boolean> => {
  const alarm = await tx.alarms.at(chatId, name)
  if (alarm === null || alarm.messageId === null) return false
  const taken = await tx.alarms.take(chatId, name)
  if (taken) await oweAlarmOver(tx, name, taken, at)
  return taken !== null
}

/** Owes the edit that closes an alarm. If nobody knows where it stands, a new message says so. */
export const oweAlarmOver = async (
  tx: Pick<Queries, 'notices'>,
  name: AlarmName,
  { chatId, messageId, since }: Alarm,
  at: Date,
): Promise<void> => {
  const lastedMs = Math.max(0, at.getTime() - since.getTime())
  const over: NoticeContent = { kind: 'alarm_over', subject: `alarm:${name}`, name, messageId, lastedMs }
  await tx.notices.owe(chatId, over, at)
}
