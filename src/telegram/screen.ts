import type { InlineKeyboardButton, InlineKeyboardMarkup } from 'grammy/types'
import { type Button, encodeButton } from './buttons/button.ts'

/** What a person sees: a text in Telegram's HTML and the buttons below it. */
export interface Screen {
  text: string
  rows?: Key[][]
}

export type Key = { label: string } & ({ button: Button } | { url: string })

export const key = (label: string, button: Button): Key => ({ label, button })

export const link = (label: string, url: string): Key => ({ label, url })

export const keyboardOf = ({ rows = [] }: Screen): InlineKeyboardMarkup => ({
  inline_keyboard: rows.filter((row) => row.length > 0).map((row) => row.map(inlineButton)),
})

const inlineButton = (key: Key): InlineKeyboardButton =>
  'url' in key
    ? { text: key.label, url: key.url }
    : { text: key.label, callback_data: encodeButton(key.button) }

/** Text from outside, made harmless for Telegram's HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/**
 * A text from outside on one line, cut between characters, never inside one: Telegram refuses half of a pair. What
 * cannot be seen goes: it would turn around the words beside it, or make two names look the same.
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

/** A name or a word from the provider, such as a status that nobody knows. */
export const foreignWord = (text: string): string => escapeHtml(oneLine(text))

/** The text without its markup, for when Telegram cannot read it. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
