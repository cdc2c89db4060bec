import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { Admission, Arrival, LeftOut } from '../relay/admission.ts'
import type { Bucket, Rates } from '../relay/rates.ts'
import { decodeButton } from './buttons/button.ts'
import type { Sender } from './sender.ts'
import type { Tasks } from './tasks.ts'
import { crowd, flood, pressLeftOut } from './texts/refusal.ts'

/** Leaves out what is more than can be answered, with a word to who sent it. */
export interface FloodGuard {
  /** Asked before an update is handled. @returns whether it is let in. */
  enters(update: Update): Promise<boolean>
  /** Asked when its turn in its chat has come. @returns whether it is let in. */
  begins(update: Update): boolean
  isMember(userId: number | undefined): boolean
}

/** Lets everything in: for a Telegram without limits. */
export const openToAll: FloodGuard = {
  enters: async () => true,
  begins: () => true,
  isMember: () => true,
}

/** Presses that are left out are answered at this rate at most: the others are answered by nobody. */
const pressAnswers: Bucket = { costMs: 100, burst: 20 }

export const createFloodGuard = (options: {
  admission: Admission
  api: Pick<Api, 'answerCallbackQuery'>
  sender: Sender
  tasks: Tasks
  /** Of this process. */
  rates: Rates
  onLeftOut: (leftOut: LeftOut) => void
}): FloodGuard => {
  const { admission, api, sender, tasks, rates, onLeftOut } = options

  /** One that failed on the way may have been taken: when it is tried again it is not left out any more. */
  const begun = new WeakSet<Update>()

  const answerPress = async (queryId: string): Promise<void> => {
    if ((await rates.tryTake('presses-left-out', pressAnswers)) > 0) return
    await api.answerCallbackQuery(queryId, { text: pressLeftOut, show_alert: true }).catch(() => {})
  }

  const leaveOut = (update: Update, { chatId }: Arrival, leftOut: LeftOut): void => {
    onLeftOut(leftOut)
    const queryId = update.callback_query?.id
    if (queryId !== undefined) tasks.aside(() => answerPress(queryId))
    // Nobody else in a group has to know.
    if (!leftOut.isNew || chatId < 0) return
    const words = leftOut.why === 'crowd' ? crowd : flood(leftOut.who)
    tasks.inOrder(chatId, async () => void (await sender.send(chatId, { text: words })))
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
      if (leftOut) leaveOut(update, arrival, leftOut)
      return !leftOut
    },
    isMember: (userId) => userId !== undefined && admission.isMember(userId),
  }
}

/** Null for what nobody sent. */
const arrivalOf = (update: Update): Arrival | null => {
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
