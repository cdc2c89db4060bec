/** @import { MessageEntity } from 'grammy/types' */
import { element } from '../common/element.js'
import { shownTime } from '../common/time.js'

/**
 * What happens when a part of a text is pressed. Each function gets the pressed part.
 *
 * @typedef {{ command: (text: string) => void, link: (url: string) => void, copy: (text: string) => void }} Presses
 */

/**
 * The nodes for a Telegram text. Entities are offsets in UTF-16 units, as in JavaScript, and may be nested. An
 * entity that overlaps another without being nested in it is cut where the other ends.
 *
 * @param {string} text
 * @param {MessageEntity[]} entities
 * @param {Presses} presses
 * @returns {(Node | string)[]}
 */
export function formatted(text, entities, presses) {
  const inOrder = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length)
  return between(0, text.length, inOrder)

  /**
   * @param {number} from
   * @param {number} to
   * @param {MessageEntity[]} inside
   * @returns {(Node | string)[]}
   */
  function between(from, to, inside) {
    const nodes = []
    let at = from
    let rest = inside
    while (rest.length > 0) {
      const [entity, ...others] = /** @type {[MessageEntity, ...MessageEntity[]]} */ (rest)
      const start = Math.max(at, entity.offset)
      const end = Math.min(to, entity.offset + entity.length)
      const nested = others.filter((other) => other.offset < end)
      rest = others.filter((other) => other.offset >= end)
      if (end <= start) continue
      if (start > at) nodes.push(text.slice(at, start))
      nodes.push(entityNode(entity, text.slice(start, end), between(start, end, nested), presses))
      at = end
    }
    if (at < to) nodes.push(text.slice(at, to))
    return nodes
  }
}

/**
 * @param {MessageEntity} entity
 * @param {string} text
 * @param {(Node | string)[]} content
 * @param {Presses} presses
 * @returns {Node}
 */
function entityNode(entity, text, content, presses) {
  switch (entity.type) {
    case 'bold':
      return element('strong', {}, ...content)
    case 'italic':
      return element('em', {}, ...content)
    case 'underline':
      return element('u', {}, ...content)
    case 'strikethrough':
      return element('s', {}, ...content)
    case 'spoiler':
      return spoiler(content)
    case 'blockquote':
      return element('blockquote', {}, ...content)
    case 'expandable_blockquote':
      return element('blockquote', {}, ...content)
    case 'code':
      return element('code', { class: 'mono', title: 'Copy', onclick: () => presses.copy(text) }, ...content)
    case 'pre':
      return element('pre', {}, element('code', {}, ...content))
    case 'text_link':
      return link(entity.url, content, presses)
    case 'url':
      return link(text, content, presses)
    case 'date_time':
      return dateTime(entity, content)
    case 'bot_command':
      return pressable(content, () => presses.command(text))
    case 'mention':
    case 'hashtag':
    case 'cashtag':
    case 'email':
    case 'phone_number':
    case 'text_mention':
      return element('span', { class: 'entity' }, ...content)
    default:
      return element('span', {}, ...content)
  }
}

/**
 * A time in the reader's own time zone. Without a format the text stays as it is.
 *
 * @param {MessageEntity.DateTimeMessageEntity} entity
 * @param {(Node | string)[]} content
 */
function dateTime({ unix_time, date_time_format }, content) {
  const shown = shownTime(unix_time, date_time_format)
  const attributes = { datetime: new Date(unix_time * 1000).toISOString() }
  return element('time', attributes, ...(shown === null ? content : [shown]))
}

/**
 * @param {string} url
 * @param {(Node | string)[]} content
 * @param {Presses} presses
 */
function link(url, content, presses) {
  const node = pressable(content, () => presses.link(url))
  node.setAttribute('role', 'link')
  node.title = url
  return node
}

/**
 * @param {(Node | string)[]} content
 * @param {() => void} press
 */
function pressable(content, press) {
  return element('button', { class: 'in-text', onclick: press }, ...content)
}

/** @param {(Node | string)[]} content */
function spoiler(content) {
  const node = element('button', { class: 'spoiler', title: 'Show' }, ...content)
  node.addEventListener('click', () => node.classList.add('shown'))
  return node
}
