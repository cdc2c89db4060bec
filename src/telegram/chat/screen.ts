import type {
  ForceReply,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  ReplyKeyboardMarkup,
  ReplyKeyboardRemove,
} from 'grammy/types'
import { type ButtonPress, encodePress } from '../buttons/button.ts'
import { styleOf } from '../buttons/style.ts'

/** A message as a person sees it: a text in Telegram's HTML and the buttons below it. */
export interface Screen {
  text: string
  rows?: Button[][]
  /** The message of the same chat that it replies to. It is sent without a reply if that one is gone. */
  replyTo?: number | null
  /** The topic of a forum in which it is sent; without it if that topic is gone or closed. */
  threadId?: number
  /** The change to the person's text field. Only a new message without rows can change it. */
  field?: TextField
  /** The message makes no sound. */
  silent?: boolean
}

/** What the text field of an app offers: Telegram shows `hint`, 1 to 64 characters, while it is empty. */
export type TextField =
  /** Opens it for an answer to this message. */
  | { kind: 'answer'; hint: string }
  /** Shows buttons in its place: one shares the person's own number, the other types its label. */
  | { kind: 'own_number'; hint: string; share: string; leave: string }
  /** Takes the buttons away. */
  | { kind: 'plain' }

/** One button below a message: it presses a button, opens an address or copies a text. */
export type Button = { label: string } & ({ press: ButtonPress } | { url: string } | { copy: string })

/** A button that presses a button. */
export const button = (label: string, press: ButtonPress): Button => ({ label, press })

/** A button that opens an address. */
export const link = (label: string, url: string): Button => ({ label, url })

/** Telegram copies at most so many characters. */
const maxCopied = 256

/** A button that copies a text; none for a text that Telegram would not copy. */
export const copyButtons = (label: string, text: string): Button[] =>
  text.length > 0 && text.length <= maxCopied ? [{ label, copy: text }] : []

/** The buttons as Telegram takes them. Rows without buttons are left out. */
export const keyboardOf = ({ rows = [] }: Screen): InlineKeyboardMarkup => ({
  inline_keyboard: rows.filter((row) => row.length > 0).map((row) => row.map(inlineButton)),
})

const inlineButton = (button: Button): InlineKeyboardButton => {
  const text = button.label
  if ('url' in button) return { text, url: button.url }
  if ('copy' in button) return { text, copy_text: { text: button.copy } }
  const style = styleOf(button.press)
  return { text, callback_data: encodePress(button.press), ...(style && { style }) }
}

/** A text that asks for an answer in the text field, with a hint in it. */
export const askingFor = (hint: string, text: string): Screen => ({ text, field: { kind: 'answer', hint } })

/** What stands below a new message: its buttons, or what it changes of the text field. */
export const markupOf = (
  screen: Screen,
): InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove | ForceReply => {
  const { rows = [], field } = screen
  if (!field || rows.some((row) => row.length > 0)) return keyboardOf(screen)
  switch (field.kind) {
    case 'answer':
      return { force_reply: true, input_field_placeholder: field.hint }
    case 'own_number':
      return {
        keyboard: [[{ text: field.share, request_contact: true }], [{ text: field.leave }]],
        one_time_keyboard: true,
        resize_keyboard: true,
        input_field_placeholder: field.hint,
      }
    case 'plain':
      return { remove_keyboard: true }
  }
}

/** Text from outside, made harmless for Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * A text from outside on one line. It is cut between characters, never inside one, because Telegram refuses half of a
 * surrogate pair. Invisible characters are removed: they would turn around the words beside them, or make two names
 * look the same.
 * @param most UTF-16 units, as Telegram counts.
 */
export const oneLine = (text: string, most = 40): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '')

/** A text from the provider: shortened, on one line, harmless. */
export const foreignText = (text: string): string => escapeHtml(oneLine(text, 300))

/** A name or a word from the provider, such as a status that the bot does not know. */
export const foreignWord = (text: string): string => escapeHtml(oneLine(text))

/** The text without its markup, for a markup that Telegram cannot read. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** The HTML without its times, which older servers of the Bot API do not know. */
export const withoutTimes = (html: string): string => html.replace(/<\/?tg-time\b[^>]*>/g, '')
