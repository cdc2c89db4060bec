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

/** Every setting has a default. */
export interface TelegramOptions {
  /** 0, the default, means any free port. */
  port?: number
  token?: string
  bot?: Partial<User>
  /** By default a reseller, an agent, a customer and an operator. */
  people?: Person[]
  /** `false` means that the bot may send without limits. */
  flood?: false | Partial<FloodLimits>
  /** The folder of the chat page, which is served at `/`. By default the sandbox's own page. */
  pageDir?: string
  /** The simulated provider that the page shows next to the chats, and the id of the account that the page offers. */
  provider?: { controlUrl: string; account?: string }
  /** By default 1. */
  firstMessageId?: number
  /** How long after a press it can be answered, ms. One minute by default. */
  answerableForMs?: number
  /**
   * How long to wait after a webhook's first failure, ms; one second by default. The wait doubles with each further
   * failure.
   */
  webhookRetryMs?: number
  /** ms since 1970 */
  now?: () => number
}

/**
 * A simulated Telegram with one bot. The Bot API works over HTTP; what people do, and everything else that the page
 * or a test can do, are methods.
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
   * A person presses a button. If the message does not have that button now, the press is refused, unless it is
   * `stale`.
   */
  press(press: Press): { id: string }
  drop(file: Drop): Message
  sendContact(contact: ContactCard): Message
  /** A person sends a voice message, a sticker or their location. */
  sendOther(other: OtherMessage): Message
  openLink(from: number, url: string): Message
  block(id: number, blocked: boolean): Person
  deleteMessage(deletion: { from: number; chat?: number; messageId: number }): void
  /** Adds a person. The bot does not know them until they write. */
  addPerson(partial?: Partial<Person>): Person
  /** Opens a person's private chat as if they had written to the bot long ago. The bot may then write to them. */
  openChat(id: number): void
  /** `members` are ids of people. The first one adds the bot. */
  addGroup(group: { title: string; members: number[] }): { id: number }
  /** Turns a group into a supergroup and returns the supergroup's id. */
  migrateGroup(id: number): { id: number }

  addFault(fault: TelegramFault): void
  clearFaults(): void
  /** Delivers an update (default: the last) again, under its own id or as a new one. */
  redeliver(which?: { updateId?: number; asNew?: boolean }): void

  /**
   * The messages of a chat as people see them, oldest first and without deleted ones. Empty if there is no such
   * chat.
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
  /** The arguments of `answerCallbackQuery` for a press. */
  answers(queryId: string): QueryAnswer | undefined
  on(listener: (event: ChatEvent) => void): () => void
  /**
   * Waits until `what` returns a value that is not undefined, null or false. `what` is called at once and after each
   * event. Rejects after `timeoutMs` (default 90,000) with an error that shows the chats.
   */
  waitFor<T>(
    what: () => T | undefined | null | false,
    options?: { timeoutMs?: number; message?: string },
  ): Promise<T>
  /**
   * Resets people, chats, messages, calls, presses and faults to the start. The address does not change, nor does
   * what the bot registers only once (its webhook, commands and name). The ids of updates continue.
   */
  reset(): void
  /** Breaks open connections, drops waiting requests and updates, and frees the port. */
  stop(): Promise<void>
}

/** Waits that end early when the simulator closes. */
export class Delays {
  #closing = new AbortController()

  /** Resolves with false if the wait was ended early. */
  wait = (ms: number): Promise<boolean> =>
    sleep(ms, true, { signal: this.#closing.signal }).catch(() => false)

  close(): void {
    this.#closing.abort()
  }
}
