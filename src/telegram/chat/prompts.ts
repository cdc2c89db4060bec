import type { AlertStore } from '../../store/chats/alerts.ts'
import { sellingLabels } from '../cards/words/shop.ts'
import { labels } from '../words/labels.ts'
import type { Screen } from './screen.ts'

/**
 * The message of each chat that asks for an answer. Its buttons are removed when the answer has come, so that nobody
 * presses them later. Its id is stored in the database. If storing it fails, the buttons stay, which does no harm.
 */
export interface Prompts {
  set(chatId: number, messageId: number): Promise<void>
  /** The chat's prompt; null if there is none. */
  of(chatId: number): Promise<number | null>
  forget(chatId: number): Promise<void>
}

export const createPrompts = (
  alerts: Pick<AlertStore, 'at' | 'remember' | 'take'>,
  now: () => Date = () => new Date(),
): Prompts => {
  const harmless = <T>(work: Promise<T>): Promise<T | null> => work.catch(() => null)
  return {
    set: async (chatId, messageId) => {
      await harmless(alerts.remember('prompt', { chatId, messageId, since: now() }))
    },
    of: async (chatId) => (await harmless(alerts.at(chatId, 'prompt')))?.messageId ?? null,
    forget: async (chatId) => {
      await harmless(alerts.take(chatId, 'prompt'))
    },
  }
}

/** Remembers nothing, for a talk that asks no questions. */
export const noPrompts: Prompts = { set: async () => {}, of: async () => null, forget: async () => {} }

/** Whether a screen asks a question, which shows in its button to leave the question or to go on without an answer. */
export const isPrompt = ({ rows = [] }: Screen): boolean =>
  rows.flat().some(({ label }) => label === labels.leave || label === sellingLabels.noName)
