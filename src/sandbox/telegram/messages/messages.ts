import { isDeepStrictEqual } from 'node:util'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import type { FloodGate } from '../bot-api/flood.ts'
import { Parameters } from '../bot-api/parameters.ts'
import type { ReplyKey } from '../control/control.ts'
import { badRequest } from '../refusal.ts'
import {
  asReplied,
  type ChatMessage,
  type ChatRecord,
  type MessageContent,
  topicOf,
  type World,
} from '../world.ts'
import { type FileStore, mediaContent } from './files.ts'
import { type Markup, readInlineMarkup, readMarkup } from './reply-markup.ts'
import { captionContent, readCaption, readText, textContent } from './text.ts'

/** What methods need to write into chats. */
export interface Writing {
  world: World
  files: FileStore
  flood: FloodGate
}

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a ' +
  'current content and reply markup of the message'
/** In seconds. How long after sending a message can be deleted (https://core.telegram.org/bots/api#deletemessage). */
const deletableFor = 48 * 3600
const chatActions = new Set(
  [
    'typing upload_photo record_video upload_video record_voice upload_voice upload_document',
    'choose_sticker find_location record_video_note upload_video_note',
  ].flatMap((names) => names.split(' ')),
)

const Media = z.looseObject({ type: z.enum(['document', 'photo']), media: z.string() })

type ContentField = (typeof contentFields)[number]
const contentFields = [
  'text',
  'entities',
  'link_preview_options',
  'caption',
  'caption_entities',
  'document',
  'photo',
] as const

/**
 * `sendMessage`
 * @throws {Refusal} as the real server does
 */
export function sendMessage(writing: Writing, parameters: Parameters): ChatMessage {
  const record = targetChat(writing.world, parameters)
  return send(writing, record, parameters, {
    ...textContent(readText(parameters)),
    ...linkPreview(parameters),
  })
}

/**
 * `sendDocument` and `sendPhoto`
 * @throws {Refusal} as the real server does
 */
export function sendFile(writing: Writing, kind: 'document' | 'photo', parameters: Parameters): ChatMessage {
  const record = targetChat(writing.world, parameters)
  const caption = captionContent(readCaption(parameters))
  const given = { upload: parameters.upload(kind), reference: parameters.text(kind) }
  return send(writing, record, parameters, { ...mediaContent(writing.files, kind, given), ...caption })
}

function send(
  { world, flood }: Writing,
  record: ChatRecord,
  parameters: Parameters,
  content: MessageContent,
): ChatMessage {
  const markup = readMarkup(parameters)
  const reply = repliedMessage(record, parameters)
  const asking = askingKeys(markup)
  if (asking.length > 0 && record.chat.type !== 'private') {
    throw badRequest('phone number can be requested in private chats only')
  }
  flood.admit(record.chat.id)
  const message = world.post(
    record,
    world.botUser,
    {
      ...content,
      ...topicFor(record, parameters, reply),
      ...aroundOf(parameters, reply),
      ...inlineMarkupOf(markup),
    },
    parameters.flag('disable_notification'),
  )
  showKeyboard(world, record, markup)
  return message
}

/**
 * The topic of a new message. If the call does not name a topic, a reply goes into the topic of the message to which
 * it replies. A topic exists once somebody has written in it.
 */
function topicFor(
  record: ChatRecord,
  parameters: Parameters,
  reply: ChatMessage | undefined,
): MessageContent {
  const thread = parameters.integer('message_thread_id')
  if (thread === undefined)
    return reply?.is_topic_message && reply.message_thread_id !== undefined
      ? topicOf(reply.message_thread_id)
      : {}
  const isThere = [...record.messages.values()].some((message) => message.message_thread_id === thread)
  if (!isThere) throw badRequest('message thread not found')
  return topicOf(thread)
}

function aroundOf(parameters: Parameters, reply: ChatMessage | undefined): MessageContent {
  return {
    ...(reply ? { reply_to_message: asReplied(reply) } : {}),
    ...(parameters.flag('protect_content') ? { has_protected_content: true } : {}),
  }
}

function askingKeys(markup: Markup): Exclude<ReplyKey, string>[] {
  const keys = markup.kind === 'reply' ? (markup.keyboard?.rows.flat() ?? []) : []
  return keys.filter((key) => typeof key !== 'string')
}

const minInAlbum = 2
const maxInAlbum = 10

/**
 * `sendMediaGroup`: several pictures, or several documents, that people see as one album.
 * @throws {Refusal} as the real server does
 */
export function sendMediaGroup(writing: Writing, parameters: Parameters): ChatMessage[] {
  const { world, files, flood } = writing
  const record = targetChat(world, parameters)
  const items = readAlbum(parameters)
  const contents = items.map((item): MessageContent => {
    const given = { upload: parameters.attached(item.media), reference: item.media }
    const caption = captionContent(readCaption(Parameters.of(item)))
    return { ...mediaContent(files, item.type, given), ...caption }
  })
  const around = aroundOf(parameters, repliedMessage(record, parameters))
  flood.admit(record.chat.id, contents.length)
  const isSilent = parameters.flag('disable_notification')
  const media_group_id = String(world.nextAlbumId())
  return contents.map((content) =>
    world.post(record, world.botUser, { ...content, ...around, media_group_id }, isSilent),
  )
}

function readAlbum(parameters: Parameters): z.infer<typeof Media>[] {
  const value = parameters.json('media')
  if (!Array.isArray(value)) throw badRequest('media is expected to be an Array of InputMedia')
  const items = z.array(Media).safeParse(value)
  if (!items.success) throw badRequest("can't parse InputMedia: the sandbox takes documents and photos")
  if (items.data.length < minInAlbum) throw badRequest('an album holds at least 2 messages')
  if (items.data.length > maxInAlbum) throw badRequest('too many messages to send as an album')
  if (new Set(items.data.map(({ type }) => type)).size > 1) {
    throw badRequest("can't use the media of the specified type in the album")
  }
  return items.data
}

/** The chat of a call that sends something. @throws {Refusal} if the bot may not write there */
function targetChat(world: World, parameters: Parameters): ChatRecord {
  return world.writableChat(chatIdOf(parameters))
}

/**
 * The `chat_id` of a call.
 * @throws {Refusal} if it is missing or not a number
 */
export function chatIdOf(parameters: Parameters): number {
  if (!parameters.text('chat_id')) throw badRequest('chat_id is empty')
  const id = parameters.integer('chat_id')
  if (id === undefined) throw badRequest('chat not found')
  return id
}

function linkPreview(parameters: Parameters): Pick<Message, 'link_preview_options'> {
  const options = parameters.json('link_preview_options')
  return typeof options === 'object' && options !== null ? { link_preview_options: options } : {}
}

function repliedMessage(record: ChatRecord, parameters: Parameters): ChatMessage | undefined {
  const { message_id: id, allow_sending_without_reply: isOptional } = replyParameters(parameters)
  if (id === undefined) return undefined
  const replied = record.messages.get(id)
  if (!replied && !isOptional) throw badRequest('message to be replied not found')
  return replied
}

function replyParameters(parameters: Parameters) {
  const given = parameters.json('reply_parameters')
  const old = {
    message_id: parameters.integer('reply_to_message_id'),
    allow_sending_without_reply: parameters.flag('allow_sending_without_reply'),
  }
  if (typeof given !== 'object' || given === null || !('message_id' in given)) return old
  const isOptional = 'allow_sending_without_reply' in given && given.allow_sending_without_reply === true
  return { message_id: Number(given.message_id), allow_sending_without_reply: isOptional }
}

function inlineMarkupOf(markup: Markup): { reply_markup?: InlineKeyboardMarkup } {
  const isShown = markup.kind === 'inline' && markup.markup.inline_keyboard.length > 0
  return isShown ? { reply_markup: markup.markup } : {}
}

function showKeyboard(world: World, record: ChatRecord, markup: Markup): void {
  if (markup.kind !== 'reply') return
  if (markup.keyboard) record.keyboard = markup.keyboard
  else delete record.keyboard
  world.tell({ type: 'keyboard', chat: record.chat.id, keyboard: markup.keyboard ?? null })
}

/**
 * `editMessageText`
 * @throws {Refusal} as the real server does
 */
export function editMessageText(writing: Writing, parameters: Parameters): ChatMessage {
  const { record, message } = editable(writing.world, parameters)
  const content = { ...textContent(readText(parameters)), ...linkPreview(parameters) }
  if (message.text === undefined) throw badRequest('there is no text in the message to edit')
  const bare = without(message, ['text', 'entities', 'link_preview_options'])
  return applyEdit(writing, record, message, { ...bare, ...content }, parameters)
}

/**
 * `editMessageCaption`
 * @throws {Refusal} as the real server does
 */
export function editMessageCaption(writing: Writing, parameters: Parameters): ChatMessage {
  const { record, message } = editable(writing.world, parameters)
  const content = captionContent(readCaption(parameters))
  if (message.text !== undefined) throw badRequest('there is no caption in the message to edit')
  const bare = without(message, ['caption', 'caption_entities'])
  return applyEdit(writing, record, message, { ...bare, ...content }, parameters)
}

/**
 * `editMessageMedia`
 * @throws {Refusal} as the real server does
 */
export function editMessageMedia(writing: Writing, parameters: Parameters): ChatMessage {
  const { record, message } = editable(writing.world, parameters)
  const media = readMedia(parameters)
  const caption = readCaption(Parameters.of(media))
  const given = { upload: parameters.attached(media.media), reference: media.media }
  const content = { ...mediaContent(writing.files, media.type, given), ...captionContent(caption) }
  return applyEdit(writing, record, message, { ...without(message, contentFields), ...content }, parameters)
}

function readMedia(parameters: Parameters) {
  const value = parameters.json('media')
  if (value === undefined) throw badRequest('there is no media in the request')
  const media = Media.safeParse(value)
  if (!media.success) throw badRequest("can't parse InputMedia: the sandbox takes a document or a photo")
  return media.data
}

/**
 * `editMessageReplyMarkup`: changes only the buttons.
 * @throws {Refusal} as the real server does
 */
export function editMessageReplyMarkup(writing: Writing, parameters: Parameters): ChatMessage {
  const { record, message } = editable(writing.world, parameters)
  return applyEdit(writing, record, message, message, parameters)
}

function without(message: ChatMessage, fields: readonly ContentField[]): ChatMessage {
  const copy = { ...message }
  for (const field of fields) delete copy[field]
  return copy
}

function editable(world: World, parameters: Parameters) {
  const record = targetChat(world, parameters)
  const message = record.messages.get(messageIdOf(parameters))
  if (!message) throw badRequest('message to edit not found')
  if (message.from.id !== world.bot.id) throw badRequest("message can't be edited")
  return { record, message }
}

function messageIdOf(parameters: Parameters): number {
  const id = parameters.integer('message_id')
  if (id === undefined) throw badRequest('message identifier is not specified')
  return id
}

/**
 * Edits a message. Removes buttons that the call does not repeat. The message is shown as edited only if its content
 * has changed.
 */
function applyEdit(
  { world, flood }: Writing,
  record: ChatRecord,
  before: ChatMessage,
  after: ChatMessage,
  parameters: Parameters,
): ChatMessage {
  const markup = readInlineMarkup(parameters)
  const { reply_markup: _, ...content } = after
  const edited = markup ? { ...content, reply_markup: markup } : content
  if (isDeepStrictEqual(edited, before)) throw badRequest(notModified)
  flood.admit(record.chat.id)
  return world.replace(record, after === before ? edited : { ...edited, edit_date: world.date })
}

/**
 * `deleteMessage`
 * @throws {Refusal} if the message is unknown, not the bot's to delete, or older than 48 hours
 */
export function deleteMessage(world: World, parameters: Parameters): true {
  const record = world.knownChat(chatIdOf(parameters))
  const message = record.messages.get(messageIdOf(parameters))
  if (!message) throw badRequest('message to delete not found')
  if (!mayDelete(world, record, message)) throw badRequest("message can't be deleted")
  if (world.date - message.date > deletableFor) throw badRequest("message can't be deleted for everyone")
  world.remove(record, message.message_id, 'bot')
  return true
}

/** `deleteMessages`: ids that cannot be deleted are skipped without an error. */
export function deleteMessages(world: World, parameters: Parameters): true {
  const record = world.knownChat(chatIdOf(parameters))
  const ids = parameters.json('message_ids')
  if (!Array.isArray(ids) || ids.length === 0) throw badRequest('message identifiers are not specified')
  if (ids.length > 100) throw badRequest('too many message identifiers specified')
  for (const id of ids) {
    const message = record.messages.get(Number(id))
    if (message && mayDelete(world, record, message)) world.remove(record, message.message_id, 'bot')
  }
  return true
}

/** In a group the bot can delete only its own messages, because it is not an administrator. */
function mayDelete(world: World, { chat }: ChatRecord, message: ChatMessage): boolean {
  return chat.type === 'private' || message.from.id === world.bot.id
}

/**
 * `sendChatAction`: shows that the bot is doing something, without a message. It counts as a message against the
 * limits.
 */
export function sendChatAction({ world, flood }: Writing, parameters: Parameters): true {
  const record = targetChat(world, parameters)
  const action = parameters.text('action')
  if (!chatActions.has(action)) throw badRequest('wrong parameter action in request')
  flood.admit(record.chat.id)
  world.tell({ type: 'action', chat: record.chat.id, action })
  return true
}
