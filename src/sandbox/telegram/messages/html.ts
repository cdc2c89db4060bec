import type { MessageEntity } from 'grammy/types'
import { badRequest } from '../refusal.ts'

/** A text as Telegram stores it: plain text and the positions of its markup, in UTF-16 units. */
export interface FormattedText {
  text: string
  entities: MessageEntity[]
}

interface OpenTag {
  name: string
  /**
   * The value of the only attribute of this tag that matters: an address, a language, `1` for expandable, or a time
   * in seconds.
   */
  argument: string
  /** The format in which a time is shown. */
  format: string
  offset: number
}

const knownTags = new Set(
  'a b strong i em s strike del u ins tg-spoiler tg-emoji tg-time span pre code blockquote'.split(' '),
)
const namedReferences = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"' }))
const simpleTypes: Record<string, 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler'> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
}

/**
 * Parses Telegram's HTML mode (https://core.telegram.org/bots/api#html-style). Tags must be closed in order.
 *
 * @throws {Refusal} `can't parse entities: …`, with the byte offset of the wrong tag
 */
export function parseHtml(html: string): FormattedText {
  return new HtmlReader(html).read()
}

const isSpace = (character: string) => /^\s$/.test(character)

class HtmlReader {
  #html: string
  #at = 0
  #text = ''
  #open: OpenTag[] = []
  #entities: MessageEntity[] = []
  /** The language of the last `<code class="language-…">`. A `<pre>` with nothing but that code gets the language. */
  #innerLanguage = ''

  constructor(html: string) {
    this.#html = html
  }

  read(): FormattedText {
    while (this.#at < this.#html.length) this.#readOne()
    const unclosed = this.#open.at(-1)
    if (unclosed) throw unparsable(`Can't find end tag corresponding to start tag "${unclosed.name}"`)
    return { text: this.#text, entities: this.#entities }
  }

  #readOne(): void {
    const character = this.#here()
    if (character === '&') this.#text += this.#reference()
    else if (character !== '<') this.#text += this.#step()
    else if (this.#html[this.#at + 1] === '/') this.#endTag()
    else this.#startTag()
  }

  #here(): string {
    return this.#html[this.#at] ?? ''
  }

  #step(): string {
    return this.#html[this.#at++] ?? ''
  }

  #ended(): boolean {
    return this.#at >= this.#html.length
  }

  #takeWhile(test: (character: string) => boolean): string {
    const start = this.#at
    while (!this.#ended() && test(this.#here())) this.#at += 1
    return this.#html.slice(start, this.#at)
  }

  /** Reads `&lt;`, `&#60;` and `&#x3c;`. Any other ampersand is plain text. */
  #reference(): string {
    const [whole, body = ''] = /^&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]+);?/i.exec(this.#html.slice(this.#at)) ?? []
    const character = characterOf(body)
    if (!whole || !character) return this.#step()
    this.#at += whole.length
    return character
  }

  #startTag(): void {
    const begin = this.#at
    this.#at += 1
    const name = this.#takeWhile((c) => !isSpace(c) && c !== '>').toLowerCase()
    if (this.#ended()) throw unparsable(`Unclosed start tag at byte offset ${this.#bytes(begin)}`)
    if (!knownTags.has(name)) {
      throw unparsable(`Unsupported start tag "${name}" at byte offset ${this.#bytes(begin)}`)
    }
    const { argument, format } = this.#attributes(name, begin)
    if (name === 'span' && argument !== 'spoiler') {
      throw unparsable(`Tag "span" must have class "tg-spoiler" at byte offset ${this.#bytes(begin)}`)
    }
    if (name === 'tg-time' && !isTime(argument, format)) {
      throw unparsable(`Tag "tg-time" must have a valid time and format at byte offset ${this.#bytes(begin)}`)
    }
    this.#open.push({ name, argument, format, offset: this.#text.length })
  }

  /** Reads the attributes of a start tag, including the `>` at its end. */
  #attributes(tag: string, begin: number): { argument: string; format: string } {
    let argument = ''
    let format = ''
    for (;;) {
      this.#takeWhile(isSpace)
      if (this.#ended()) throw this.#unclosed(tag, begin)
      if (this.#here() === '>') break
      const name = this.#takeWhile((c) => !isSpace(c) && c !== '=' && c !== '>').toLowerCase()
      if (!name) {
        throw unparsable(`Empty attribute name in the tag "${tag}" at byte offset ${this.#bytes(begin)}`)
      }
      const value = this.#attributeValue(tag, begin)
      argument = argumentOf(tag, name, value) ?? argument
      if (tag === 'tg-time' && name === 'format') format = value
    }
    this.#at += 1
    return { argument, format }
  }

  #attributeValue(tag: string, begin: number): string {
    this.#takeWhile(isSpace)
    if (this.#here() !== '=') return ''
    this.#at += 1
    this.#takeWhile(isSpace)
    if (this.#ended()) throw this.#unclosed(tag, begin)
    const quote = this.#here()
    return quote === '"' || quote === "'" ? this.#quoted(quote, tag, begin) : this.#nameToken()
  }

  #quoted(quote: string, tag: string, begin: number): string {
    this.#at += 1
    let value = ''
    while (!this.#ended() && this.#here() !== quote) {
      value += this.#here() === '&' ? this.#reference() : this.#step()
    }
    if (this.#ended()) throw this.#unclosed(tag, begin)
    this.#at += 1
    return value
  }

  #nameToken(): string {
    const begin = this.#at
    const token = this.#takeWhile((c) => /[a-z0-9.-]/i.test(c))
    if (!isSpace(this.#here()) && this.#here() !== '>') {
      throw unparsable(`Unexpected end of name token at byte offset ${this.#bytes(begin)}`)
    }
    return token.toLowerCase()
  }

  #endTag(): void {
    const begin = this.#at
    const open = this.#open.at(-1)
    if (!open) throw unparsable(`Unexpected end tag at byte offset ${this.#bytes(begin)}`)
    this.#at += 2
    const name = this.#takeWhile((c) => !isSpace(c) && c !== '>').toLowerCase()
    this.#takeWhile(isSpace)
    if (this.#here() !== '>') throw unparsable(`Unclosed end tag at byte offset ${this.#bytes(begin)}`)
    this.#at += 1
    if (name && name !== open.name) {
      throw unparsable(
        `Unmatched end tag at byte offset ${this.#bytes(begin)}, expected "</${open.name}>", found "</${name}>"`,
      )
    }
    this.#open.pop()
    this.#close(open)
  }

  #close(tag: OpenTag): void {
    const length = this.#text.length - tag.offset
    if (length === 0) return
    const place = { offset: tag.offset, length }
    const simple = simpleTypes[tag.name]
    if (simple) this.#entities.push({ type: simple, ...place })
    else if (tag.name === 'a') this.#link(tag, place)
    else if (tag.name === 'pre' || tag.name === 'code') this.#code(tag, place)
    else if (tag.name === 'tg-time') this.#time(tag, place)
    else if (tag.name === 'blockquote') {
      this.#entities.push({ type: tag.argument ? 'expandable_blockquote' : 'blockquote', ...place })
    }
  }

  /** Adds a link. If Telegram cannot open the address, the text stays plain, without an error. */
  #link(tag: OpenTag, place: { offset: number; length: number }): void {
    const url = linkTarget(tag.argument || this.#text.slice(tag.offset))
    if (url) this.#entities.push({ type: 'text_link', url, ...place })
  }

  #code(tag: OpenTag, place: { offset: number; length: number }): void {
    if (tag.name === 'code') {
      this.#entities.push({ type: 'code', ...place })
      this.#innerLanguage = tag.argument
      return
    }
    const inner = this.#entities.at(-1)
    const isWhole = inner?.type === 'code' && inner.offset === place.offset && inner.length === place.length
    if (isWhole) this.#entities.pop()
    const language = isWhole && this.#innerLanguage ? { language: this.#innerLanguage } : {}
    this.#entities.push({ type: 'pre', ...place, ...language })
  }

  /** Marks a time in the text, except in code. */
  #time(tag: OpenTag, place: { offset: number; length: number }): void {
    const unix_time = Number(tag.argument)
    const isInCode = this.#open.some(({ name }) => name === 'code' || name === 'pre')
    if (isInCode || !isTimeFormat(tag.format)) return
    this.#entities.push({ type: 'date_time', ...place, unix_time, date_time_format: tag.format })
  }

  #unclosed(tag: string, begin: number) {
    return unparsable(`Unclosed start tag "${tag}" at byte offset ${this.#bytes(begin)}`)
  }

  #bytes(position: number): number {
    return Buffer.byteLength(this.#html.slice(0, position))
  }
}

type TimeFormat = MessageEntity.DateTimeMessageEntity['date_time_format']

const isTimeFormat = (format: string): format is TimeFormat => /^(r|w?[dD]?[tT]?)$/.test(format)

const isTime = (seconds: string, format: string): boolean =>
  /^\d{1,10}$/.test(seconds) && isTimeFormat(format)

const unparsable = (what: string) => badRequest(`can't parse entities: ${what}`)

function characterOf(reference: string): string | undefined {
  if (!reference.startsWith('#')) return namedReferences.get(reference)
  const hex = /^#x/i.test(reference)
  const code = Number.parseInt(reference.slice(hex ? 2 : 1), hex ? 16 : 10)
  return code > 0 && code < 0x10ffff ? String.fromCodePoint(code) : undefined
}

function argumentOf(tag: string, attribute: string, value: string): string | undefined {
  if (tag === 'a' && attribute === 'href') return value
  if (tag === 'code' && attribute === 'class' && value.startsWith('language-')) return value.slice(9)
  if (tag === 'span' && attribute === 'class' && value.startsWith('tg-')) return value.slice(3)
  if (tag === 'blockquote' && attribute === 'expandable') return '1'
  if (tag === 'tg-time' && attribute === 'unix') return value
  return undefined
}

/** The address as Telegram stores it; undefined if Telegram would not make it a link. */
export function linkTarget(written: string): string | undefined {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/?\/?/i.test(written) ? written : `http://${written}`
  if (!URL.canParse(withScheme)) return undefined
  const url = new URL(withScheme)
  if (url.protocol === 'tg:' || url.protocol === 'mailto:' || url.protocol === 'tel:') return written
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  return url.hostname.includes('.') ? url.href : undefined
}
