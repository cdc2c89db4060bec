import { crashPoint } from '../../../crash-point.ts'
import type { FreeSpace } from '../../../database/free-space.ts'
import type { Alarm } from '../../../store/chats/alarms.ts'
import type { Sender } from '../sender.ts'
import { diskIsShort } from './disk-words.ts'
import type { OperatorAlarms } from './operator-alarms.ts'

/**
 * Tells the operators once that the disk is nearly full, however often the bot starts meanwhile, and closes the warning
 * when there is room again.
 */
export const createDiskAlarm = (options: {
  alarms: Pick<OperatorAlarms, 'standing' | 'remember' | 'forget' | 'end'>
  sender: Pick<Sender, 'send'>
  operatorIds: readonly number[]
  now: () => Date
}) => {
  const { alarms, sender, operatorIds, now } = options
  /**
   * Operators who were told while the full disk could not record it; null if no message reaches them.
   */
  const unsaved = new Map<number, Alarm | null>()

  /** @returns the warning, null if Telegram will never take it, undefined if it may later. */
  const tell = async (chatId: number, text: string): Promise<Alarm | null | undefined> => {
    const since = now()
    // If the process dies before Telegram's answer, the next one still knows that there may be something to close.
    await alarms.remember('disk', { chatId, messageId: null, since }).catch(() => {})
    const sent = await sender.send(chatId, { text })
    crashPoint('alarm_accepted')
    if (sent.kind === 'sent') return { chatId, messageId: sent.messageId, since }
    await alarms.forget('disk', chatId).catch(() => {})
    return sent.refusal.kind === 'unknown' || sent.refusal.kind === 'flood' ? undefined : null
  }

  const warn = async (operatorId: number, text: string): Promise<void> => {
    const alarm = unsaved.has(operatorId) ? unsaved.get(operatorId) : await tell(operatorId, text)
    if (alarm === undefined) return
    unsaved.set(operatorId, alarm)
    if (alarm === null) return
    await alarms.remember('disk', alarm)
    unsaved.delete(operatorId)
  }

  return async (space: FreeSpace): Promise<void> => {
    const bytes = space.bytes()
    if (bytes === null) return
    const standing = await alarms.standing('disk')
    if (space.isShort()) {
      // A process that died while it sent the warning may have told nobody.
      const told = new Set(standing.filter(({ messageId }) => messageId !== null).map(({ chatId }) => chatId))
      const others = operatorIds.filter((id) => !told.has(id))
      await Promise.all(others.map((id) => warn(id, diskIsShort(bytes))))
    } else if (standing.length + unsaved.size > 0) {
      await alarms.end(
        'disk',
        [...unsaved.values()].filter((alarm) => alarm !== null),
      )
      unsaved.clear()
    }
  }
}
