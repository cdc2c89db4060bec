import { setTimeout as sleep } from 'node:timers/promises'
import type { Message, User } from 'grammy/types'
import type {
  BotCall,
  ChatEvent,
  ChatState,
  ContactCard,
  Drop,
  Person,
  Press,
  Say,
  TelegramFault,
  TelegramState,
} from './control.ts'
import type { FloodLimits } from './flood.ts'
import type { QueryAnswer } from './queries.ts'

export interface TelegramOptions {
  /** Default 0: any free one. */
  port?: number
  token?: string
  bot?: Partial<User>
  /** Default: a reseller, an agent and a customer. */
  people?: Person[]
  /** `false` lets the bot send without limits. */
  flood?: false | Partial<FloodLimits>
  /** Folder of the chat page, served at `/`. */
  pageDir?: string
  /** What else the page needs to know, answered at `GET /_sim/sandbox`. */
  extra?: Record<string, unknown>
  /** How long a press can be answered, in ms. Default one minute. */
  answerableForMs?: number
  /** Wait after a webhook's first failure, in ms; doubles with each. Default one second. */
  webhookRetryMs?: number
  /** ms since 1970 */
  now?: () => number
}

/** A simulated Telegram with one bot: its API over HTTP, and what people and the sandbox's keeper do as methods. */
export interface TelegramSimulator {
  /** Root of the Bot API, for `TELEGRAM_API_ROOT`. */
  url: string
  token: string
  /** Prefix of the `/_sim` routes. */
  controlUrl: string
  pageUrl: string

  /** A person writes, or edits what they wrote. */
  say(say: Say): Message
  /** Refused where the message has no such button now, unless the press is `stale`. */
  press(press: Press): { id: string }
  drop(file: Drop): Message
  sendContact(contact: ContactCard): Message
  openLink(from: number, url: string): Message
  block(id: number, blocked: boolean): Person
  deleteMessage(deletion: { from: number; chat?: number; messageId: number }): void
  /** A person of whom the bot knows nothing until they write. */
  addPerson(partial?: Partial<Person>): Person
  /** `members` are ids of people; the first one adds the bot. */
  addGroup(group: { title: string; members: number[] }): { id: number }
  /** The id of the supergroup that the group becomes. */
  migrateGroup(id: number): { id: number }

  addFault(fault: TelegramFault): void
  clearFaults(): void
  /** Delivers an update (default: the last) again, under its own id or as a new one. */
  redeliver(which?: { updateId?: number; asNew?: boolean }): void

  /** Of a chat as people see it: oldest first, without deleted ones; empty for a chat that does not exist. */
  messages(chat: number): Message[]
  deleted(chat: number): ChatState['deleted']
  chat(id: number): ChatState
  /** The bytes of a document or picture that somebody sent; undefined for an id that is unknown. */
  fileBytes(fileId: string): Buffer | undefined
  state(): TelegramState
  /** Every call that the bot made, in the order answered. */
  calls(method?: string): BotCall[]
  /** The arguments of the `answerCallbackQuery` that a press got. */
  answers(queryId: string): QueryAnswer | undefined
  on(listener: (event: ChatEvent) => void): () => void
  /**
   * What `what` returns as soon as it is neither undefined, null nor false: it is asked at once and after
   * each thing that happens. Rejects after `timeoutMs` (default 90,000) with what stands in the chats.
   */
  waitFor<T>(
    what: () => T | undefined | null | false,
    options?: { timeoutMs?: number; message?: string },
  ): Promise<T>
  close(): Promise<void>
}

/** Waits that a closing simulator ends at once. */
export class Delays {
  #closing = new AbortController()

  /** Whether the whole time passed. */
  wait = (ms: number): Promise<boolean> =>
    sleep(ms, true, { signal: this.#closing.signal }).catch(() => false)

  close(): void {
    this.#closing.abort()
  }
}
