/** @import { Message } from '../telegram/control.ts' */
import { element } from './element.js'
import { icon } from './icons.js'
import { telegram } from './telegram.js'

/**
 * The picture or file of a message.
 *
 * @param {Message} message
 * @returns {HTMLElement | null}
 */
export function attachmentOf(message) {
  const picture = message.photo?.at(-1)
  if (picture) return pictureOf(picture, message.caption)
  const file = message.document ?? message.video ?? message.audio ?? message.voice ?? message.animation
  return file ? fileOf(file) : null
}

/**
 * @param {{ file_id: string, width: number, height: number }} picture
 * @param {string | undefined} caption
 */
function pictureOf({ file_id, width, height }, caption) {
  const url = telegram.fileUrl(file_id)
  const image = element('img', { src: url, alt: caption ?? 'Picture', loading: 'lazy' })
  if (width && height) {
    image.width = width
    image.height = height
  }
  return element('a', { class: 'picture', href: url, target: '_blank', rel: 'noreferrer' }, image)
}

/** @param {{ file_id: string, file_name?: string, file_size?: number }} file */
function fileOf({ file_id, file_name = 'file', file_size }) {
  return element(
    'a',
    { class: 'file', href: telegram.fileUrl(file_id), download: file_name, 'data-testid': 'file' },
    element('span', { class: 'file-icon', 'aria-hidden': 'true' }, icon('file')),
    element(
      'span',
      { class: 'file-text' },
      element('span', { class: 'file-name' }, file_name),
      element('span', { class: 'file-size' }, file_size === undefined ? 'Download' : sizeOf(file_size)),
    ),
  )
}

/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
