import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Admission, Arrival, LeftOut } from '../relay/admission.ts'
import type { Bucket, Rates } from '../relay/rates.ts'
import { decodeButton } from './buttons/button.ts'
import { type ExposedSecret, exposedSecretIn } from './exposed-secret.ts'
import { deleteNow } from './removal.ts'
import { persistently, type Sender } from './sender.ts'
import type { Tasks } from './tasks.ts'
import { secretSkipped } from './texts/connect.ts'
import { crowd, flood, pressLeftOut } from './texts/refusal.ts'

/** Leaves out what is more than can be answered, with a word to who sent it. */
export interface FloodGuard {
  /** Asked before an update is handled. @returns whether it is let in. */
  enters(update: Update): Promise<boolean>
  /** Asked when its turn in its chat has come. @returns whether it is let in. */
  begins(update: Update): boolean
  /** Its person waits for it: when Telegram brings it again it is let in. */
  keep(update: Update): void
  isMember(userId: number | undefined): boolean
}

/** Lets everything in: for a Telegram without limits. */
export const openToAll: FloodGuard = {
  enters: async () => true,
  begins: () => true,
  keep: () => {},
  isMember: () => true,
}

/** Presses that are left out are answered at this rate at most: the others are answered by nobody. */
const pressAnswers: Bucket = { costMs: 100, burst: 20 }

/** As many answers as may wait for a chat; and more than Telegram brings before some of them are done. */
const mostKeptOfChat = 20
const mostKept = 1_000

/** Credentials that are left out are deleted at this rate of a chat, and told of at these, of a chat and of all. */
const removals: Bucket = { costMs: 200, burst: 50 }
const removalWords: Bucket = { costMs: 20_000, burst: 3 }
const allRemovalWords: Bucket = { costMs: 200, burst: 50 }

export const createFloodGuard = (options: {
  admission: Admission
  api: Pick<Api, 'answerCallbackQuery' | 'deleteMessage'>
  senders: { member: Sender; stranger: Sender }
  tasks: Tasks
  /** Of this process. */
  rates: Rates
  onLeftOut: (leftOut: LeftOut) => void
}): FloodGuard => {
  const { admission, api, senders, tasks, rates, onLeftOut } = options

  /** One that failed on the way may have been taken: when it is tried again it is not left out any more. */
  const begun = new WeakSet<Update>()
  /** By the id of what is kept, since Telegram brings another copy, the chat that it is of. */
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

  /** What nobody handles must not stay in the chat. */
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
    // Nobody else in a group has to know. What a skipped credential is told says enough of a crowd.
    if (!leftOut.isNew || chatId < 0 || (secret && leftOut.why === 'crowd')) return
    const words = leftOut.why === 'crowd' ? crowd : flood(leftOut.who)
    // Beside the answers that wait: none of them is held up by it.
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
      if (ofChat >= mostKeptOfChat) return
      kept.set(update.update_id, chatId)
      // Those that another process has handled never come back here.
      for (const id of kept.keys()) if (kept.size > mostKept) kept.delete(id)
    },
    isMember: (userId) => userId !== undefined && admission.isMember(userId),
  }
}

/** Null for what nobody sent. */
const originOf = (update: Update): Omit<Arrival, 'isKept'> | null => {
  const { message, edited_message, callback_query: query, my_chat_member: standing } = update
  const sent = message ?? edited_message ?? standing
  const userId = (sent ?? query)?.from?.id
  if (userId === undefined) return null
  const chatId = (sent ?? query?.message)?.chat?.id ?? userId
  return { chatId, userId, isDecisive: isDecisive(query?.data) }
}

/** It orders, cancels, or settles what becomes of money. */
const isDecisive = (data: string | undefined): boolean => {
  const button = data === undefined ? null : decodeButton(data)
  switch (button?.do) {
    case 'confirm':
    case 'cancel':
    case 'judge':
    case 'send_anyway':
      return true
    case 'list':
      return ['confirm', 'go_on', 'stop'].includes(button.act.act)
    default:
      return false
  }
}
