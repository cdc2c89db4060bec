import { labels } from '../texts/labels.ts'
import type { Screen } from './screen.ts'

/**
 * The message of each chat that asks for an answer. Its buttons are taken away when the answer has come, so that nobody
 * presses them later. It is remembered by this process alone: buttons that a restart leaves behind do no harm.
 */
export interface Prompts {
  set(chatId: number, messageId: number): void
  /** Forgets the chat's prompt. @returns its message; null if there is none. */
  take(chatId: number): number | null
}

/** The chats whose prompts are remembered; the oldest go first. */
const maxRemembered = 10_000

/** No prompts, in no chat. */
export const createPrompts = (): Prompts => {
  const prompts = new Map<number, number>()
  return {
    set: (chatId, messageId) => {
      prompts.delete(chatId)
      prompts.set(chatId, messageId)
      const [oldest] = prompts.keys()
      if (prompts.size > maxRemembered && oldest !== undefined) prompts.delete(oldest)
    },
    take: (chatId) => {
      const messageId = prompts.get(chatId) ?? null
      prompts.delete(chatId)
      return messageId
    },
  }
}

/** Whether a screen does nothing but ask: such screens can be left. */
export const isPrompt = ({ rows = [] }: Screen): boolean =>
  rows.flat().some(({ label }) => label === labels.leave)
