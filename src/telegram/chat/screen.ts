import type {
  ForceReply,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  ReplyKeyboardMarkup,
  ReplyKeyboardRemove,
} from 'grammy/types'
import { styleOf } from '../buttons/style.ts'
import { type ButtonPress, encodePress } from '../buttons/table.ts'
import { labels } from '../words/labels.ts'

/** A message as a person sees it: a text in Telegram's HTML, and the buttons below it. */
export interface Screen {
  text: string
  rows?: Button[][]
  /** The message of the same chat to reply to. If that message is gone, the screen is sent without a reply. */
  replyTo?: number | null
  /** The forum topic to send to. If the topic is gone or closed, the screen is sent without a topic. */
  threadId?: number
  /** How the person's text field changes. Only a new message without rows can change it. */
  field?: TextField
  silent?: boolean
  /** Telegram's id of a picture above the text. If it can't be sent, the text is sent alone. */
  photoId?: string
}

/** What the app's text field offers. Telegram shows `hint`, 1 to 64 characters, while the field is empty. */
export type TextField =
  /** Opens the field for an answer to this message. */
  | { kind: 'answer'; hint: string }
  /** Shows two buttons instead of the keyboard: one shares the person's own number, the other sends its label. */
  | { kind: 'own_number'; hint: string; share: string; leave: string }
  /** Removes the two buttons of `own_number`. */
  | { kind: 'plain' }

/** One button below a message: it sends a press, opens an address or copies a text. */
export type Button = { label: string } & ({ press: ButtonPress } | { url: string } | { copy: string })

export const button = (label: string, press: ButtonPress): Button => ({ label, press })

export const link = (label: string, url: string): Button => ({ label, url })

export const homeButton: Button = button(labels.home, { do: 'home' })

/** A button that ends the flow that the chat is in. */
export const leaveButton: Button = button(labels.leave, { do: 'leave' })

/**
 * The buttons `◀` and `▶`, each only if there is a page in its direction. @param page counted from 0. @param turn makes
 * the button that shows a page.
 */
export const pagingButtons = (
  page: number,
  hasMore: boolean,
  turn: (label: string, page: number) => Button,
): Button[] => [
  ...(page > 0 ? [turn(labels.previous, page - 1)] : []),
  ...(hasMore ? [turn(labels.next, page + 1)] : []),
]

/** A button that forwards a text to a chat of the person's choice. @param url what Telegram puts above the text. */
export const forwardButton = (label: string, url: string, text?: string): Button =>
  link(label, `https://t.me/share/url?${new URLSearchParams({ url, ...(text && { text }) })}`)

export const inRows = (buttons: readonly Button[], perRow: number): Button[][] =>
  Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow),
  )

/** The longest text, in characters, that a button can copy. */
const maxCopied = 256

/** A button that copies a text; no button if the text is empty or longer than Telegram copies. */
export const copyButtons = (label: string, text: string): Button[] =>
  text.length > 0 && text.length <= maxCopied ? [{ label, copy: text }] : []

/** The buttons in Telegram's format, without empty rows. */
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

/** A message that asks for an answer in the text field, with a hint in it. */
export const askingFor = (hint: string, text: string): Screen => ({ text, field: { kind: 'answer', hint } })

/** What Telegram attaches to a new message: its buttons, or a change of the text field. */
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

/** Escapes text from outside for Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * A text from outside on one line. A longer one ends with `…`. It is cut between characters, never inside one,
 * because Telegram refuses half a surrogate pair. Invisible characters are removed: they could reverse the words next
 * to them, or make two names look the same.
 * @param most UTF-16 units, as Telegram counts.
 */
export const oneLine = (text: string, most = 40): string => {
  const line = text
    .toWellFormed()
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= most) return line
  return `${line
    .slice(0, most - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}

/** A text from the provider: cut, on one line, and escaped. */
export const foreignText = (text: string): string => escapeHtml(oneLine(text, 300))

/** A short word from outside, such as a name or an unknown status: cut, on one line, and escaped. */
export const foreignWord = (text: string): string => escapeHtml(oneLine(text))

/** The text without its markup, for when Telegram cannot read the markup. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** Keeps each amount on one line: `GHS 4.65`, and `profit GHS 2.35` with its word. */
export const unbroken = (text: string): string =>
  text.replace(/(\b[Pp]rofit )?GHS (?=\d)/g, (words) => words.replaceAll(' ', '\u00a0'))

/** The HTML without time tags, which older servers of the Bot API do not know. */
export const withoutTimes = (html: string): string => html.replace(/<\/?tg-time\b[^>]*>/g, '')
