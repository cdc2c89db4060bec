import type { Message, Update, User } from 'grammy/types'

/**
 * What the simulated Telegram lets people do and its keeper see, beyond the Bot API itself. The chat page
 * uses it over HTTP below `/_sim`, tests use the same operations as methods.
 *
 * | route | body | answer |
 * |---|---|---|
 * | `GET /_sim/state` | | `TelegramState` |
 * | `GET /_sim/chats/:chatId` | | `ChatState` |
 * | `POST /_sim/messages` | `Say` | the `Message` |
 * | `POST /_sim/presses` | `Press` | `{ id }` of the callback query |
 * | `POST /_sim/files` | `Drop` | the `Message` |
 * | `POST /_sim/contacts` | `ContactCard` | the `Message` |
 * | `POST /_sim/links` | `{ from, url }` | opens a `t.me/<bot>?start=…` link as that person: the `/start …` message |
 * | `POST /_sim/people/:id` | `{ blocked }` | that person blocks or unblocks the bot |
 * | `POST /_sim/faults` | `TelegramFault` | adds a fault |
 * | `DELETE /_sim/faults` | | ends all |
 * | `POST /_sim/redeliver` | `{ updateId?, asNew? }` | delivers an update (the last) again, under its old id or a new one |
 * | `GET /_sim/events` | | server-sent events, each a `ChatEvent` |
 * | `GET /_sim/files/:fileId` | | the bytes, for pictures and downloads in the page |
 * | `GET /_sim/calls` | `?method=` | `BotCall[]` |
 * | `POST /_sim/groups` | `{ title, members }` | `{ id }` of a new group with the bot and these people |
 * | `POST /_sim/groups/:id/migrate` | | makes it a supergroup: `{ id }` of that |
 * | `POST /_sim/deletions` | `{ from, chat?, messageId }` | that person deletes a message for everyone |
 * | `GET /_sim/sandbox` | | what else the page needs to know, as the sandbox was started with |
 *
 * Refusals are `{ error, message }` with a 4xx status. Pages of other hosts than this machine are refused.
 */
export interface Person extends User {
  /** What this person does in the sandbox: shown by the page. */
  role: 'reseller' | 'agent' | 'customer'
  blocked: boolean
}

export interface Say {
  from: number
  /** Defaults to the private chat, whose id is the person's id. A negative id is a group. */
  chat?: number
  text: string
  replyTo?: number
  /** The message carries `forward_origin`. */
  forwarded?: boolean
  /** Edit this earlier message of the person instead of sending a new one. */
  edits?: number
}

export interface Press {
  from: number
  chat?: number
  messageId: number
  data: string
  /** Presses a button that the message no longer has, or never had, as old or forged apps do. */
  stale?: boolean
}

export interface Drop {
  from: number
  chat?: number
  name: string
  mime: string
  dataBase64: string
  caption?: string
}

/** A contact that a person sends from their phone's address book. */
export interface ContactCard {
  from: number
  chat?: number
  /** As the address book has it. */
  phoneNumber: string
  firstName: string
  lastName?: string
  /** The message carries `forward_origin`. */
  forwarded?: boolean
}

export interface TelegramFault {
  /** Method of the Bot API (`sendMessage`), or `*`. */
  method: string
  kind: 'flood' | 'forbidden' | 'server_error' | 'reset_after' | 'reset_before' | 'slow' | 'bad_request'
  /** Default 1; null for ever. */
  times?: number | null
  /** Only calls for this chat. */
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
  /** Ids of messages that were deleted, with who did it. */
  deleted: { messageId: number; by: 'bot' | 'person' }[]
  /** The bot's menu as this chat sees it. */
  commands: Command[]
  /** What stands below the text field, if the bot put something there. */
  keyboard?: ReplyKeyboard
}

export interface Command {
  command: string
  description: string
}

/** A reply keyboard: pressing a label says it. `forceReply` asks for a reply to the bot's last message. */
export interface ReplyKeyboard {
  rows: string[][]
  forceReply: boolean
  placeholder?: string
}

export interface TelegramState {
  bot: User
  people: Person[]
  chats: ChatState[]
  commands: Command[]
  /** Whether a bot is there to take what people send. */
  isBotConnected: boolean
}

export type ChatEvent =
  | { type: 'message' | 'edit'; chat: number; message: Message }
  | { type: 'delete'; chat: number; messageId: number }
  | { type: 'action'; chat: number; action: string }
  | { type: 'answer'; chat: number; queryId: string; text?: string; alert?: boolean; url?: string }
  | { type: 'person'; person: Person }
  | { type: 'commands'; commands: Command[]; chat?: number }
  | { type: 'keyboard'; chat: number; keyboard: ReplyKeyboard | null }
  | { type: 'connection'; isBotConnected: boolean }

/** One call that the bot made, as the test's witness: what was sent, and what was answered. */
export interface BotCall {
  at: number
  method: string
  payload: Record<string, unknown>
  ok: boolean
  errorCode?: number
  description?: string
}

export type { Message, Update, User }
