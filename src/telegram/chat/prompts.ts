import type { AlertStore } from '../../store/chats/alerts.ts'
import { sellingLabels } from '../cards/words/shop.ts'
import { labels } from '../words/labels.ts'
import type { Screen } from './screen.ts'

/**
 * The message of each chat that asks for an answer. Its buttons are removed when the answer has come, so that nobody
 * presses them later. It is stored in the database; if that fails, buttons that stay do no harm.
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

/** For a talk that asks no questions. */
export const noPrompts: Prompts = { set: async () => {}, of: async () => null, forget: async () => {} }

/** Whether a screen only asks. Such a screen has a button to leave it or to skip its question. */
export const isPrompt = ({ rows = [] }: Screen): boolean =>
  rows.flat().some(({ label }) => label === labels.leave || label === sellingLabels.skip)
