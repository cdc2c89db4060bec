import type { Context, LazySessionFlavor } from 'grammy'
import type { Document } from 'grammy/types'
import type { ComplaintKind } from '../../domain/order/complaint.ts'
import type { Network } from '../../provider/index.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Topic } from '../../settings/setting.ts'
import type { ChatSnapshot } from '../../store/chats/chat-snapshot.ts'
import type { WalletError } from '../../wallets/wallets.ts'
import type { ExportSubject } from '../buttons/export-choice.ts'
import type { ActOf } from '../buttons/table.ts'
import { unsentComplaint } from '../cards/unsent-complaint.ts'
import { keyboardRestored } from '../words/labels.ts'
import type { ListFileReading } from './files/read-list-file.ts'
import type { Services } from './services.ts'
import type { Talk } from './talk.ts'

/** The one pending question of a chat, which its next text answers. It never holds a secret. */
export type Question =
  | { what: 'key' }
  | { what: 'secret' }
  /** `own`: Telegram shows buttons that share the person's own number instead of the keyboard. */
  | { what: 'phone'; bundleId: number; own?: true }
  /** Another number for the draft `purchaseId`. */
  | { what: 'new_number'; purchaseId: string }
  /** The numbers for `count` orders of that size. */
  | { what: 'numbers'; count: number; size: string; network: Network | null }
  | { what: 'reference' }
  | { what: 'search_orders' }
  /** The numbers of a list, for the bundle that was chosen. */
  | { what: 'list'; bundleId: number }
  /** Corrected lines of the list `purchaseId`. */
  | { what: 'fix'; purchaseId: string }
  /** A question about the order `orderId`, which the bot passes on to the shop. */
  | { what: 'ask'; orderId: string }
  /** The answer to a customer's question, which is shown in the message `cardId`. */
  | { what: 'answer'; enquiryId: string; cardId: number | null }
  /** A picture of the balance, for a complaint. The message `cardId` asks for it. */
  | {
      what: 'complaint'
      orderId: string
      position: number | null
      kind: ComplaintKind
      cardId: number | null
    }
  | { what: 'contact'; ask: ContactAsk }
  /** The period that a file is to cover. */
  | { what: 'period'; subject: ExportSubject }
  | { what: 'selling'; ask: SellingAsk }
  /** How much an agent may spend in a day. */
  | { what: 'agent_limit'; agentId: number }
  /** What an agent pays above the cost. */
  | { what: 'agent_price'; agentId: number }
  /** When to remind the person of an order like this; the weekday if it was chosen already. */
  | { what: 'reminder'; orderId: string; weekday: number | null }
  | { what: 'setting'; topic: Topic }
  | { what: 'operator'; ask: OperatorAsk }
  /**
   * The text that Telegram may have cut off from a message with a list. `sentAt` is when that message was sent (epoch
   * seconds, by Telegram's clock).
   */
  | { what: 'rest'; purchaseId: string; sentAt: number }

/** A question about saved numbers. */
export type ContactAsk =
  | { act: 'search' }
  /** Names with their numbers, typed or in a file. */
  | { act: 'add' }
  | { act: 'import' }
  /** The number of a name that was ordered for but is not saved. */
  | { act: 'number'; name: string }
  /** The name for a number. `orderId` is the order whose card asked for the name. */
  | { act: 'name'; phone: Phone; orderId: string | null }
  | { act: 'rename'; id: string }

/** A question to an operator. */
export type OperatorAsk =
  /** The person to block. */
  | { about: 'block' }
  /** The network for a number prefix. */
  | { about: 'prefix' }
  /** A network and the code that its customers dial to see what they have. */
  | { about: 'balance_code' }
  | { about: 'bot_name' }
  /** The reason why all orders are paused, and for how many minutes; 0: until further notice. */
  | { about: 'pause'; minutes: number; reason: string | null }

/** A question about selling. */
export type SellingAsk =
  /** The amount added to the cost of every bundle. */
  | { about: 'rule' }
  /** The price rule for some bundles. The person may answer with other bundles than these. */
  | { about: 'tier'; network: Network | null; fromMegabytes: number | null }
  | { about: 'price'; bundleId: number }
  /** The price at which one order was really sold. */
  | { about: 'sold_for'; orderId: string }
  /** The shop's name. `then` is what the person wanted to do, which is done once the shop has a name. */
  | { about: 'shop_name'; then: ActOf<'selling'> }
  /** The number at which customers reach the shop. */
  | { about: 'shop_phone' }
  /** The letter for the shop on pictures. */
  | { about: 'letter' }

/** An album: files that arrive as separate messages. At most one message has a caption, which is for all files. */
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
  /** When the question expires, epoch milliseconds. */
  until?: number
  /** The album that is arriving, file by file. */
  album?: Album
}

/** grammY’s context of an update, with what handlers need to answer it. */
export type BotContext = Context &
  LazySessionFlavor<Memory> & {
    /** What was read from the database when this update's turn in its chat came. */
    snapshot: ChatSnapshot
    talk: Talk
    services: Services
    /** The cause of a purchase, if it is not the message's own; see `Asker`. */
    cause?: string
    /** Reads the chat's memory again, because later updates may have changed it since this one began. */
    memoryNow: () => Promise<Memory>
    /**
     * Reads the list in the message's document, which is loaded only once. If the document holds a secret, the message
     * is removed and the person is told.
     */
    readDocument: (document: Document) => Promise<ListFileReading>
  }

/**
 * The person to answer and the message that asked. It comes from an update, or from an earlier request that is tried
 * again.
 */
export interface Asker {
  talk: Talk
  services: Services
  /** The message that asked, or whose button was pressed. */
  msgId?: number | undefined
  /** The key under which a purchase from this message is stored, if it is not the message's own key, as for an edit. */
  cause?: string
  /** Called if the provider cannot be read, instead of telling the person. */
  onUnread?: (error: WalletError) => void
}

/** The key under which a purchase that a message asks for is stored, so that one message never makes two purchases. */
export const messageCause = ({ talk, msgId, cause }: Asker): string => cause ?? causeOf(talk.chatId, msgId)

/** The key of a purchase that this message asks for. */
export const causeOf = (chatId: number, messageId: number | undefined): string =>
  `message:${chatId}:${messageId}`

const waitForAnswerMs = 30 * 60_000

/** Takes the chat’s next message as the answer to a question, which expires after half an hour. */
export const askNext = async (ctx: BotContext, question: Question): Promise<void> => {
  const { question: before } = await ctx.session
  if (before && !replacesKeyboard(question)) tidyUp(ctx, before)
  ctx.session = { question, until: Date.now() + waitForAnswerMs }
  ctx.talk.asks()
}

/** The question that the chat’s next message answers; null if there is none, or it has expired. */
export const pendingQuestion = async (ctx: BotContext): Promise<Question | null> => {
  const { question, until = 0 } = await ctx.session
  return question && until > Date.now() ? question : null
}

/** Forgets the question, because it was answered. */
export const endQuestion = (ctx: BotContext): void => {
  ctx.session = {}
  ctx.talk.answered()
}

/** Forgets the question, and drops an API key that waits for its secret. @returns false if there was no question. */
export const forgetQuestion = async (ctx: BotContext): Promise<boolean> => {
  const { store } = ctx.services
  const { question } = await ctx.session
  if (!question) return false
  tidyUp(ctx, question)
  endQuestion(ctx)
  if (question.what === 'secret') await store.chats.dropKey(ctx.talk.chatId)
  return true
}

const replacesKeyboard = (question: Question): boolean => question.what === 'phone' && question.own === true

/** Changes in the chat what would mislead now that the question is left. */
const tidyUp = (ctx: BotContext, question: Question): void => {
  // Telegram keeps the buttons that share a number until a message removes them.
  if (replacesKeyboard(question)) ctx.talk.say({ text: keyboardRestored, field: { kind: 'plain' } })
  if (question.what === 'complaint' && question.cardId !== null)
    ctx.talk.edit(question.cardId, unsentComplaint(question))
}
