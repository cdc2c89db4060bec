import type { Context, LazySessionFlavor } from 'grammy'
import type { Document } from 'grammy/types'
import type { Network, ProviderError } from '../../provider/index.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Topic } from '../../settings/setting.ts'
import type { ChatSnapshot } from '../../store/chats/chat-snapshot.ts'
import type { NoWallet } from '../../wallets/wallets.ts'
import type { ActOf } from '../buttons/button.ts'
import type { ExportSubject } from '../buttons/export.ts'
import { keyboardRestored } from '../words/labels.ts'
import type { ListFileReading } from './list-file.ts'
import type { Services } from './services.ts'
import type { Talk } from './talk.ts'

/** The one pending question of a chat, which its next text answers. It never holds a secret. */
export type Question =
  | { what: 'key' }
  | { what: 'secret' }
  /** `own`: buttons that share the person's own number stand in place of their keyboard. */
  | { what: 'phone'; bundleId: number; own?: true }
  /** Another number for that draft. */
  | { what: 'new_number'; purchaseId: string }
  /** The numbers for so many orders of that size. */
  | { what: 'numbers'; count: number; size: string; network: Network | null }
  | { what: 'reference' }
  | { what: 'search_orders' }
  /** The numbers of a list, for the bundle that was chosen. */
  | { what: 'list'; bundleId: number }
  /** Corrected lines of that list. */
  | { what: 'fix'; purchaseId: string }
  /** A question about that order, to be passed to the shop. */
  | { what: 'ask'; orderId: string }
  /** The answer to a customer's question, which stands on the message `cardId`. */
  | { what: 'answer'; enquiryId: string; cardId?: number }
  /** Something about saved numbers. */
  | { what: 'contact'; ask: ContactAsk }
  /** The days that a file is to cover. */
  | { what: 'period'; subject: ExportSubject }
  /** Something about selling prices. */
  | { what: 'selling'; ask: SellingAsk }
  /** How much an agent may spend in a day. */
  | { what: 'agent_limit'; agentId: number }
  /** The value of a setting. */
  | { what: 'setting'; topic: Topic }
  /** Something that only operators are asked. */
  | { what: 'operator'; ask: OperatorAsk }
  /**
   * The text that Telegram may have cut off from a message of that list. `sentAt` is when that message was sent (epoch
   * seconds, by Telegram's clock).
   */
  | { what: 'rest'; purchaseId: string; sentAt: number }

/** A question about saved numbers. */
export type ContactAsk =
  | { act: 'search' }
  /** Names with their numbers, typed or in a file. */
  | { act: 'add' }
  | { act: 'import' }
  /** The number of a name that was ordered for, but is not saved. */
  | { act: 'number'; name: string }
  /** The name of a number. `orderId` is the order on whose card it was asked for. */
  | { act: 'name'; phone: Phone; orderId: string | null }
  | { act: 'rename'; id: string }

/** A question to an operator. */
export type OperatorAsk =
  /** The person to block. */
  | { about: 'block' }
  /** The network that first digits hint at. */
  | { about: 'prefix' }
  /** The name of the bot. */
  | { about: 'bot_name' }
  /** The reason why all orders are paused, and for how many minutes; 0: nobody knows. */
  | { about: 'pause'; minutes: number; reason: string | null }

/** A question about selling. */
export type SellingAsk =
  /** The amount added to the cost of every bundle. */
  | { about: 'rule' }
  /** The rule for some bundles. Another scope may be typed with it. */
  | { about: 'tier'; network: Network | null; fromMegabytes: number | null }
  /** The price of one bundle. */
  | { about: 'price'; bundleId: number }
  /** The price at which one order was really sold. */
  | { about: 'sold_for'; orderId: string }
  /** The shop's name, and the act that goes on once there is one. */
  | { about: 'shop_name'; then: ActOf<'selling'> }
  /** The number at which customers reach the shop. */
  | { about: 'shop_phone' }
  /** The letter that stands for the shop on pictures. */
  | { about: 'letter' }

/** An album, whose files come as messages of their own. Its caption stands below one of them, and is for all. */
export interface Album {
  /** Telegram's `media_group_id`. */
  id: string
  caption: string
  /** The bundle that was chosen before the files were sent. */
  bundleId: number | null
}

/** The bot's memory of a private chat between two updates. */
export interface Memory {
  question?: Question
  /** Until when the answer is waited for, epoch milliseconds. */
  until?: number
  /** The album that is arriving, file by file. */
  album?: Album
}

/** grammY’s context of an update, with the tools by which handlers answer. */
export type BotContext = Context &
  LazySessionFlavor<Memory> & {
    /** What was read for this update when its turn in the chat came. */
    snapshot: ChatSnapshot
    talk: Talk
    /** As in `Asker`. */
    cause?: string
    /** What is remembered of the chat by now: later updates may have changed it since this one. */
    memoryNow: () => Promise<Memory>
    /**
     * The list in the message's document, which is loaded once. A document with a secret is removed, and the person is
     * told.
     */
    readDocument: (document: Document) => Promise<ListFileReading>
  }

/** The person who is answered, and the message: an update, or an earlier request that is tried again. */
export interface Asker {
  talk: Talk
  /** The message that asked, or whose button was pressed. */
  msgId?: number | undefined
  /** What a purchase of it has as its cause, if that is not the message itself: an edit of it. */
  cause?: string
  /** Called when the provider cannot be read, in place of telling the person. */
  onUnread?: (error: ProviderError | NoWallet) => void
}

/** The cause of a purchase that a message asks for: one message, one purchase. */
export const messageCause = ({ talk, msgId, cause }: Asker): string => cause ?? causeOf(talk.chatId, msgId)

/** The same before anything is read. */
export const causeOf = (chatId: number, messageId: number | undefined): string =>
  `message:${chatId}:${messageId}`

const waitForAnswerMs = 30 * 60_000

/** Takes the chat’s next message as the answer to a question, for half an hour. */
export const askNext = async (ctx: BotContext, question: Question): Promise<void> => {
  const { question: before } = await ctx.session
  if (before && !replacesKeyboard(question)) restoreKeyboard(ctx, before)
  ctx.session = { question, until: Date.now() + waitForAnswerMs }
  ctx.talk.asks()
}

/** The question that the chat’s next message answers; null if there is none, or its time is over. */
export const pendingQuestion = async (ctx: BotContext): Promise<Question | null> => {
  const { question, until = 0 } = await ctx.session
  return question && until > Date.now() ? question : null
}

/** The question was answered. */
export const endQuestion = (ctx: BotContext): void => {
  ctx.session = {}
  ctx.talk.answered()
}

/** Leaves the flow, and drops a key that waits for its secret. @returns whether something was asked. */
export const forgetQuestion = async (ctx: BotContext, { store }: Services): Promise<boolean> => {
  const { question } = await ctx.session
  if (!question) return false
  restoreKeyboard(ctx, question)
  endQuestion(ctx)
  if (question.what === 'secret') await store.chats.dropKey(ctx.talk.chatId)
  return true
}

const replacesKeyboard = (question: Question): boolean => question.what === 'phone' && question.own === true

/** Telegram keeps such buttons until a message takes them away. */
const restoreKeyboard = (ctx: BotContext, question: Question): void => {
  if (replacesKeyboard(question)) ctx.talk.say({ text: keyboardRestored, field: { kind: 'plain' } })
}
