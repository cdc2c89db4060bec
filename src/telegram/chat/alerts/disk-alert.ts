import { crashPoint } from '../../../base/crash-point.ts'
import type { FreeSpace } from '../../../database/free-space.ts'
import type { Alert } from '../../../store/chats/alerts.ts'
import type { Sender } from '../sender.ts'
import { diskIsShort } from './disk-words.ts'
import type { OperatorAlerts } from './operator-alerts.ts'

/**
 * Warns the operators once that the disk is nearly full, even if the bot restarts in the meantime, and closes the
 * warning when there is room again.
 */
export const createDiskAlert = (options: {
  alerts: Pick<OperatorAlerts, 'standing' | 'remember' | 'forget' | 'end'>
  sender: Pick<Sender, 'send'>
  operatorIds: readonly number[]
  now: () => Date
}) => {
  const { alerts, sender, operatorIds, now } = options
  /**
   * Warnings that could not be recorded because the disk is full, by operator. Null for an operator who cannot be
   * reached.
   */
  const unsaved = new Map<number, Alert | null>()

  /** @returns the warning; null if Telegram will never accept it, undefined if a later try may succeed. */
  const tell = async (chatId: number, text: string): Promise<Alert | null | undefined> => {
    const since = now()
    // Recorded before sending, so that if this process dies, the next one knows that there may be a message to close.
    await alerts.remember('disk', { chatId, messageId: null, since }).catch(() => {})
    const sent = await sender.send(chatId, { text })
    crashPoint('alert_accepted')
    if (sent.kind === 'sent') return { chatId, messageId: sent.messageId, since }
    await alerts.forget('disk', chatId).catch(() => {})
    return sent.refusal.kind === 'unknown' || sent.refusal.kind === 'flood' ? undefined : null
  }

  const warn = async (operatorId: number, text: string): Promise<void> => {
    const alert = unsaved.has(operatorId) ? unsaved.get(operatorId) : await tell(operatorId, text)
    if (alert === undefined) return
    unsaved.set(operatorId, alert)
    if (alert === null) return
    await alerts.remember('disk', alert)
    unsaved.delete(operatorId)
  }

  return async (space: FreeSpace): Promise<void> => {
    const bytes = space.bytes()
    if (bytes === null) return
    const standing = await alerts.standing('disk')
    if (space.isShort()) {
      // A warning without a message id is sent again, because the process that sent it may have died before Telegram
      // accepted it.
      const told = new Set(standing.filter(({ messageId }) => messageId !== null).map(({ chatId }) => chatId))
      const others = operatorIds.filter((id) => !told.has(id))
      await Promise.all(others.map((id) => warn(id, diskIsShort(bytes))))
    } else if (standing.length + unsaved.size > 0) {
      await alerts.end(
        'disk',
        [...unsaved.values()].filter((alert) => alert !== null),
      )
      unsaved.clear()
    }
  }
}
