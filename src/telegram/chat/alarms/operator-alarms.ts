import type { Logger } from 'pino'
import { crashPoint } from '../../../crash-point.ts'
import type { AlarmName } from '../../../domain/notice.ts'
import { oweAlarmOver } from '../../../messaging/alarms.ts'
import type { Alarm } from '../../../store/chats/alarms.ts'
import type { Store } from '../../../store/store.ts'
import type { Sent } from '../sender.ts'

/** Alarms of all operators. Each message is remembered, and edited to one line when its trouble is over. */
export interface OperatorAlarms {
  /** Warns every operator, even if the database cannot record where the message stands. */
  warn(name: AlarmName, text: string): Promise<void>
  /** The warnings of that name that stand. */
  standing(name: AlarmName): Promise<Alarm[]>
  /** Remembers a warning that was sent, or is being sent. */
  remember(name: AlarmName, alarm: Alarm): Promise<void>
  /** Forgets a warning that could not be sent. */
  forget(name: AlarmName, chatId: number): Promise<void>
  /** Owes the messages that close them. @param unsaved warnings that the database does not know yet. */
  end(name: AlarmName, unsaved?: readonly Alarm[]): Promise<void>
}

/**
 * @param send sends a text to an operator.
 * @param onNotice called when messages are owed.
 */
export const createOperatorAlarms = (options: {
  store: Pick<Store, 'alarms' | 'transaction'>
  send: (operatorId: number, text: string) => Promise<Sent>
  operatorIds: readonly number[]
  onNotice: () => void
  now: () => Date
  log: Logger
}): OperatorAlarms => {
  const { store, send, operatorIds, onNotice, now, log } = options

  const remember = (name: AlarmName, alarm: Alarm): Promise<void> =>
    store.alarms
      .remember(name, alarm)
      .catch((error: unknown) => log.error({ alarm: name, err: error }, 'an alarm could not be remembered'))

  const warn = async (name: AlarmName, chatId: number, text: string): Promise<void> => {
    const before = await store.alarms.at(chatId, name).catch(() => null)
    const since = now()
    // If the process dies before Telegram's answer, the next one still knows that there may be something to close.
    await remember(name, { chatId, messageId: null, since })
    const sent = await send(chatId, text)
    crashPoint('alarm_accepted')
    if (sent.kind === 'sent') return remember(name, { chatId, messageId: sent.messageId, since })
    if (sent.refusal.kind === 'unknown') return
    if (before) await remember(name, before)
    else await store.alarms.take(chatId, name).catch(() => null)
  }

  return {
    warn: async (name, text) => {
      await Promise.all(operatorIds.map((id) => warn(name, id, text)))
    },
    standing: store.alarms.named,
    remember: store.alarms.remember,
    forget: async (name, chatId) => void (await store.alarms.take(chatId, name)),
    end: async (name, unsaved = []) => {
      await store.transaction(async (tx) => {
        for (const alarm of unsaved) await tx.alarms.remember(name, alarm)
        for (const { chatId } of await tx.alarms.named(name)) {
          const alarm = await tx.alarms.take(chatId, name)
          if (alarm) await oweAlarmOver(tx, name, alarm, now())
        }
      })
      onNotice()
    },
  }
}
