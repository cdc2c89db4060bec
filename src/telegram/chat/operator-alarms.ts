import type { Logger } from 'pino'
import type { AlarmName } from '../../journal/notice.ts'
import { endAlarm } from '../../relay/alarms.ts'
import type { Alarm } from '../../store/alarms.ts'
import type { Store } from '../../store/store.ts'
import type { Sent } from './sender.ts'

/** Alarms of all operators. Each message is remembered, and edited to one line when its trouble is over. */
export interface OperatorAlarms {
  /** Warns every operator, even if the database cannot record where the message stands. */
  warn(name: AlarmName, text: string): Promise<void>
  /** The warnings of that name that stand. */
  standing(name: AlarmName): Promise<Alarm[]>
  /** Remembers a warning that was sent. */
  remember(name: AlarmName, alarm: Alarm): Promise<void>
  /** Owes the closing edits. @param unsaved warnings that the database does not know yet. */
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

  const warn = async (name: AlarmName, chatId: number, text: string): Promise<void> => {
    const sent = await send(chatId, text)
    if (sent.kind === 'failed') return
    await store.alarms
      .remember(name, { chatId, messageId: sent.messageId, since: now() })
      .catch((error: unknown) => log.error({ alarm: name, err: error }, 'an alarm could not be remembered'))
  }

  return {
    warn: async (name, text) => {
      await Promise.all(operatorIds.map((id) => warn(name, id, text)))
    },
    standing: store.alarms.named,
    remember: store.alarms.remember,
    end: async (name, unsaved = []) => {
      await store.transaction(async (tx) => {
        for (const alarm of unsaved) await tx.alarms.remember(name, alarm)
        for (const { chatId } of await tx.alarms.named(name)) await endAlarm(tx, chatId, name, now())
      })
      onNotice()
    },
  }
}
