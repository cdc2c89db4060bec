import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Outage } from '../store/health.ts'
import { exposedSecretIn } from './exposed-secret.ts'
import { deleteNow } from './removal.ts'
import { secretHeld } from './texts/connect.ts'
import * as words from './texts/outage.ts'

/** What becomes of an update: it is done, or Telegram is to keep it until the database takes changes again. */
export type Handled = 'done' | 'held'

/**
 * Answers people while the database takes no changes. It needs no database, so what it knows is gone with the process:
 * then somebody may be told twice.
 *
 * | update | its person reads | then |
 * |---|---|---|
 * | a message | once in a chat and outage: nothing is ordered yet, it is answered later | it is held |
 * | one that shows a credential | once in a chat and outage, with that: it was deleted | it is held |
 * | a press | each time: nothing was ordered, press again | it is done: who was told so has not ordered |
 * | one that may have been taken | do not order it again, you will see | it is held, and bound to its cause |
 */
export interface OutageReplies {
  /** @param isCertain nothing was ordered by the update, as far as whoever handled it knows. */
  answer(update: Update, isCertain: boolean): Promise<Handled>
  /** Something that went on after an update was handled could not, and is not tried again. */
  stopped(chatId: number): Promise<void>
  /** A press waited while no process was there, and is not taken. */
  declined(chatId: number): Promise<void>
  /** Tells the operators, unless it is over within a moment. */
  begin(outage: Outage): void
  /** Tells those whose presses were not taken, and the operators. */
  end(outage: Outage): void
}

/** A server that restarts, or a lock for a moment, is not worth an alarm. */
const alarmAfterMs = 5_000
const mostRemembered = 10_000

/**
 * @param operatorIds whom to tell; empty where another process does.
 * @param orderedNothing whether that is certain of a press with those data, now and before.
 */
export const createOutageReplies = (options: {
  api: Pick<Api, 'sendMessage' | 'answerCallbackQuery' | 'deleteMessage'>
  operatorIds: () => readonly number[]
  orderedNothing: (data: string) => Promise<boolean>
  monotonicMs: () => number
  /** Told of each that is held, also beyond the end of the outage. */
  onHeld: (update: Update) => void
  onError: (error: unknown) => void
}): OutageReplies => {
  const { api, operatorIds, orderedNothing, monotonicMs, onHeld, onError } = options
  const told = new Set<string>()
  const held = new Set<number>()
  /** Of those that are held, what may have been taken. */
  const uncertain = new Set<number>()
  const pressedIn = new Set<number>()
  /** Whose credentials were deleted, or cannot be. */
  const cleared = new Set<number>()
  let alarm: NodeJS.Timeout | null = null
  /** Operators who were told, and hear of its end, whoever leads by then. */
  let alarmed: readonly number[] = []

  const say = (chatId: number, text: string): Promise<boolean> =>
    api.sendMessage(chatId, text).then(
      () => true,
      (error: unknown) => {
        onError(error)
        return false
      },
    )

  /** Once in an outage, and again only where it did not arrive. */
  const sayOnce = async (chatId: number, text: string): Promise<void> => {
    const key = `${chatId} ${text}`
    if (told.has(key) || told.size >= mostRemembered) return
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

  /** Says so, once it was tried; what Telegram left unanswered is tried again when it brings the update again. */
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
    const chatId = query.message?.chat.id ?? query.from.id
    if (!isCertain || !(await orderedNothing(query.data ?? ''))) {
      if (!held.has(update.update_id)) await toast(query.id, words.uncertain)
      uncertain.add(update.update_id)
      await sayOnce(chatId, words.uncertain)
      return hold(update)
    }
    // One that was told nothing is kept like a message, and taken when it is over.
    if (!(await toast(query.id, words.pressNotTaken))) return hold(update)
    pressedIn.add(chatId)
    return 'done'
  }

  const tell = (operators: readonly number[], text: string): void => {
    for (const operator of operators) void say(operator, text)
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
        alarmed = operatorIds()
        tell(alarmed, words.toldOperators(outage.cause))
      }, alarmAfterMs)
      alarm.unref()
    },
    end: ({ sinceMs }) => {
      if (alarm) clearTimeout(alarm)
      tell(alarmed, words.toldOperatorsEnd((monotonicMs() - sinceMs) / 60_000))
      for (const chatId of pressedIn) void say(chatId, words.pressAgain)
      alarmed = []
      told.clear()
      held.clear()
      uncertain.clear()
      pressedIn.clear()
      cleared.clear()
    },
  }
}

/** In a group only a command is. */
const isForBot = ({ chat, text = '' }: NonNullable<Update['message']>): boolean =>
  chat?.type === 'private' || text.startsWith('/')
