import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Outage } from '../../database/health.ts'
import { secretHeld } from '../texts/connect.ts'
import * as words from '../texts/outage.ts'
import { exposedSecretIn } from './exposed-secret.ts'
import { deleteNow } from './removal.ts'

/** The fate of an update: it is done, or Telegram is to keep it until the database takes changes again. */
export type Handled = 'done' | 'held'

/**
 * Answers people while the database takes no changes. It needs no database, so its memory is gone with the process, and
 * somebody may then be told twice.
 *
 * | update | the person reads | then |
 * |---|---|---|
 * | a message | once in a chat and outage: nothing is ordered yet, it is answered later | it is held |
 * | one that shows a credential | once in a chat and outage, with that: it was deleted | it is held |
 * | a press | each time: nothing was ordered | it is done; unless it was taken elsewhere, the end brings a reply |
 * | an update that may have been taken | do not order it again, you will see | it is held, and bound to its cause |
 */
export interface OutageReplies {
  /** @param isCertain nothing was ordered by the update, as far as its handler knows. */
  answer(update: Update, isCertain: boolean): Promise<Handled>
  /** Tells the chat that the work after an update failed and is not tried again. */
  stopped(chatId: number): Promise<void>
  /** Tells the chat that a press waited while no process was there, and is not taken. */
  declined(chatId: number): Promise<void>
  /** Tells the operators, unless the outage is over within a moment. */
  begin(outage: Outage): void
  /** Tells the people whose presses were not taken, and closes the operators' alarm. */
  end(outage: Outage): void
  /**
   * The process stops: closes the operators' alarm, which no later process knows of. It stays open only if the process is
   * killed, because nothing can be recorded meanwhile.
   */
  leave(): Promise<void>
}

/** A message to an operator that warns of an outage. */
export interface AlarmMessage {
  chatId: number
  messageId: number
}

/** A press of which the person was told that it did nothing. */
interface UntakenPress {
  chatId: number
  /** Of the message with the button; an old one may be unknown. */
  messageId: number | undefined
  data: string
}

/** A restart of the server, or a lock for a moment, is not worth an alarm. */
const alarmAfterMs = 5_000
const maxRemembered = 10_000

/**
 * @param operatorIds the operators to tell; empty if another process tells them.
 * @param closeAlarms called with the operators' alarms when their outage is over.
 * @param orderedNothing whether a press with those data has certainly ordered nothing, now and before.
 */
export const createOutageReplies = (options: {
  api: Pick<Api, 'sendMessage' | 'editMessageText' | 'answerCallbackQuery' | 'deleteMessage'>
  operatorIds: () => readonly number[]
  closeAlarms: (alarms: readonly AlarmMessage[], lastedMs: number) => Promise<void>
  orderedNothing: (data: string) => Promise<boolean>
  monotonicMs: () => number
  /** Called for each update that is held. An update may stay held beyond the end of the outage. */
  onHeld: (update: Update) => void
  onError: (error: unknown) => void
}): OutageReplies => {
  const { api, operatorIds, closeAlarms, orderedNothing, monotonicMs, onHeld, onError } = options
  const told = new Set<string>()
  const held = new Set<number>()
  /** Held updates that may have been taken. */
  const uncertain = new Set<number>()
  /** By the message with the button. */
  const untaken = new Map<string, UntakenPress>()
  let ended = 0
  /** Updates whose credentials were deleted, or cannot be. */
  const cleared = new Set<number>()
  let alarm: NodeJS.Timeout | null = null
  /** The operators' warnings. The process that leads when the outage ends closes them. */
  let alarmed: readonly Promise<AlarmMessage | null>[] = []

  /** @returns the message's id; null if it could not be sent. */
  const send = async (chatId: number, text: string, replyTo?: number): Promise<number | null> => {
    const more =
      replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }
    try {
      return (await api.sendMessage(chatId, text, more)).message_id
    } catch (error) {
      onError(error)
      return null
    }
  }

  const say = async (chatId: number, text: string): Promise<boolean> => (await send(chatId, text)) !== null

  /** Says it once in an outage, and again only if it did not arrive. */
  const sayOnce = async (chatId: number, text: string): Promise<void> => {
    const key = `${chatId} ${text}`
    if (told.has(key) || told.size >= maxRemembered) return
    told.add(key)
    if (!(await say(chatId, text))) told.delete(key)
  }

  const toast = (queryId: string, text: string): Promise<boolean> =>
    api.answerCallbackQuery(queryId, { text, show_alert: true }).then(
      () => true,
      () => false,
    )

  const hold = (update: Update): Handled => {
    held.add(update.update_id)
    onHeld(update)
    return 'held'
  }

  /**
   * Deletes a credential and tells the person. If Telegram did not answer, the deletion is tried again when the update
   * comes again.
   */
  const clearSecret = async (update: Update): Promise<void> => {
    const secret = exposedSecretIn(update)
    if (!secret || cleared.has(update.update_id)) return
    const removed = await deleteNow(api, secret.chatId, secret.messageId)
    if (removed === 'unknown') return
    cleared.add(update.update_id)
    await sayOnce(secret.chatId, secretHeld(removed === 'gone'))
  }

  const answerPress = async (update: Update, isCertain: boolean): Promise<Handled> => {
    const query = update.callback_query
    if (!query) return hold(update)
    const { data = '', message } = query
    const endedBefore = ended
    const chatId = message?.chat.id ?? query.from.id
    if (!isCertain || !(await orderedNothing(data))) {
      if (!held.has(update.update_id)) await toast(query.id, words.uncertain)
      uncertain.add(update.update_id)
      await sayOnce(chatId, words.uncertain)
      return hold(update)
    }
    // If the person could not be told, the press is kept like a message and taken after the outage.
    if (!(await toast(query.id, words.pressNotTaken))) return hold(update)
    const press = { chatId, messageId: message?.message_id, data }
    // The toast promises a message at the end of the outage, which may have come while the toast was on its way.
    if (ended === endedBefore) untaken.set(`${chatId} ${press.messageId}`, press)
    else void sayPressAgain(press)
    return 'done'
  }

  /**
   * Telegram may have brought the press to another process too, which took it: its card shows what became of it. Where
   * that cannot be read, nothing is said: the card has its button still.
   */
  const sayPressAgain = async ({ chatId, messageId, data }: UntakenPress): Promise<void> => {
    if (await orderedNothing(data)) await send(chatId, words.pressAgain, messageId)
  }

  const warn = async (chatId: number, text: string): Promise<AlarmMessage | null> => {
    const messageId = await send(chatId, text)
    return messageId === null ? null : { chatId, messageId }
  }

  const sentOf = async (alarms: typeof alarmed): Promise<AlarmMessage[]> =>
    (await Promise.all(alarms)).filter((alarm) => alarm !== null)

  const close = async (alarms: typeof alarmed, lastedMs: number): Promise<void> => {
    const sent = await sentOf(alarms)
    if (sent.length > 0) await closeAlarms(sent, lastedMs)
  }

  return {
    answer: async (update, isCertain) => {
      const isSure = isCertain && !uncertain.has(update.update_id)
      if (update.callback_query) return answerPress(update, isSure)
      await clearSecret(update)
      const { message } = update
      if (!isSure) uncertain.add(update.update_id)
      if (message && isForBot(message)) await sayOnce(message.chat.id, isSure ? words.kept : words.uncertain)
      return hold(update)
    },
    stopped: (chatId) => sayOnce(chatId, words.stopped),
    declined: (chatId) => sayOnce(chatId, words.pressedInAbsence),
    begin: (outage) => {
      alarm = setTimeout(() => {
        const text = words.toldOperators(outage.cause)
        alarmed = operatorIds().map((operatorId) => warn(operatorId, text))
      }, alarmAfterMs)
      alarm.unref()
    },
    end: ({ sinceMs }) => {
      ended += 1
      if (alarm) clearTimeout(alarm)
      close(alarmed, monotonicMs() - sinceMs).catch(onError)
      for (const press of untaken.values()) void sayPressAgain(press)
      alarmed = []
      told.clear()
      held.clear()
      uncertain.clear()
      untaken.clear()
      cleared.clear()
    },
    leave: async () => {
      if (alarm) clearTimeout(alarm)
      const edits = (await sentOf(alarmed)).map(({ chatId, messageId }) =>
        api.editMessageText(chatId, messageId, words.stoppedMeanwhile).catch(onError),
      )
      await Promise.all(edits)
    },
  }
}

/** In a group, only commands are for the bot. */
const isForBot = ({ chat, text = '' }: NonNullable<Update['message']>): boolean =>
  chat?.type === 'private' || text.startsWith('/')
