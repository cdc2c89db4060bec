import type { MessageEntity } from 'grammy/types'
import type { Parameters } from '../bot-api/parameters.ts'
import { badRequest } from '../refusal.ts'
import type { MessageContent } from '../world.ts'
import { trimmed, withFoundEntities } from './entities.ts'
import { type FormattedText, parseHtml } from './html.ts'

/** In UTF-16 units after the markup is parsed (https://core.telegram.org/bots/api#sendmessage). */
const maxTextLength = 4096
const maxCaptionLength = 1024

/**
 * The `text` of a call as Telegram stores it.
 * @throws {Refusal} if the text is empty, too long, or has wrong markup
 */
export function readText(parameters: Parameters): FormattedText {
  const written = parameters.text('text')
  if (!written) throw badRequest('message text is empty')
  const text = formatted(parameters, written, 'entities')
  if (!text.text) throw badRequest('text must be non-empty')
  if (text.text.length > maxTextLength) throw badRequest('message is too long')
  return text
}

/**
 * The `caption` of a call, which may be empty.
 * @throws {Refusal} if it is too long or has wrong markup
 */
export function readCaption(parameters: Parameters): FormattedText {
  const caption = formatted(parameters, parameters.text('caption'), 'caption_entities')
  if (caption.text.length > maxCaptionLength) throw badRequest('message caption is too long')
  return caption
}

function formatted(parameters: Parameters, written: string, entitiesField: string): FormattedText {
  return withFoundEntities(trimmed(parsed(parameters, written, entitiesField)))
}

function parsed(parameters: Parameters, written: string, entitiesField: string): FormattedText {
  switch (parameters.text('parse_mode').toLowerCase()) {
    case '':
    case 'none':
      return { text: written, entities: givenEntities(parameters, entitiesField) }
    case 'html':
      return parseHtml(written)
    case 'markdown':
    case 'markdownv2':
      throw badRequest('the simulated Telegram reads HTML only, not Markdown')
    default:
      throw badRequest('unsupported parse_mode')
  }
}

function givenEntities(parameters: Parameters, field: string): MessageEntity[] {
  const value = parameters.json(field)
  if (value === undefined) return []
  if (!Array.isArray(value)) throw badRequest("can't parse entities: expected an Array of Objects")
  return value.filter(isEntity)
}

function isEntity(value: unknown): value is MessageEntity {
  if (typeof value !== 'object' || value === null) return false
  const { type, offset, length } = { type: '', offset: -1, length: 0, ...value }
  return typeof type === 'string' && type !== '' && offset >= 0 && length > 0
}

export function textContent({ text, entities }: FormattedText): MessageContent {
  return entities.length > 0 ? { text, entities } : { text }
}

export function captionContent({ text, entities }: FormattedText): MessageContent {
  if (!text) return {}
  return entities.length > 0 ? { caption: text, caption_entities: entities } : { caption: text }
}
