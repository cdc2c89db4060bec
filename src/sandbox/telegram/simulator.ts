import { setTimeout as sleep } from 'node:timers/promises'
import type { Message, User } from 'grammy/types'
import type { FloodLimits } from './bot-api/flood.ts'
import type { QueryAnswer } from './bot-api/queries.ts'
import type {
  BotCall,
  ChatEvent,
  ChatState,
  ContactCard,
  Drop,
  OtherMessage,
  Person,
  Press,
  Say,
  TelegramFault,
  TelegramHistory,
  TelegramState,
} from './control/control.ts'

/** The simulated Telegram's settings; each has a default. */
export interface TelegramOptions {
  /** Default 0: any free port. */
  port?: number
  token?: string
  bot?: Partial<User>
  /** Default: a reseller, an agent, a customer and an operator. */
  people?: Person[]
  /** `false` lets the bot send without limits. */
  flood?: false | Partial<FloodLimits>
  /** Folder of the chat page, served at `/`. Default: the sandbox's own. */
  pageDir?: string
  /** The simulated provider that the page shows next to the chats, and the id of the account that the page offers. */
  provider?: { controlUrl: string; account?: string }
  /** The id of the first message. Default 1. */
  firstMessageId?: number
  /** How long after a press it can be answered, in ms. Default one minute. */
  answerableForMs?: number
  /** The wait after a webhook's first failure, in ms, which doubles with each further one. Default one second. */
  webhookRetryMs?: number
  /** ms since 1970 */
  now?: () => number
}

/**
 * A simulated Telegram with one bot: the Bot API over HTTP and, as methods, the actions of people and of the sandbox's
 * keeper (the chat page or a test).
 */
export interface TelegramSimulator {
  /** The address of the Bot API, for `TELEGRAM_API_ROOT`. */
  url: string
  token: string
  /** The address of the `/_sim` routes. */
  controlUrl: string
  pageUrl: string

  /** A person sends a text, or edits an earlier one. */
  say(say: Say): Message
  /**
   * A person presses a button. It is refused if the message does not have that button now, unless the press is `stale`.
   */
  press(press: Press): { id: string }
  drop(file: Drop): Message
  sendContact(contact: ContactCard): Message
  /** A person sends a voice message, a sticker or their location. */
  sendOther(other: OtherMessage): Message
  openLink(from: number, url: string): Message
  block(id: number, blocked: boolean): Person
  deleteMessage(deletion: { from: number; chat?: number; messageId: number }): void
  /** Adds a person, who is unknown to the bot until they write. */
  addPerson(partial?: Partial<Person>): Person
  /** Opens a person's private chat, as if they had written to the bot long ago, so that the bot may write to them. */
  openChat(id: number): void
  /** Adds a group. `members` are ids of people; the first one adds the bot. */
  addGroup(group: { title: string; members: number[] }): { id: number }
  /** Turns a group into a supergroup and returns its id. */
  migrateGroup(id: number): { id: number }

  addFault(fault: TelegramFault): void
  clearFaults(): void
  /** Delivers an update (default: the last) again, under its own id or as a new one. */
  redeliver(which?: { updateId?: number; asNew?: boolean }): void

  /**
   * The messages of a chat as people see them: oldest first, without deleted ones; empty for a chat that does
   * not exist.
   */
  messages(chat: number): Message[]
  deleted(chat: number): ChatState['deleted']
  chat(id: number): ChatState
  /** The bytes of a document or picture that somebody sent; undefined for an unknown id. */
  fileBytes(fileId: string): Buffer | undefined
  state(): TelegramState
  /** Every call of the bot with its answer, in the order of the answers. */
  calls(method?: string): BotCall[]
  /** Everything that happened in the chats, oldest first. */
  history(): TelegramHistory
  /** The arguments of the `answerCallbackQuery` for a press. */
  answers(queryId: string): QueryAnswer | undefined
  on(listener: (event: ChatEvent) => void): () => void
  /**
   * Waits until `what` returns something other than undefined, null and false. `what` is called immediately and after
   * each event. Rejects after `timeoutMs` (default 90,000) with an error that shows the chats.
   */
  waitFor<T>(
    what: () => T | undefined | null | false,
    options?: { timeoutMs?: number; message?: string },
  ): Promise<T>
  /**
   * Resets people, chats, messages, calls, presses and faults to the beginning. What the bot registers only once stays
   * (its webhook, commands and name), and so does the address. The ids of updates continue.
   */
  reset(): void
  /** Breaks open connections, drops waiting requests and updates, and frees the port. */
  stop(): Promise<void>
}

/** Waits that end early when the simulator closes. */
export class Delays {
  #closing = new AbortController()

  /** Waits. Resolves with false if the wait was ended early. */
  wait = (ms: number): Promise<boolean> =>
    sleep(ms, true, { signal: this.#closing.signal }).catch(() => false)

  close(): void {
    this.#closing.abort()
  }
}
