import type { Context, LazySessionFlavor } from 'grammy'
import type { Services } from './services.ts'
import type { Talk } from './talk.ts'

/** The one pending question of a chat: what its next text answers. Never holds a secret. */
export type Question =
  | { what: 'key' }
  | { what: 'secret' }
  | { what: 'phone'; bundleId: number }
  | { what: 'reference' }
  /** The numbers of a list, for the bundle that was chosen. */
  | { what: 'list'; bundleId: number }
  /** Corrected lines of that list. */
  | { what: 'fix'; purchaseId: string }
  /** What Telegram may have cut off from a message of that list, sent then (epoch seconds, by Telegram's clock). */
  | { what: 'rest'; purchaseId: string; sentAt: number }

export interface Memory {
  question?: Question
  /** Until when it is waited for, epoch milliseconds. */
  until?: number
}

export type BotContext = Context & LazySessionFlavor<Memory> & { talk: Talk }

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
