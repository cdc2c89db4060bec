import type { Message, Update, User } from 'grammy/types'

/**
 * What simulated people do, and how the chat page and tests see and control everything beyond the Bot API itself.
 * The page uses these routes over HTTP below `/_sim`; tests call the same operations as methods.
 *
 * | route | body | answer |
 * |---|---|---|
 * | `GET /_sim/state` | | `TelegramState` |
 * | `GET /_sim/chats/:chatId` | | `ChatState` |
 * | `POST /_sim/messages` | `Say` | the `Message` |
 * | `POST /_sim/presses` | `Press` | `{ id }` of the callback query |
 * | `POST /_sim/files` | `Drop` | the `Message` |
 * | `POST /_sim/contacts` | `ContactCard` | the `Message` |
 * | `POST /_sim/others` | `OtherMessage` | the `Message` |
 * | `POST /_sim/links` | `{ from, url }` | opens a `t.me/<bot>?start=…` link as that person: the `/start …` message
 * |
 * | `POST /_sim/people/:id` | `{ blocked }` | that person blocks or unblocks the bot |
 * | `POST /_sim/faults` | `TelegramFault` | adds a fault |
 * | `DELETE /_sim/faults` | | removes all faults |
 * | `POST /_sim/redeliver` | `{ updateId?, asNew? }` | delivers an update (default: the last) again, under its old
 * id or a new one |
 * | `GET /_sim/events` | | server-sent events, each a `ChatEvent` |
 * | `GET /_sim/files/:fileId` | | the bytes, for pictures and downloads in the page |
 * | `GET /_sim/calls` | `?method=` | `BotCall[]` |
 * | `GET /_sim/history` | | `TelegramHistory` |
 * | `POST /_sim/groups` | `{ title, members }` | `{ id }` of a new group with the bot and these people |
 * | `POST /_sim/groups/:id/migrate` | | turns the group into a supergroup: `{ id }` of the supergroup |
 * | `POST /_sim/deletions` | `{ from, chat?, messageId }` | that person deletes a message for everyone |
 * | `POST /_sim/reset` | | resets people, chats, calls and faults to the start |
 * | `GET /_sim/sandbox` | | `{ provider?, account? }`: the control address of the provider that the page shows, and
 * the account that it offers |
 *
 * A refusal is `{ error, message }` with a 4xx status. Pages on other hosts than this machine are refused.
 */

export interface Person extends User {
  /** The person's part in the sandbox, which the page shows. */
  role: 'reseller' | 'agent' | 'customer' | 'operator'
  blocked: boolean
  /** The phone number of the person's own Telegram account, with the country code. */
  phoneNumber: string
}

export interface Say {
  from: number
  /** By default the private chat, whose id is the person's id. A negative id is a group. */
  chat?: number
  text: string
  replyTo?: number
  /** The message is forwarded, so it has a `forward_origin`. */
  forwarded?: boolean
  /** The topic of the forum in which the message is sent. */
  thread?: number
  /**
   * The id of an earlier message of the person, whose text or caption is edited. Without it, a new message is sent.
   */
  edits?: number
}

export interface Press {
  from: number
  chat?: number
  messageId: number
  data: string
  /**
   * The press is accepted even if the message does not have the button now, or never had it. An old or forged app
   * can send such presses.
   */
  stale?: boolean
}

export interface Drop {
  from: number
  chat?: number
  name: string
  mime: string
  dataBase64: string
  caption?: string
  /** Files with the same value form one album. */
  album?: string
}

/** A contact from the person's phone book, or the person's own contact. */
export interface ContactCard {
  from: number
  chat?: number
  /** The number as the phone book has it. */
  phoneNumber: string
  firstName: string
  lastName?: string
  /** The Telegram user whose contact it is. It is the person's own id if they share their own number. */
  userId?: number
  /** The message is forwarded, so it has a `forward_origin`. */
  forwarded?: boolean
}

/** A message that is not a text, file or contact. Its content is always the same. */
export interface OtherMessage {
  from: number
  chat?: number
  kind: 'voice' | 'sticker' | 'location'
}

/** A fault of the Bot API. */
export interface TelegramFault {
  /** A method of the Bot API (`sendMessage`), or `*` for all. */
  method: string
  kind: 'flood' | 'forbidden' | 'server_error' | 'reset_after' | 'reset_before' | 'slow' | 'bad_request'
  /** How many calls the fault strikes (default 1); null means until it is removed. */
  times?: number | null
  /** Strikes only calls for this chat. */
  chat?: number
  retryAfterSeconds?: number
  delayMs?: number
  description?: string
}

export interface ChatState {
  id: number
  type: 'private' | 'group' | 'supergroup'
  title: string
  /** Oldest first, without deleted ones. */
  messages: Message[]
  /** Ids of deleted messages, and who deleted them. */
  deleted: { messageId: number; by: 'bot' | 'person' }[]
  /** Ids of messages that made no sound (`disable_notification`). */
  silent: number[]
  /** The bot's menu in this chat. */
  commands: Command[]
  /** The keyboard below the text field, if the bot has sent one. */
  keyboard?: ReplyKeyboard
}

export interface Command {
  command: string
  description: string
}

/** A key of a reply keyboard. Pressing it sends its label as text, unless the key asks for something else. */
export type ReplyKey =
  | string
  /** Pressing it sends the person's own contact. */
  | { text: string; asksContact: true }

/** A keyboard below the text field. `forceReply` asks for a reply to the bot's last message. */
export interface ReplyKeyboard {
  rows: ReplyKey[][]
  forceReply: boolean
  /** The keyboard disappears after the first press. */
  once?: boolean
  /** The text shown in the empty text field. */
  placeholder?: string
}

/** Everything in the simulated Telegram. */
export interface TelegramState {
  bot: User
  people: Person[]
  chats: ChatState[]
  commands: Command[]
  /** Whether a bot is connected and gets updates. */
  isBotConnected: boolean
}

/** A change that the chat page shows immediately. */
export type ChatEvent =
  | { type: 'message' | 'edit'; chat: number; message: Message; silent?: true }
  | { type: 'delete'; chat: number; messageId: number }
  | { type: 'action'; chat: number; action: string }
  | { type: 'answer'; chat: number; queryId: string; text?: string; alert?: boolean; url?: string }
  | { type: 'person'; person: Person }
  | { type: 'commands'; commands: Command[]; chat?: number }
  | { type: 'keyboard'; chat: number; keyboard: ReplyKeyboard | null }
  | { type: 'connection'; isBotConnected: boolean }

/** One thing that happened in a chat. */
export interface HistoryEntry {
  /** ms since 1970 */
  at: number
  chat: number
  /** Null for a toast, which is not a message. */
  messageId: number | null
  by: 'bot' | 'person'
  kind: 'sent' | 'edited' | 'deleted' | 'pressed' | 'toast'
  /** The message's text without its markup, a file's caption, a contact's number, or a press's data. */
  text?: string
  buttons?: string[]
  replyTo?: number
  /** The bot did not get the answer to the call that made this change. */
  lost?: true
}

/** Everything that happened in the chats, oldest first. */
export interface TelegramHistory {
  /** Whether Telegram's limits on messages were applied to the bot. */
  isPaced: boolean
  entries: HistoryEntry[]
}

export interface BotCall {
  at: number
  method: string
  payload: Record<string, unknown>
  ok: boolean
  /** Missing if the call was refused. */
  result?: unknown
  errorCode?: number
  description?: string
}

export type { Message, Update, User }
