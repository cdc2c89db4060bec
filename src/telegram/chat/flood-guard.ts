import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Admission, Arrival, LeftOut } from '../../messaging/admission.ts'
import type { Bucket, Rates } from '../../messaging/buckets.ts'
import { decodePress } from '../buttons/table.ts'
import { crowd, flood, pressLeftOut } from '../words/unusable.ts'
import { type ExposedSecret, exposedSecretIn } from './secrets/exposed-secret.ts'
import { deleteNow } from './secrets/removal.ts'
import { secretSkipped } from './secrets/secret-words.ts'
import { type Sender, sendWithRetries } from './sender.ts'
import type { Tasks } from './tasks.ts'

/** Skips updates if more arrive than the bot can answer, and tells their senders. */
export interface FloodGuard {
  /** Called before an update is handled. @returns false if it must be skipped. */
  enters(update: Update): Promise<boolean>
  /** Called when the update's turn in its chat has come. @returns false if it must be skipped. */
  begins(update: Update): boolean
  /** Notes that a person was promised an answer to this update, so that it is let in when Telegram sends it again. */
  keep(update: Update): void
  /** Notes whether a person is a member or an operator, as it was read when their turn came. */
  meets(userId: number, isMember: boolean): void
  isMember(userId: number | undefined): boolean
}

/** Lets every update in, for a Telegram without limits. */
export const admitAll: FloodGuard = {
  enters: async () => true,
  begins: () => true,
  meets: () => {},
  keep: () => {},
  isMember: () => true,
}

/** How many skipped presses are answered. Presses above this rate get no answer. */
const pressAnswers: Bucket = { costMs: 100, burst: 20 }

/**
 * How many updates noted by `keep` are remembered, for one chat and for all chats. The first is as many as the answers
 * that may wait for a chat; the second is more than Telegram sends before some are done.
 */
const maxKeptOfChat = 20
const maxKept = 1_000

/**
 * How fast credentials in skipped messages are deleted in a chat, and how fast messages about the deletions are sent:
 * to one chat, and to all chats.
 */
const removals: Bucket = { costMs: 200, burst: 50 }
const removalWords: Bucket = { costMs: 20_000, burst: 3 }
const allRemovalWords: Bucket = { costMs: 200, burst: 50 }

/** Limits its own answers as well: above their rates, updates are skipped silently. */
export const createFloodGuard = (options: {
  admission: Admission
  api: Pick<Api, 'answerCallbackQuery' | 'deleteMessage'>
  senders: { member: Sender; stranger: Sender }
  tasks: Tasks
  /** Rates that are counted in this process. */
  rates: Rates
  onLeftOut: (leftOut: LeftOut) => void
}): FloodGuard => {
  const { admission, api, senders, tasks, rates, onLeftOut } = options

  /**
   * Updates whose turn has begun. If handling failed halfway, the update may have had an effect, so its second try is
   * not skipped.
   */
  const begun = new WeakSet<Update>()
  /**
   * The chat of each accepted update, by its id, because Telegram redelivers an update as a new object with that id.
   */
  const kept = new Map<number, number>()

  const arrivalOf = (update: Update): Arrival | null => {
    const from = originOf(update)
    return from && { ...from, isKept: kept.has(update.update_id) }
  }

  const answerPress = async (queryId: string): Promise<void> => {
    if ((await rates.tryTake('presses-left-out', pressAnswers)) > 0) return
    await api.answerCallbackQuery(queryId, { text: pressLeftOut, show_alert: true }).catch(() => {})
  }

  const say = ({ who }: LeftOut, chatId: number, text: string): Promise<unknown> =>
    sendWithRetries(() => senders[who].send(chatId, { text }))

  /** Deletes a skipped message that shows a secret, so that the secret does not stay in the chat. */
  const removeSecret = async ({ chatId, messageId }: ExposedSecret, leftOut: LeftOut): Promise<void> => {
    if ((await rates.tryTake(`secrets ${chatId}`, removals)) > 0) return
    const isGone = (await deleteNow(api, chatId, messageId)) === 'gone'
    if ((await rates.tryTake(`words-on-secrets ${chatId}`, removalWords)) > 0) return
    if (isGone && !leftOut.isNew && (await rates.tryTake('words-on-secrets', allRemovalWords)) > 0) return
    await say(leftOut, chatId, secretSkipped(isGone))
  }

  const leaveOut = (update: Update, { chatId }: Arrival, leftOut: LeftOut): void => {
    onLeftOut(leftOut)
    const queryId = update.callback_query?.id
    if (queryId !== undefined) tasks.aside(() => answerPress(queryId))
    const secret = exposedSecretIn(update)
    if (secret) tasks.aside(() => removeSecret(secret, leftOut))
    // A group is not told that a member sends too much. If strangers crowd the bot, `removeSecret` already tells the
    // sender of a credential.
    if (!leftOut.isNew || chatId < 0 || (secret && leftOut.why === 'crowd')) return
    const words = leftOut.why === 'crowd' ? crowd : flood(leftOut.who)
    // Sent outside the chat's order, so that it does not delay waiting answers.
    tasks.aside(async () => void (await say(leftOut, chatId, words)))
  }

  return {
    enters: async (update) => {
      const arrival = arrivalOf(update)
      const leftOut = arrival && (await admission.enter(arrival))
      if (leftOut) leaveOut(update, arrival, leftOut)
      return !leftOut
    },
    begins: (update) => {
      if (begun.has(update)) return true
      begun.add(update)
      const arrival = arrivalOf(update)
      const leftOut = arrival && admission.begin(arrival)
      kept.delete(update.update_id)
      if (leftOut) leaveOut(update, arrival, leftOut)
      return !leftOut
    },
    keep: (update) => {
      const chatId = originOf(update)?.chatId
      if (chatId === undefined || kept.has(update.update_id)) return
      const ofChat = [...kept.values()].filter((each) => each === chatId).length
      if (ofChat >= maxKeptOfChat) return
      kept.set(update.update_id, chatId)
      // Forgets the oldest kept updates, because one that another process has handled never comes back to this process.
      for (const id of kept.keys()) if (kept.size > maxKept) kept.delete(id)
    },
    meets: admission.meet,
    isMember: (userId) => userId !== undefined && admission.isMember(userId),
  }
}

/** Who sent an update, and where; null if it has no sender. */
const originOf = (update: Update): Omit<Arrival, 'isKept'> | null => {
  const { message, edited_message, callback_query: query, my_chat_member: membership } = update
  const sent = message ?? edited_message ?? membership
  const userId = (sent ?? query)?.from?.id
  if (userId === undefined) return null
  const chatId = (sent ?? query?.message)?.chat?.id ?? userId
  return { chatId, userId, isDecisive: isDecisive(query?.data) }
}

/** Whether a press orders, cancels, or otherwise decides about money. */
const isDecisive = (data: string | undefined): boolean => {
  const press = data === undefined ? null : decodePress(data)
  switch (press?.do) {
    case 'confirm':
    case 'cancel':
    case 'judge':
    case 'send_anyway':
      return true
    case 'list':
      return ['confirm', 'go_on', 'stop'].includes(press.act.act)
    default:
      return false
  }
}
