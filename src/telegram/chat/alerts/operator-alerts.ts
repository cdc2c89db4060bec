import type { Logger } from 'pino'
import { crashPoint } from '../../../base/crash-point.ts'
import type { AlertName } from '../../../domain/notice.ts'
import { enqueueAlertOver } from '../../../messaging/alerts.ts'
import type { Alert } from '../../../store/chats/alerts.ts'
import type { Store } from '../../../store/store.ts'
import type { Sent } from '../sender.ts'

/** The alerts of all operators. Each message is remembered, and edited to one line when its trouble is over. */
export interface OperatorAlerts {
  /** Warns every operator, even if the database cannot record the messages. */
  warn(name: AlertName, text: string): Promise<void>
  /** The warnings of that name that are not closed yet. */
  standing(name: AlertName): Promise<Alert[]>
  /** Records a warning that was sent, or is being sent. */
  remember(name: AlertName, alert: Alert): Promise<void>
  /** Deletes the record of a warning that could not be sent. */
  forget(name: AlertName, chatId: number): Promise<void>
  /**
   * Enqueues the messages that close the warnings of that name. @param unsaved warnings that are not in the database
   * yet.
   */
  end(name: AlertName, unsaved?: readonly Alert[]): Promise<void>
}

/** @param send sends a text to an operator. @param onNotice called when messages were enqueued. */
export const createOperatorAlerts = (options: {
  store: Pick<Store, 'alerts' | 'transaction'>
  send: (operatorId: number, text: string) => Promise<Sent>
  operatorIds: readonly number[]
  onNotice: () => void
  now: () => Date
  log: Logger
}): OperatorAlerts => {
  const { store, send, operatorIds, onNotice, now, log } = options

  const remember = (name: AlertName, alert: Alert): Promise<void> =>
    store.alerts
      .remember(name, alert)
      .catch((error: unknown) => log.error({ alert: name, err: error }, 'an alert could not be remembered'))

  const warn = async (name: AlertName, chatId: number, text: string): Promise<void> => {
    const before = await store.alerts.at(chatId, name).catch(() => null)
    const since = now()
    // Recorded before sending, so that if this process dies, the next one knows that there may be a message to close.
    await remember(name, { chatId, messageId: null, since })
    const sent = await send(chatId, text)
    crashPoint('alert_accepted')
    if (sent.kind === 'sent') return remember(name, { chatId, messageId: sent.messageId, since })
    if (sent.refusal.kind === 'unknown') return
    if (before) await remember(name, before)
    else await store.alerts.take(chatId, name).catch(() => null)
  }

  return {
    warn: async (name, text) => {
      await Promise.all(operatorIds.map((id) => warn(name, id, text)))
    },
    standing: store.alerts.named,
    remember: store.alerts.remember,
    forget: async (name, chatId) => void (await store.alerts.take(chatId, name)),
    end: async (name, unsaved = []) => {
      await store.transaction(async (tx) => {
        for (const alert of unsaved) await tx.alerts.remember(name, alert)
        for (const { chatId } of await tx.alerts.named(name)) {
          const alert = await tx.alerts.take(chatId, name)
          if (alert) await enqueueAlertOver(tx, name, alert, now())
        }
      })
      onNotice()
    },
  }
}
