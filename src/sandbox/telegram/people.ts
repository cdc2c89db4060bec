import type { ChatMember, MessageOrigin, User } from 'grammy/types'
import type { CallbackQueries } from './bot-api/queries.ts'
import type { UpdateQueue } from './bot-api/updates.ts'
import type { ContactCard, Drop, OtherMessage, Person, Press, Say } from './control/control.ts'
import { withFoundEntities } from './messages/entities.ts'
import { droppedContent, type FileStore, mimeOf, otherContent } from './messages/files.ts'
import { captionContent, textContent } from './messages/text.ts'
import { ControlRefusal } from './refusal.ts'
import {
  asReplied,
  type ChatMessage,
  type ChatRecord,
  chatInstance,
  type MessageContent,
  topicOf,
  userOf,
  type World,
} from './world.ts'

const startPayload = /^[A-Za-z0-9_-]{1,64}$/

/** What people do in their Telegram apps. Their actions produce updates for the bot. */
export class People {
  #world: World
  #queue: UpdateQueue
  #queries: CallbackQueries
  #files: FileStore

  constructor(world: World, queue: UpdateQueue, queries: CallbackQueries, files: FileStore) {
    this.#world = world
    this.#queue = queue
    this.#queries = queries
    this.#files = files
  }

  say(said: Say): ChatMessage {
    const { person, record } = this.#actor(said)
    if (!said.text.trim()) throw new ControlRefusal(400, 'A message needs some text.')
    if (said.text.length > 4096) throw new ControlRefusal(400, 'A message can have at most 4,096 characters.')
    const content = textContent(withFoundEntities({ text: said.text.trim(), entities: [] }))
    if (said.edits !== undefined) return this.#edit(person, record, said.edits, content)
    const reply = said.replyTo === undefined ? undefined : this.#message(record, said.replyTo)
    return this.#post(person, record, {
      ...content,
      ...(said.thread === undefined ? {} : topicOf(said.thread)),
      ...(reply ? { reply_to_message: asReplied(reply) } : {}),
      ...(said.forwarded ? { forward_origin: this.#origin() } : {}),
    })
  }

  drop(dropped: Drop): ChatMessage {
    const { person, record } = this.#actor(dropped)
    const upload = {
      name: dropped.name,
      mime: dropped.mime || mimeOf(dropped.name),
      bytes: Buffer.from(dropped.dataBase64, 'base64'),
    }
    if (upload.bytes.length === 0) throw new ControlRefusal(400, 'The file is empty.')
    const caption = withFoundEntities({ text: (dropped.caption ?? '').trim(), entities: [] })
    return this.#post(person, record, {
      ...droppedContent(this.#files, upload),
      ...captionContent(caption),
      ...(dropped.album === undefined ? {} : { media_group_id: dropped.album }),
    })
  }

  sendContact(card: ContactCard): ChatMessage {
    const { person, record } = this.#actor(card)
    if (!card.phoneNumber.trim() || !card.firstName.trim()) {
      throw new ControlRefusal(400, 'A contact needs a number and a first name.')
    }
    return this.#post(person, record, {
      contact: {
        phone_number: card.phoneNumber,
        first_name: card.firstName,
        ...(card.lastName === undefined ? {} : { last_name: card.lastName }),
        ...(card.userId === undefined ? {} : { user_id: card.userId }),
      },
      ...(card.forwarded ? { forward_origin: this.#origin() } : {}),
    })
  }

  sendOther(other: OtherMessage): ChatMessage {
    const { person, record } = this.#actor(other)
    return this.#post(person, record, otherContent(this.#files, other.kind))
  }

  /** Presses a button. The message must have it now, unless the press is `stale`. */
  press(press: Press): { id: string } {
    const { person, record } = this.#actor(press)
    const message = record.messages.get(press.messageId)
    if (!press.stale) requireButton(message, press.data)
    const query = this.#queries.open(
      {
        from: userOf(person),
        message: message ?? { chat: record.chat, message_id: press.messageId, date: 0 },
        chat_instance: chatInstance(record.chat.id),
        data: press.data,
      },
      record.chat.id,
    )
    this.#queue.push({ callback_query: query })
    return { id: query.id }
  }

  /** Opens `https://t.me/<bot>?start=<payload>`, as if the person had pressed the link and then Start. */
  openLink(from: number, url: string): ChatMessage {
    const link = URL.canParse(url) ? new URL(url) : undefined
    const bot = link?.hostname === 't.me' ? link.pathname.slice(1) : link?.searchParams.get('domain')
    if (!link || bot?.toLowerCase() !== this.#world.bot.username.toLowerCase()) {
      throw new ControlRefusal(404, `No chat in the sandbox has the link ${url}.`)
    }
    const payload = link.searchParams.get('start') ?? ''
    if (payload && !startPayload.test(payload)) {
      throw new ControlRefusal(400, 'A start payload is up to 64 letters, digits, _ and -.')
    }
    return this.say({ from, text: payload ? `/start ${payload}` : '/start' })
  }

  block(id: number, blocked: boolean): Person {
    const person = this.#world.person(id)
    if (person.blocked === blocked) return person
    const record = this.#world.chatFor(person)
    person.blocked = blocked
    this.#pushMembership(record, userOf(person), blocked ? ['member', 'kicked'] : ['kicked', 'member'])
    this.#world.tell({ type: 'person', person })
    return person
  }

  deleteMessage({ from, chat, messageId }: { from: number; chat?: number; messageId: number }): void {
    const { person, record } = this.#actor({ from, ...(chat === undefined ? {} : { chat }) })
    const message = this.#message(record, messageId)
    if (record.chat.type !== 'private' && message.from.id !== person.id) {
      throw new ControlRefusal(409, 'In a group, people can delete only their own messages.')
    }
    this.#world.remove(record, messageId, 'person')
  }

  /** Creates a group. Its first member adds the bot. */
  addGroup(title: string, members: number[]): { id: number } {
    const creator = this.#world.person(members[0] ?? 0)
    for (const id of members) this.#world.person(id)
    const record = this.#world.openGroup(title, members)
    const user = userOf(creator)
    this.#pushMembership(record, user, ['left', 'member'])
    const message = this.#world.post(record, user, { new_chat_members: [this.#world.botUser] })
    this.#queue.push({ message })
    return { id: record.chat.id }
  }

  /**
   * Turns a group into a supergroup. After that, calls with the old id are refused with an error that names the new
   * id.
   */
  migrateGroup(id: number): { id: number } {
    const old = this.#world.chats.get(id)
    if (old?.chat.type !== 'group') throw new ControlRefusal(404, `There is no group ${id}.`)
    if (old.migratedTo !== undefined) throw new ControlRefusal(409, `Group ${id} has already moved.`)
    const record = this.#world.openSupergroup(old.chat.title, old.members)
    old.migratedTo = record.chat.id
    const [first = 0] = old.members
    const user = userOf(this.#world.person(first))
    this.#queue.push({ message: this.#world.post(old, user, { migrate_to_chat_id: record.chat.id }) })
    this.#queue.push({ message: this.#world.post(record, user, { migrate_from_chat_id: id }) })
    return { id: record.chat.id }
  }

  #actor({ from, chat }: { from: number; chat?: number }) {
    const person = this.#world.person(from)
    if (person.blocked && (chat === undefined || chat === from)) {
      throw new ControlRefusal(409, `${person.first_name} blocked the bot: unblock it first.`)
    }
    return { person, record: this.#world.chatFor(person, chat) }
  }

  #message(record: ChatRecord, id: number): ChatMessage {
    const message = record.messages.get(id)
    if (!message) throw new ControlRefusal(404, `There is no message ${id} in chat ${record.chat.id}.`)
    return message
  }

  #post(person: Person, record: ChatRecord, content: MessageContent): ChatMessage {
    const message = this.#world.post(record, userOf(person), content)
    // If the bot asked for a reply, the app shows the request only until the person writes.
    if (record.keyboard?.forceReply) {
      delete record.keyboard
      this.#world.tell({ type: 'keyboard', chat: record.chat.id, keyboard: null })
    }
    if (this.#isForBot(message)) this.#queue.push({ message })
    return message
  }

  #edit(person: Person, record: ChatRecord, id: number, content: MessageContent): ChatMessage {
    const { entities: _, ...before } = this.#message(record, id)
    if (before.from.id !== person.id)
      throw new ControlRefusal(409, 'People can edit only their own messages.')
    const isFile = before.document !== undefined || before.photo !== undefined
    if (before.text === undefined && !isFile)
      throw new ControlRefusal(409, 'The message has no text to edit.')
    const written = isFile
      ? captionContent({ text: content.text ?? '', entities: content.entities ?? [] })
      : content
    const edited = { ...before, ...written, edit_date: this.#world.date }
    this.#world.replace(record, edited)
    if (this.#isForBot(edited)) this.#queue.push({ edited_message: edited })
    return edited
  }

  /**
   * Whether the bot gets a message. In groups, a bot in privacy mode gets only commands, replies to its messages and
   * mentions of its name.
   */
  #isForBot(message: ChatMessage): boolean {
    const { bot } = this.#world
    if (message.chat.type === 'private' || bot.can_read_all_group_messages) return true
    if (message.reply_to_message?.from?.id === bot.id) return true
    const text = message.text ?? message.caption ?? ''
    const command = /^\/\w+(?:@(\w+))?/.exec(text)
    const name = bot.username.toLowerCase()
    if (command) return command[1] === undefined || command[1].toLowerCase() === name
    return text.toLowerCase().includes(`@${name}`)
  }

  #origin(): MessageOrigin {
    return { type: 'hidden_user', sender_user_name: 'Somebody', date: this.#world.date }
  }

  #pushMembership(record: ChatRecord, from: User, [before, after]: [MemberStatus, MemberStatus]): void {
    this.#queue.push({
      my_chat_member: {
        chat: record.chat,
        from,
        date: this.#world.date,
        old_chat_member: memberOf(this.#world.botUser, before),
        new_chat_member: memberOf(this.#world.botUser, after),
      },
    })
  }
}

type MemberStatus = 'member' | 'kicked' | 'left'

function memberOf(user: User, status: MemberStatus): ChatMember {
  return status === 'kicked' ? { status, user, until_date: 0 } : { status, user }
}

function requireButton(message: ChatMessage | undefined, data: string): void {
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? []
  if (buttons.some((button) => 'callback_data' in button && button.callback_data === data)) return
  throw new ControlRefusal(409, message ? `The message has no button “${data}”.` : 'That message is gone.')
}
