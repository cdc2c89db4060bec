/** @import { InlineKeyboardButton } from 'grammy/types' */
/** @import { Message } from '../../telegram/control/control.ts' */
/** @import { Note } from './conversations.js' */
/** @import { Presses } from './entities.js' */

import { element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { clockOf } from '../common/time.js'
import { attachmentOf } from './attachment.js'
import { isFromBot } from './conversations.js'
import { formatted } from './entities.js'
import { keyboard } from './keyboard.js'
import { linksIn } from './links.js'

/**
 * What happens when a part of a bubble is pressed.
 *
 * @typedef {Presses & {
 *   key: (message: Message, button: InlineKeyboardButton, node: HTMLButtonElement) => void,
 *   menu: (message: Message, button: HTMLElement) => void,
 *   show: (messageId: number) => void,
 *   nameOf: (personId: number) => string,
 * }} BubblePresses
 */

/**
 * One message as Telegram shows it.
 *
 * @param {object} row
 * @param {Message} row.message
 * @param {boolean} row.isMine
 * @param {boolean} row.isSilent whether it came without a sound
 * @param {boolean} row.startsGroup whether somebody else sent the message before
 * @param {boolean} row.isGroupChat
 * @param {BubblePresses} presses
 * @returns {HTMLElement}
 */
export function bubbleOf({ message, isMine, isSilent, startsGroup, isGroupChat }, presses) {
  const keys = message.reply_markup?.inline_keyboard
  const more = element(
    'button',
    { class: 'more center', 'aria-label': 'Message menu', 'aria-haspopup': 'menu', 'data-control': 'menu' },
    icon('more'),
  )
  more.addEventListener('click', () => presses.menu(message, more))
  return element(
    'article',
    {
      class: ['message column', isMine ? 'mine' : 'theirs', startsGroup && 'starts']
        .filter(Boolean)
        .join(' '),
      'data-message-id': message.message_id,
      'data-from': isFromBot(message) ? 'bot' : 'person',
    },
    element(
      'div',
      { class: 'bubble-line' },
      element(
        'div',
        { class: 'bubble', 'data-testid': 'bubble' },
        ...contentOf(message, isGroupChat && !isMine, isSilent, presses),
      ),
      more,
    ),
    keys && keyboard(keys, (button, node) => presses.key(message, button, node)),
  )
}

/**
 * A text that another person passed on. It looks different, because it is not a message in the chat with the bot.
 *
 * @param {Note} note
 * @param {BubblePresses} presses
 * @returns {HTMLElement}
 */
export function noteOf(note, presses) {
  return element(
    'article',
    { class: 'message column theirs starts note', 'data-testid': 'note' },
    element(
      'div',
      { class: 'bubble' },
      element(
        'p',
        { class: 'small accent' },
        element('strong', {}, `${presses.nameOf(note.from)} sent you this`),
      ),
      element('div', { class: 'text' }, ...formatted(note.text, linksIn(note.text), presses)),
      element('span', { class: 'meta' }, clockOf(note.date)),
    ),
  )
}

/**
 * @param {Message} message
 * @param {boolean} withName
 * @param {boolean} isSilent
 * @param {BubblePresses} presses
 */
function contentOf(message, withName, isSilent, presses) {
  const text = shownText(message.text ?? message.caption ?? '')
  const entities = message.entities ?? message.caption_entities ?? []
  return [
    withName &&
      element('p', { class: 'small accent' }, element('strong', {}, message.from?.first_name ?? 'Unknown')),
    message.forward_origin && element('p', { class: 'small accent' }, `Forwarded from ${originOf(message)}`),
    message.reply_to_message && quoteOf(message.reply_to_message, presses),
    attachmentOf(message),
    text !== '' && element('div', { class: 'text' }, ...formatted(text, entities, presses)),
    metaOf(message, isSilent),
  ]
}

/**
 * Telegram's apps send the payload of a link that opens a bot, but do not show it.
 *
 * @param {string} text
 */
function shownText(text) {
  return text.replace(/^(\/start) \S+$/, '$1')
}

/**
 * @param {Message} message
 * @param {boolean} isSilent
 */
function metaOf(message, isSilent) {
  return element(
    'span',
    { class: 'meta' },
    isSilent && element('span', { title: 'Sent silently' }, '🔕 '),
    message.edit_date !== undefined && element('span', { class: 'edited' }, 'edited '),
    element('time', { datetime: new Date(message.date * 1000).toISOString() }, clockOf(message.date)),
  )
}

/**
 * @param {Message} original
 * @param {BubblePresses} presses
 */
function quoteOf(original, presses) {
  return element(
    'button',
    {
      class: 'quote column small',
      title: 'Show the message',
      onclick: () => presses.show(original.message_id),
    },
    element('strong', {}, original.from?.first_name ?? 'Message'),
    element('span', { class: 'cut' }, summaryOf(original)),
  )
}

/**
 * A message in one line.
 *
 * @param {Message} message
 */
export function summaryOf(message) {
  return (
    message.text ??
    message.caption ??
    message.document?.file_name ??
    message.contact?.first_name ??
    message.sticker?.emoji ??
    kindOf(message)
  )
}

/** @param {Message} message */
function kindOf({ photo, voice, location }) {
  if (photo) return 'Photo'
  if (voice) return 'Voice message'
  return location ? 'Location' : 'Message'
}

/** @param {Message} message */
function originOf(message) {
  const origin = message.forward_origin
  switch (origin?.type) {
    case 'user':
      return origin.sender_user.first_name
    case 'hidden_user':
      return origin.sender_user_name
    case 'chat':
      return origin.sender_chat.title ?? 'a chat'
    case 'channel':
      return origin.chat.title
    default:
      return 'someone'
  }
}
