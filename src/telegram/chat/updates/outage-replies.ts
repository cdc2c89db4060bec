import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Outage } from '../../../database/health.ts'
import { exposedSecretIn } from '../secrets/exposed-secret.ts'
import { deleteNow } from '../secrets/removal.ts'
import { secretHeld } from '../secrets/secret-words.ts'
import * as words from './outage-words.ts'

/**
 * Answers people while the database takes no changes. Every update and press is kept and handled afterwards, so nobody
 * is told that nothing was ordered. The replies need no database, so after a restart a person may be told twice.
 */
export interface OutageReplies {
  /** Tells the person once that their update is kept, and deletes a message that shows a credential. */
  answer(update: Update): Promise<void>
  /** Tells the chat that the work after an update failed and is not tried again. */
  stopped(chatId: number): Promise<void>
  /** Warns the operators, unless the outage ends within seconds. */
  begin(outage: Outage): void
  /** Closes the operators' warning. */
  end(outage: Outage): void
  /**
   * Closes the operators' warning when the process stops. No later process could close it, because the warning could
   * not be recorded during the outage. If the process is killed, the warning stays open.
   */
  leave(): Promise<void>
}

/** An operator's message with the warning of an outage. */
export interface AlertMessage {
  chatId: number
  messageId: number
}

/**
 * How long an outage must last before operators are warned, ms. A restart of the server or a short lock is not worth a
 * warning.
 */
const alertAfterMs = 5_000
const maxRemembered = 10_000

/**
 * @param operatorIds the operators to warn; empty if another process warns them.
 * @param closeAlerts called with the operators' warnings when the outage is over.
 */
export const createOutageReplies = (options: {
  api: Pick<Api, 'sendMessage' | 'editMessageText' | 'answerCallbackQuery' | 'deleteMessage'>
  operatorIds: () => readonly number[]
  closeAlerts: (alerts: readonly AlertMessage[], lastedMs: number) => Promise<void>
  monotonicMs: () => number
  onError: (error: unknown) => void
}): OutageReplies => {
  const { api, operatorIds, closeAlerts, monotonicMs, onError } = options
  /** What was said in this outage, so that it is not said twice. */
  const told = new Set<string>()
  /** Updates whose credentials were deleted, or cannot be deleted. */
  const cleared = new Set<number>()
  let alert: NodeJS.Timeout | null = null
  let alerted: readonly Promise<AlertMessage | null>[] = []

  /** Sends a text. @returns the message's id; null if it could not be sent. */
  const send = async (chatId: number, text: string): Promise<number | null> => {
    try {
      return (await api.sendMessage(chatId, text)).message_id
    } catch (error) {
      onError(error)
      return null
    }
  }

  /** Runs `act` once in an outage, and again only if it failed. @param act returns whether it succeeded. */
  const once = async (key: string, act: () => Promise<boolean>): Promise<void> => {
    if (told.has(key) || told.size >= maxRemembered) return
    told.add(key)
    if (!(await act())) told.delete(key)
  }

  const sayOnce = (chatId: number, text: string): Promise<void> =>
    once(`${chatId} ${text}`, async () => (await send(chatId, text)) !== null)

  /** Deletes a message with a credential. If Telegram does not answer, the next copy of the update tries again. */
  const clearSecret = async (update: Update): Promise<void> => {
    const secret = exposedSecretIn(update)
    if (!secret || cleared.has(update.update_id)) return
    const removed = await deleteNow(api, secret.chatId, secret.messageId)
    if (removed === 'unknown') return
    cleared.add(update.update_id)
    await sayOnce(secret.chatId, secretHeld(removed === 'gone'))
  }

  const warn = async (chatId: number, text: string): Promise<AlertMessage | null> => {
    const messageId = await send(chatId, text)
    return messageId === null ? null : { chatId, messageId }
  }

  const sentOf = async (alerts: typeof alerted): Promise<AlertMessage[]> =>
    (await Promise.all(alerts)).filter((alert) => alert !== null)

  const close = async (alerts: typeof alerted, lastedMs: number): Promise<void> => {
    const sent = await sentOf(alerts)
    if (sent.length > 0) await closeAlerts(sent, lastedMs)
  }

  return {
    answer: async (update) => {
      const { callback_query: query, message } = update
      if (query) {
        const alert = { text: words.pressKept, show_alert: true }
        await once(`press ${update.update_id}`, () =>
          api.answerCallbackQuery(query.id, alert).then(
            () => true,
            () => false,
          ),
        )
        return
      }
      await clearSecret(update)
      if (message && isForBot(message)) await sayOnce(message.chat.id, words.kept)
    },
    stopped: (chatId) => sayOnce(chatId, words.stopped),
    begin: (outage) => {
      alert = setTimeout(() => {
        const text = words.toldOperators(outage.cause)
        alerted = operatorIds().map((operatorId) => warn(operatorId, text))
      }, alertAfterMs)
      alert.unref()
    },
    end: ({ sinceMs }) => {
      if (alert) clearTimeout(alert)
      close(alerted, monotonicMs() - sinceMs).catch(onError)
      alerted = []
      told.clear()
      cleared.clear()
    },
    leave: async () => {
      if (alert) clearTimeout(alert)
      const edits = (await sentOf(alerted)).map(({ chatId, messageId }) =>
        api.editMessageText(chatId, messageId, words.stoppedMeanwhile).catch(onError),
      )
      await Promise.all(edits)
    },
  }
}

/** In a group, only commands are meant for the bot. */
const isForBot = ({ chat, text = '' }: NonNullable<Update['message']>): boolean =>
  chat?.type === 'private' || text.startsWith('/')
