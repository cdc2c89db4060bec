import type { MessageEntity } from 'grammy/types'
import type { FormattedText } from './html.ts'

type FoundType = 'bot_command' | 'mention' | 'hashtag' | 'url' | 'email' | 'phone_number'

const topLevel = 'com|org|net|info|io|me|app|dev|edu|gov|co|gh|ng|uk|de|fr|eu'
/**
 * Patterns for the parts of a text that Telegram's servers mark automatically. The first pattern that matches is
 * used.
 */
const patterns: [FoundType, RegExp][] = [
  [
    'url',
    /(?<![\p{L}\p{N}_@.])https?:\/\/(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]+(?::\d+)?(?:[/?#][^\s<>"]*)?/giu,
  ],
  ['email', /(?<![\p{L}\p{N}_.+-])[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}/giu],
  [
    'url',
    new RegExp(
      `(?<![\\p{L}\\p{N}_@./-])(?:[a-z0-9-]+\\.)+(?:${topLevel})(?![\\p{L}\\p{N}_-])(?::\\d+)?(?:[/?#][^\\s<>"]*)?`,
      'giu',
    ),
  ],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>])/giu],
  ['mention', /(?<![\p{L}\p{N}_])@[a-z][a-z0-9_]{3,31}(?![\p{L}\p{N}_])/giu],
  ['hashtag', /(?<![\p{L}\p{N}_])#[\p{N}_]*\p{L}[\p{L}\p{N}_]{0,255}/giu],
  ['phone_number', /(?<![\p{L}\p{N}_+])\+\d{7,15}(?!\p{N})/giu],
]
/** Within these types of markup, nothing is marked automatically. */
const opaque = new Set(['code', 'pre', 'text_link', 'text_mention'])

/** Adds the markup for commands, links, mentions and so on that Telegram finds automatically. */
export function withFoundEntities({ text, entities }: FormattedText): FormattedText {
  const taken = entities.filter(({ type }) => opaque.has(type))
  const found: MessageEntity[] = []
  for (const [type, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const entity = { type, offset: match.index, length: lengthOf(type, match[0]) }
      if (!overlaps(entity, [...taken, ...found])) found.push(entity)
    }
  }
  return { text, entities: [...entities, ...found].sort(byPlace) }
}

/** Removes white space at both ends, as Telegram does before it stores a text. */
export function trimmed({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length
  const body = text.trim()
  const moved = entities.flatMap((entity) => {
    const from = Math.max(entity.offset - start, 0)
    const to = Math.min(entity.offset + entity.length - start, body.length)
    return to > from ? [{ ...entity, offset: from, length: to - from }] : []
  })
  return { text: body, entities: moved }
}

/**
 * The length of a found part. Punctuation at the end of a web address is left out, because it belongs to the
 * sentence.
 */
function lengthOf(type: FoundType, found: string): number {
  return type === 'url' ? found.replace(/[.,;:!?'")\]}]+$/, '').length : found.length
}

function overlaps(entity: { offset: number; length: number }, others: MessageEntity[]): boolean {
  const end = entity.offset + entity.length
  return others.some(({ offset, length }) => entity.offset < offset + length && offset < end)
}

function byPlace(a: MessageEntity, b: MessageEntity): number {
  return a.offset - b.offset || b.length - a.length
}
