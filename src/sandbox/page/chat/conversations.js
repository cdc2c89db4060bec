/** @import { ChatEvent, Command, Message, Person, ReplyKeyboard, TelegramState, User } from '../../telegram/control/control.ts' */

/**
 * A text that one person passed on to another, outside of the chats with the bot. Only the page knows about it.
 *
 * @typedef {{ id: string, from: number, to: number, date: number, text: string }} Note
 *
 * @typedef {{
 *   title: string,
 *   messages: Message[],
 *   silent: Set<number>,
 *   commands: Command[],
 *   keyboard: ReplyKeyboard | null,
 * }} Chat
 *
 * Everything that the chats show.
 * @typedef {object} Conversations
 * @property {User | null} bot
 * @property {boolean} isBotConnected
 * @property {Person[]} people
 * @property {Command[]} commands for chats without their own menu
 * @property {Map<number, Chat>} chats by chat id; a person's is the person's id
 * @property {Note[]} notes
 * @property {Map<number, number>} unread by chat id
 * @property {Map<number, number>} busyUntil by chat id: when the bot's typing indicator ends, in ms of `Date.now()`
 */

/** In ms. Telegram shows a chat action for this long, or until a message comes. */
const actionLastsMs = 5000

/** @returns {Conversations} */
export function noConversations() {
  return {
    bot: null,
    isBotConnected: true,
    people: [],
    commands: [],
    chats: new Map(),
    notes: [],
    unread: new Map(),
    busyUntil: new Map(),
  }
}

/**
 * Applies a state read from the server. Unread messages stay unread, and messages that arrived while the page was
 * not connected become unread.
 *
 * @param {Conversations} conversations
 * @param {TelegramState} state
 * @param {number} openChat the chat that is on the screen
 */
export function load(conversations, state, openChat) {
  const wasLoaded = conversations.bot !== null
  conversations.bot = state.bot
  conversations.isBotConnected = state.isBotConnected
  conversations.people = state.people
  conversations.commands = state.commands
  const before = conversations.chats
  conversations.chats = new Map()
  for (const { id, title, messages, silent, commands, keyboard = null } of state.chats) {
    const chat = { title, messages: [...messages], silent: new Set(silent), commands, keyboard }
    conversations.chats.set(id, chat)
    const known = new Set(before.get(id)?.messages.map((message) => message.message_id))
    if (!wasLoaded || id === openChat) continue
    for (const message of messages) if (!known.has(message.message_id)) countUnread(conversations, message)
  }
}

/**
 * @param {Conversations} conversations
 * @param {ChatEvent} event
 * @param {number} openChat
 * @param {number} nowMs
 */
export function apply(conversations, event, openChat, nowMs) {
  switch (event.type) {
    case 'message':
      if (isFromBot(event.message)) conversations.busyUntil.delete(event.chat)
      if (event.silent) chatOf(conversations, event.chat).silent.add(event.message.message_id)
      if (put(conversations, event.chat, event.message) && event.chat !== openChat)
        countUnread(conversations, event.message)
      break
    case 'edit':
      put(conversations, event.chat, event.message)
      break
    case 'delete':
      remove(conversations, event.chat, event.messageId)
      break
    case 'action':
      conversations.busyUntil.set(event.chat, nowMs + actionLastsMs)
      break
    case 'person':
      conversations.people = conversations.people.map((one) =>
        one.id === event.person.id ? event.person : one,
      )
      break
    case 'commands':
      if (event.chat === undefined) conversations.commands = event.commands
      else chatOf(conversations, event.chat).commands = event.commands
      break
    case 'keyboard':
      chatOf(conversations, event.chat).keyboard = event.keyboard
      break
    case 'connection':
      conversations.isBotConnected = event.isBotConnected
      break
    case 'answer':
      break
  }
}

/**
 * What a person sees in a chat, in order.
 *
 * @param {Conversations} conversations
 * @param {number} chat
 * @returns {({ kind: 'message', date: number, message: Message } | { kind: 'note', date: number, note: Note })[]}
 */
export function contentsOf(conversations, chat) {
  const messages = (conversations.chats.get(chat)?.messages ?? []).map((message) => {
    return { kind: /** @type {const} */ ('message'), date: message.date, message }
  })
  const notes = conversations.notes
    .filter((note) => note.to === chat)
    .map((note) => ({ kind: /** @type {const} */ ('note'), date: note.date, note }))
  return [...messages, ...notes].sort((a, b) => a.date - b.date)
}

/** @param {Message} message */
export function isFromBot(message) {
  return message.from?.is_bot === true
}

/**
 * @param {Conversations} conversations
 * @param {number} chat
 * @param {Message} message
 * @returns {boolean} whether it is a new one
 */
function put(conversations, chat, message) {
  const { messages } = chatOf(conversations, chat)
  const at = messages.findIndex((one) => one.message_id === message.message_id)
  messages.splice(at < 0 ? messages.length : at, 1, message)
  return at < 0
}

/**
 * @param {Conversations} conversations
 * @param {number} chat
 * @param {number} messageId
 */
function remove(conversations, chat, messageId) {
  const known = chatOf(conversations, chat)
  known.messages = known.messages.filter((message) => message.message_id !== messageId)
}

/**
 * A chat is created by the first thing that happens in it.
 *
 * @param {Conversations} conversations
 * @param {number} id
 * @returns {Chat}
 */
function chatOf(conversations, id) {
  const known = conversations.chats.get(id)
  if (known) return known
  const chat = {
    title: '',
    messages: [],
    silent: new Set(),
    commands: conversations.commands,
    keyboard: null,
  }
  conversations.chats.set(id, chat)
  return chat
}

/**
 * @param {Conversations} conversations
 * @param {Message} message
 */
function countUnread(conversations, message) {
  if (!isFromBot(message)) return
  const chat = message.chat.id
  conversations.unread.set(chat, (conversations.unread.get(chat) ?? 0) + 1)
}
