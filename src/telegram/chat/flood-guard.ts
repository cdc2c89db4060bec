import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Admission, Arrival, LeftOut } from '../../messaging/admission.ts'
import type { Bucket, Rates } from '../../messaging/buckets.ts'
import { decodePress } from '../buttons/button.ts'
import { crowd, flood, pressLeftOut } from '../words/refusal.ts'
import { type ExposedSecret, exposedSecretIn } from './secrets/exposed-secret.ts'
import { deleteNow } from './secrets/removal.ts'
import { secretSkipped } from './secrets/secret-words.ts'
import { persistently, type Sender } from './sender.ts'
import type { Tasks } from './tasks.ts'

/** Leaves out what is more than can be answered, with a word to its sender. */
export interface FloodGuard {
  /** Asked before an update is handled. @returns whether it is let in. */
  enters(update: Update): Promise<boolean>
  /** Asked when the update's turn in its chat has come. @returns whether it is let in. */
  begins(update: Update): boolean
  /** Notes that somebody waits for this update: it is let in when Telegram brings it again. */
  keep(update: Update): void
  /** Notes what was read of a person in their turn: whether they are a member or an operator. */
  meets(userId: number, isMember: boolean): void
  isMember(userId: number | undefined): boolean
}

/** Lets everything in: for a Telegram without limits. */
export const openToAll: FloodGuard = {
  enters: async () => true,
  begins: () => true,
  meets: () => {},
  keep: () => {},
  isMember: () => true,
}

/** The rate at which presses that are left out are answered. Presses above it get no answer. */
const pressAnswers: Bucket = { costMs: 100, burst: 20 }

/**
 * As many as the answers that may wait for a chat. In all, more than Telegram brings before some are done.
 */
const maxKeptOfChat = 20
const maxKept = 1_000

/**
 * The rate at which a chat's credentials are deleted if they are left out, and the rates of messages about that: to a
 * chat, and to all.
 */
const removals: Bucket = { costMs: 200, burst: 50 }
const removalWords: Bucket = { costMs: 20_000, burst: 3 }
const allRemovalWords: Bucket = { costMs: 200, burst: 50 }

/** Bounds the answers too: above their rates, updates are left out without a word. */
export const createFloodGuard = (options: {
  admission: Admission
  api: Pick<Api, 'answerCallbackQuery' | 'deleteMessage'>
  senders: { member: Sender; stranger: Sender }
  tasks: Tasks
  /** The rates of this process. */
  rates: Rates
  onLeftOut: (leftOut: LeftOut) => void
}): FloodGuard => {
  const { admission, api, senders, tasks, rates, onLeftOut } = options

  /**
   * Updates whose turn has begun. One that failed on the way may have taken effect, so a second try is not left out.
   */
  const begun = new WeakSet<Update>()
  /** The chats of updates that are kept, by update id, since Telegram brings another copy. */
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
    persistently(() => senders[who].send(chatId, { text }))

  /** A secret in a message that nobody handles must not stay in the chat. */
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
    // Nobody else in a group has to know. The words about a skipped credential say enough of a crowd.
    if (!leftOut.isNew || chatId < 0 || (secret && leftOut.why === 'crowd')) return
    const words = leftOut.why === 'crowd' ? crowd : flood(leftOut.who)
    // Sent beside the answers that wait, so that it holds up none of them.
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
      // Updates that another process has handled never come back here.
      for (const id of kept.keys()) if (kept.size > maxKept) kept.delete(id)
    },
    meets: admission.meet,
    isMember: (userId) => userId !== undefined && admission.isMember(userId),
  }
}

/** Null for an update that nobody sent. */
const originOf = (update: Update): Omit<Arrival, 'isKept'> | null => {
  const { message, edited_message, callback_query: query, my_chat_member: standing } = update
  const sent = message ?? edited_message ?? standing
  const userId = (sent ?? query)?.from?.id
  if (userId === undefined) return null
  const chatId = (sent ?? query?.message)?.chat?.id ?? userId
  return { chatId, userId, isDecisive: isDecisive(query?.data) }
}

/** Whether a press orders, cancels, or settles what becomes of money. */
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
