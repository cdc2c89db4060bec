import type { Context, LazySessionFlavor } from 'grammy'
import type { Document } from 'grammy/types'
import type { Phone } from '../provider/phone.ts'
import type { Topic } from '../settings/setting.ts'
import type { ExportSubject } from './buttons/export.ts'
import type { SellingAct } from './buttons/selling.ts'
import type { ListFileReading } from './list-file.ts'
import type { Services } from './services.ts'
import type { Talk } from './talk.ts'

/** The one pending question of a chat: what its next text answers. Never holds a secret. */
export type Question =
  | { what: 'key' }
  | { what: 'secret' }
  | { what: 'phone'; bundleId: number }
  | { what: 'reference' }
  | { what: 'search_orders' }
  /** The numbers of a list, for the bundle that was chosen. */
  | { what: 'list'; bundleId: number }
  /** Corrected lines of that list. */
  | { what: 'fix'; purchaseId: string }
  /** What somebody wants to ask the shop about that order. */
  | { what: 'ask'; orderId: string }
  /** The answer to what a customer has asked, which stands on that message. */
  | { what: 'answer'; enquiryId: string; cardId?: number }
  /** Something about saved numbers. */
  | { what: 'customer'; ask: CustomerAsk }
  /** The days that a file is to be of. */
  | { what: 'period'; subject: ExportSubject }
  /** Something about selling prices. */
  | { what: 'selling'; ask: SellingAsk }
  /** What an agent may spend in a day. */
  | { what: 'agent_limit'; agentId: number }
  /** The value of a setting. */
  | { what: 'setting'; topic: Topic }
  /** Something of the operators'. */
  | { what: 'operator'; ask: OperatorAsk }
  /** What Telegram may have cut off from a message of that list, sent then (epoch seconds, by Telegram's clock). */
  | { what: 'rest'; purchaseId: string; sentAt: number }

/** What is asked about saved numbers. */
export type CustomerAsk =
  | { act: 'search' }
  /** Names with their numbers, typed or in a file. */
  | { act: 'add' }
  | { act: 'import' }
  /** The name of a number, of that order where it was pressed on its card. */
  | { act: 'name'; phone: Phone; orderId: string | null }
  | { act: 'rename'; id: string }

/** What an operator is asked. */
export type OperatorAsk =
  /** Whom to block. */
  | { about: 'block' }
  /** Which network first digits hint at. */
  | { about: 'prefix' }
  /** Why all orders are paused, and for how many minutes; 0: nobody knows. */
  | { about: 'pause'; minutes: number; reason: string | null }

/** What is asked about selling. */
export type SellingAsk =
  /** What is added to the cost of every bundle. */
  | { about: 'rule' }
  /** The price of one. */
  | { about: 'price'; bundleId: number }
  /** What one order was really sold for. */
  | { about: 'sold_for'; orderId: string }
  /** The shop's name, and what goes on once it is there. */
  | { about: 'shop_name'; then: SellingAct }

export interface Memory {
  question?: Question
  /** Until when it is waited for, epoch milliseconds. */
  until?: number
}

export type BotContext = Context &
  LazySessionFlavor<Memory> & {
    talk: Talk
    /** The list in the message's document, which is loaded once. One with a secret is removed, and that is said. */
    readDocument: (document: Document) => Promise<ListFileReading>
  }

/** The cause of what a message asks for: one message, one purchase. */
export const messageCause = (ctx: BotContext): string => `message:${ctx.talk.chatId}:${ctx.msgId}`

const waitForAnswerMs = 30 * 60_000

export const askNext = async (ctx: BotContext, question: Question): Promise<void> => {
  ctx.session = { question, until: Date.now() + waitForAnswerMs }
}

export const pendingQuestion = async (ctx: BotContext): Promise<Question | null> => {
  const { question, until = 0 } = await ctx.session
  return question && until > Date.now() ? question : null
}

/** Leaves the flow; a key that waits for its secret goes with it. @returns whether something was asked. */
export const forgetQuestion = async (ctx: BotContext, { store }: Services): Promise<boolean> => {
  const { question } = await ctx.session
  if (!question) return false
  ctx.session = {}
  if (question.what === 'secret') await store.chats.dropKey(ctx.talk.chatId)
  return true
}
