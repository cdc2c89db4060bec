import { createHash } from 'node:crypto'
import type { Chat, Message, Update, User, UserFromGetMe } from 'grammy/types'
import type { ChatEvent, ChatState, Person, ReplyKeyboard } from './control/control.ts'
import { badRequest, ControlRefusal, forbidden, Refusal } from './refusal.ts'

/** A message in the form that an update can contain: with a sender, and not in a channel. */
export type ChatMessage = Message & Update.NonChannel

export type MessageContent = Pick<
  Message,
  | 'text'
  | 'entities'
  | 'link_preview_options'
  | 'caption'
  | 'caption_entities'
  | 'document'
  | 'photo'
  | 'contact'
  | 'voice'
  | 'sticker'
  | 'location'
  | 'reply_to_message'
  | 'forward_origin'
  | 'has_protected_content'
  | 'reply_markup'
  | 'media_group_id'
  | 'message_thread_id'
  | 'is_topic_message'
  | 'new_chat_members'
  | 'migrate_to_chat_id'
  | 'migrate_from_chat_id'
>

export interface ChatRecord {
  chat: Exclude<Chat, Chat.ChannelChat>
  /** The messages by id, in the order of sending. */
  messages: Map<number, ChatMessage>
  deleted: ChatState['deleted']
  silent: Set<number>
  /** The ids of the people in a group, or of the one person in a private chat. */
  members: Set<number>
  /** The reply keyboard that people see below the text field. It is not part of a `Message`. */
  keyboard?: ReplyKeyboard
  /** The id of the supergroup that this group became. */
  migratedTo?: number
}

/** The whole state: the bot, the people, their chats and messages. Listeners are called after each change. */
export class World {
  readonly bot: UserFromGetMe
  /** The bot without the fields that only `getMe` has, as messages show it. */
  readonly botUser: User
  readonly people = new Map<number, Person>()
  readonly chats = new Map<number, ChatRecord>()
  readonly now: () => number
  #listeners = new Set<(event: ChatEvent) => void>()
  readonly #opening: { people: readonly Person[]; firstMessageId: number }
  #lastMessageId = 0
  #lastMessageIdIn = new Map<number, number>()
  #groups = 0
  #albums = 0

  /** @param now ms since 1970 */
  constructor(bot: UserFromGetMe, people: readonly Person[], now: () => number, firstMessageId = 1) {
    this.bot = bot
    const { id, is_bot, first_name, username } = bot
    this.botUser = { id, is_bot, first_name, username }
    this.now = now
    this.#opening = { people, firstMessageId }
    this.reset()
  }

  /** Resets everything to the time before anybody wrote. Listeners stay, but are not called. */
  reset(): void {
    this.people.clear()
    for (const person of this.#opening.people) this.people.set(person.id, { ...person })
    this.chats.clear()
    this.#lastMessageId = this.#opening.firstMessageId - 1
    this.#lastMessageIdIn.clear()
    this.#groups = 0
    this.#albums = 0
  }

  /** Renames the bot. An empty name changes nothing. */
  renameBot(name: string): void {
    if (name === '') return
    this.bot.first_name = name
    this.botUser.first_name = name
  }

  /** Unix time in whole seconds, as messages have it. */
  get date(): number {
    return Math.floor(this.now() / 1000)
  }

  listen(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(event: ChatEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }

  person(id: number): Person {
    const person = this.people.get(id)
    if (!person) throw new ControlRefusal(404, `There is no person ${id} in the sandbox.`)
    return person
  }

  /** The chat in which a person acts. Their first action opens their private chat. */
  chatFor(person: Person, id = person.id): ChatRecord {
    const known = this.chats.get(id)
    if (!known && id !== person.id) throw new ControlRefusal(404, `There is no chat ${id}.`)
    const record = known ?? this.#openPrivateChat(person)
    if (!record.members.has(person.id)) {
      throw new ControlRefusal(409, `${person.first_name} is not in chat ${id}.`)
    }
    return record
  }

  /**
   * The chat that a bot names.
   *
   * @throws {Refusal} if the bot cannot use the chat, because it is unknown, was never started, or has moved
   */
  knownChat(id: number): ChatRecord {
    const record = this.chats.get(id)
    if (record?.migratedTo !== undefined) {
      throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: record.migratedTo,
      })
    }
    if (record) return record
    if (this.people.has(id)) throw forbidden("bot can't initiate conversation with a user")
    throw badRequest('chat not found')
  }

  /**
   * Like {@link knownChat}, for calls whose result the person would see.
   * @throws {Refusal} also if the person blocked the bot
   */
  writableChat(id: number): ChatRecord {
    const record = this.knownChat(id)
    if (this.people.get(id)?.blocked) throw forbidden('bot was blocked by the user')
    return record
  }

  #openPrivateChat(person: Person): ChatRecord {
    const { id, first_name, last_name, username } = person
    return this.#open(
      {
        id,
        type: 'private',
        first_name,
        ...(last_name === undefined ? {} : { last_name }),
        ...(username === undefined ? {} : { username }),
      },
      [id],
    )
  }

  openGroup(title: string, members: number[]): ChatRecord {
    this.#groups += 1
    return this.#open({ id: -4_000_000_000 - this.#groups, type: 'group', title }, members)
  }

  openSupergroup(title: string, members: Iterable<number>): ChatRecord {
    this.#groups += 1
    return this.#open({ id: -1_002_000_000_000 - this.#groups, type: 'supergroup', title }, members)
  }

  #open(chat: ChatRecord['chat'], members: Iterable<number>): ChatRecord {
    const record: ChatRecord = {
      chat,
      messages: new Map(),
      deleted: [],
      silent: new Set(),
      members: new Set(members),
    }
    this.chats.set(chat.id, record)
    return record
  }

  /**
   * The next message id. Private chats and groups share one sequence, as in the real Telegram. Each supergroup has
   * its own.
   */
  #nextMessageId(chat: Chat): number {
    if (chat.type !== 'supergroup') return ++this.#lastMessageId
    const next = (this.#lastMessageIdIn.get(chat.id) ?? 0) + 1
    this.#lastMessageIdIn.set(chat.id, next)
    return next
  }

  nextAlbumId(): number {
    return ++this.#albums
  }

  /** Adds a message to a chat, without checking its content. @param silent whether the message makes no sound */
  post(record: ChatRecord, from: User, content: MessageContent, silent = false): ChatMessage {
    const message: ChatMessage = {
      message_id: this.#nextMessageId(record.chat),
      from,
      chat: record.chat,
      date: this.date,
      ...content,
    }
    record.messages.set(message.message_id, message)
    if (silent) record.silent.add(message.message_id)
    this.tell({ type: 'message', chat: record.chat.id, message, ...(silent && { silent }) })
    return message
  }

  replace(record: ChatRecord, message: ChatMessage): ChatMessage {
    record.messages.set(message.message_id, message)
    this.tell({ type: 'edit', chat: record.chat.id, message })
    return message
  }

  remove(record: ChatRecord, messageId: number, by: 'bot' | 'person'): void {
    record.messages.delete(messageId)
    record.deleted.push({ messageId, by })
    this.tell({ type: 'delete', chat: record.chat.id, messageId })
  }
}

export const topicOf = (thread: number): MessageContent => ({
  message_thread_id: thread,
  is_topic_message: true,
})

/** The person as the Bot API shows them, without the sandbox's own fields. */
export function userOf({ role: _, blocked: __, phoneNumber: ___, ...user }: Person): User {
  return user
}

/** An id that is always the same for a chat, but does not reveal which chat it is. */
export function chatInstance(chat: number): string {
  return createHash('sha256').update(`chat ${chat}`).digest().readBigInt64BE().toString()
}

type RepliedMessage = NonNullable<Message['reply_to_message']>

/**
 * A message as a reply to it shows it, without the message to which it replied itself. The cast is needed for
 * grammY's type, which no value can have under `exactOptionalPropertyTypes`: it requires `undefined` where the
 * optional field forbids it.
 */
export function asReplied({ reply_to_message: _, ...message }: ChatMessage): RepliedMessage {
  return message as RepliedMessage
}
