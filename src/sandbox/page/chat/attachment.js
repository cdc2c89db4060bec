/** @import { Message } from '../../telegram/control/control.ts' */
import { element } from '../common/element.js'
import { icon } from '../common/icons.js'
import { telegram } from './telegram.js'

/**
 * What a message contains besides its text.
 *
 * @param {Message} message
 * @returns {HTMLElement | null}
 */
export function attachmentOf(message) {
  const picture = message.photo?.at(-1)
  if (picture) return pictureOf(picture, message.caption)
  const file = message.document ?? message.video ?? message.audio ?? message.animation
  if (message.sticker)
    return element('div', { class: 'sticker', 'data-testid': 'sticker' }, message.sticker.emoji)
  if (message.voice) return card('voice', 'voice', 'Voice message', `${message.voice.duration} s`)
  if (message.location) {
    const { latitude, longitude } = message.location
    return card('location', 'location', 'Location', `${latitude}, ${longitude}`)
  }
  if (message.contact) return contactOf(message.contact)
  return file ? fileOf(file) : null
}

/** @param {{ first_name: string, last_name?: string, phone_number: string }} contact */
function contactOf({ first_name, last_name = '', phone_number }) {
  return card('contact', 'person', `${first_name} ${last_name}`.trim(), phone_number)
}

/**
 * @param {string} testId
 * @param {'person' | 'voice' | 'location'} iconName
 * @param {string} title
 * @param {string} text
 */
function card(testId, iconName, title, text) {
  return element(
    'div',
    { class: 'file row', 'data-testid': testId },
    element('span', { class: 'file-icon center', 'aria-hidden': 'true' }, icon(iconName)),
    element(
      'span',
      { class: 'column' },
      element('strong', {}, title),
      element('span', { class: 'small muted' }, text),
    ),
  )
}

/**
 * @param {{ file_id: string, width: number, height: number }} picture
 * @param {string | undefined} caption
 */
function pictureOf({ file_id, width, height }, caption) {
  const url = telegram.fileUrl(file_id)
  const image = element('img', { src: url, alt: caption ?? 'Picture', loading: 'lazy' })
  const link = element('a', { class: 'picture', href: url, 'data-testid': 'picture' }, image)
  if (width && height) {
    // The bubble gets the picture's shape before the picture is loaded.
    link.style.setProperty('--shape', String(width / height))
    image.width = width
    image.height = height
  }
  link.addEventListener('click', (event) => {
    event.preventDefault()
    enlarge(url, image.alt)
  })
  return link
}

/**
 * Shows a picture as large as the window allows. A press or Esc closes it.
 *
 * @param {string} url
 * @param {string} alt
 */
function enlarge(url, alt) {
  const dialog = element(
    'dialog',
    { class: 'enlarged', 'aria-label': 'Picture' },
    element('img', { src: url, alt }),
  )
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** @param {{ file_id: string, file_name?: string, file_size?: number }} file */
function fileOf({ file_id, file_name = 'file', file_size }) {
  return element(
    'a',
    { class: 'file row', href: telegram.fileUrl(file_id), download: file_name, 'data-testid': 'file' },
    element('span', { class: 'file-icon center', 'aria-hidden': 'true' }, icon('file')),
    element(
      'span',
      { class: 'column' },
      element('strong', {}, file_name),
      element('span', { class: 'small muted' }, file_size === undefined ? 'Download' : sizeOf(file_size)),
    ),
  )
}

/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
