import type { InlineKeyboardMarkup } from 'grammy/types'
import { z } from 'zod'
import type { Parameters } from '../bot-api/parameters.ts'
import type { ReplyKey, ReplyKeyboard } from '../control/control.ts'
import { badRequest } from '../refusal.ts'
import { linkTarget } from './html.ts'

/** What a `reply_markup` contains: buttons on the message, or a change of the keyboard below the text field. */
export type Markup =
  | { kind: 'none' }
  | { kind: 'inline'; markup: InlineKeyboardMarkup }
  | { kind: 'reply'; keyboard: ReplyKeyboard | undefined }

const maxCallbackDataLength = 64
/** The longest text that a button can copy, and the longest hint in the empty text field, in UTF-16 units. */
const maxCopiedLength = 256
const maxPlaceholderLength = 64

const Text = z.string({ error: 'Field "text" must be of type String' })
const InlineButton = z.object({
  text: Text,
  url: z.string().optional(),
  callback_data: z.string().optional(),
  switch_inline_query: z.string().optional(),
  switch_inline_query_current_chat: z.string().optional(),
  web_app: z.object({ url: z.string() }).optional(),
  copy_text: z.object({ text: z.string() }).optional(),
  style: z.string().optional(),
})
const KeyboardButton = z.union([
  z.string().transform((text) => ({ text })),
  z.object({
    text: z.string(),
    style: z.string().optional(),
    request_contact: z.boolean().optional(),
  }),
])
const Rows = z.array(z.array(z.unknown()))

/** @throws {Refusal} if the real server would refuse the markup */
export function readMarkup(parameters: Parameters): Markup {
  const value = parsed(parameters)
  if (value === undefined) return { kind: 'none' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('object expected as reply markup')
  }
  if ('inline_keyboard' in value) return inlineMarkup(value.inline_keyboard)
  if ('keyboard' in value) return replyKeyboard({ ...value, keyboard: value.keyboard })
  if ('remove_keyboard' in value && value.remove_keyboard) return { kind: 'reply', keyboard: undefined }
  if ('force_reply' in value && value.force_reply) {
    return { kind: 'reply', keyboard: { rows: [], forceReply: true, ...placeholderOf(value) } }
  }
  return { kind: 'none' }
}

/** Like {@link readMarkup}, but for calls that allow only buttons on the message. */
export function readInlineMarkup(parameters: Parameters): InlineKeyboardMarkup | undefined {
  const markup = readMarkup(parameters)
  if (markup.kind === 'reply') throw badRequest('inline keyboard expected')
  return markup.kind === 'inline' && markup.markup.inline_keyboard.length > 0 ? markup.markup : undefined
}

function parsed(parameters: Parameters): unknown {
  try {
    return parameters.json('reply_markup')
  } catch {
    throw badRequest("can't parse reply keyboard markup JSON object")
  }
}

function inlineMarkup(value: unknown): Markup {
  const rows = rowsOf('inline_keyboard', 'InlineKeyboardMarkup', value)
  const keyboard = rows.map((row) => row.map(inlineButton)).filter((row) => row.length > 0)
  if (keyboard.flat().length > 100) throw badRequest('reply markup is too long')
  return { kind: 'inline', markup: { inline_keyboard: keyboard } }
}

function rowsOf(field: string, of: string, value: unknown): unknown[][] {
  if (!Array.isArray(value)) throw badRequest(`field "${field}" of the ${of} must be of type Array`)
  const rows = Rows.safeParse(value)
  if (!rows.success) throw badRequest(`field "${field}" of the ${of} must be an Array of Arrays`)
  return rows.data
}

type InlineKeyboardButton = InlineKeyboardMarkup['inline_keyboard'][number][number]

function inlineButton(value: unknown): InlineKeyboardButton {
  const unparsable = (what: string) => badRequest(`can't parse inline keyboard button: ${what}`)
  if (typeof value !== 'object' || value === null) {
    throw unparsable('InlineKeyboardButton must be an Object')
  }
  if (!('text' in value)) throw unparsable('Can\'t find field "text"')
  const button = InlineButton.safeParse(value)
  if (!button.success) throw unparsable(button.error.issues[0]?.message ?? 'wrong type')
  const { text, style: named, ...fields } = button.data
  const style = styleOf(named)
  if (style === 'invalid') throw unparsable(invalidStyle)
  const complete = withAction({ text, ...(style ? { style } : {}) }, fields)
  if (!complete) throw unparsable('Text buttons are unallowed in the inline keyboard')
  if (!text) throw badRequest('inline keyboard button text must be non-empty')
  return complete
}

const styles = ['danger', 'success', 'primary'] as const
const invalidStyle = 'invalid button style specified'

/** Undefined means the app's own colour. */
function styleOf(named = ''): (typeof styles)[number] | 'invalid' | undefined {
  const name = named.toLowerCase()
  if (name === '' || name === 'default') return undefined
  return styles.find((style) => style === name) ?? 'invalid'
}

type Looks = Pick<InlineKeyboardButton, 'text' | 'style'>
type Fields = Omit<z.infer<typeof InlineButton>, 'text' | 'style'>

function withAction(looks: Looks, fields: Fields): InlineKeyboardButton | undefined {
  const { url, callback_data, switch_inline_query, switch_inline_query_current_chat, web_app, copy_text } =
    fields
  if (url) return { ...looks, url: buttonUrl(url) }
  if (callback_data) return { ...looks, callback_data: buttonData(callback_data) }
  if (web_app) return { ...looks, web_app }
  if (copy_text) return { ...looks, copy_text: copied(copy_text) }
  if (switch_inline_query !== undefined) return { ...looks, switch_inline_query }
  if (switch_inline_query_current_chat !== undefined) return { ...looks, switch_inline_query_current_chat }
  return undefined
}

function buttonData(data: string): string {
  if (Buffer.byteLength(data) > maxCallbackDataLength) throw badRequest('BUTTON_DATA_INVALID')
  return data
}

function copied(text: { text: string }): { text: string } {
  if (text.text.length < 1 || text.text.length > maxCopiedLength) throw badRequest('BUTTON_COPY_TEXT_INVALID')
  return text
}

function buttonUrl(url: string): string {
  const target = linkTarget(url)
  if (target) return target
  throw badRequest(`inline keyboard button URL '${url}' is invalid: ${urlFault(url)}`)
}

function urlFault(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  return scheme && scheme !== 'http' && scheme !== 'https' ? 'Unsupported URL protocol' : 'Wrong HTTP URL'
}

function replyKeyboard(value: { keyboard: unknown }): Markup {
  const rows = rowsOf('keyboard', 'ReplyKeyboardMarkup', value.keyboard)
  const keys = rows.map((row) => row.map(replyKey)).filter((row) => row.length > 0)
  const isOnce = 'one_time_keyboard' in value && value.one_time_keyboard === true
  return {
    kind: 'reply',
    keyboard: { rows: keys, forceReply: false, ...(isOnce && { once: true }), ...placeholderOf(value) },
  }
}

function replyKey(value: unknown): ReplyKey {
  const button = KeyboardButton.safeParse(value)
  if (!button.success) throw badRequest('can\'t parse keyboard button: Can\'t find field "text"')
  const { text, style, request_contact } = { style: '', request_contact: false, ...button.data }
  if (styleOf(style) === 'invalid') throw badRequest(`can't parse keyboard button: ${invalidStyle}`)
  if (!text) throw badRequest('keyboard button text must be non-empty')
  return request_contact ? { text, asksContact: true } : text
}

function placeholderOf(value: object): { placeholder?: string } {
  const placeholder = 'input_field_placeholder' in value ? value.input_field_placeholder : undefined
  if (typeof placeholder !== 'string' || placeholder === '') return {}
  if (placeholder.length > maxPlaceholderLength) throw badRequest('input field placeholder is too long')
  return { placeholder }
}
