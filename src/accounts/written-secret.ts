/**
 * Finds credentials in people's texts. The provider's document does not define what a key looks like (API §5). So a
 * word counts as a credential if it is the person's own, if the text calls it one, or if it is long and random.
 */

/** Whether the text contains that credential, in upper or lower case, even if line breaks split it. */
export const holdsCredential = (text: string, credential: string): boolean => {
  // A short credential counts only as a whole word, because it may be part of another word by chance.
  if (credential.length < minPartLength) return wordsOf(text).some((word) => word === credential)
  const sought = compact(credential)
  let end = ''
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = end + compact(text.slice(at, at + pieceLength))
    if (piece.includes(sought)) return true
    end = piece.slice(Math.max(0, piece.length - sought.length + 1))
  }
  return false
}

export const looksLikeSecret = (text: string): boolean => {
  const visible = withoutInvisible(text)
  return isNamed(visible) || wordsOf(visible.replace(address, ' ')).some(isSecretWord)
}

/**
 * The words of a text that could be a credential, without punctuation. A generator, because a file may have a million
 * words. A repeated word is yielded once, except in very long texts.
 */
export function* wordsOf(text: string): Generator<string> {
  const given = new Set<string>()
  for (const [word] of withoutInvisible(text).matchAll(words)) {
    if (given.has(word)) continue
    if (given.size === maxRemembered) given.clear()
    given.add(word)
    yield word
  }
}

const minPartLength = 8
/** The length of the pieces in which texts are compared. A lower-case copy of a whole file would double the memory. */
const pieceLength = 16_384
const maxRemembered = 10_000
const words = /[^\s"'`“”‘’<>()[\]{},;:=|]+/gu

/** Zero-width characters, which get into text that is copied from some web pages. */
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu
const withoutInvisible = (text: string): string => text.replace(invisible, '')
const compact = (text: string): string => withoutInvisible(text).replace(/\s+/gu, '').toLowerCase()

/** Links, which are left out of the search, because links to this bot contain long random words. */
const address = /(?:https?:\/\/|(?:t|telegram)\.me\/)\S+/giu

const named = [
  /\bapi[-_ ]?(?:key|secret)\b["']?\s*(?:is\b|[:=])?\s*["'`“]?([\x21-\x7e]{8,})/giu,
  /\b(?:key|secret|token|password)\b["']?\s*[:=]\s*["'`“]?([\x21-\x7e]{8,})/giu,
]

const isNamed = (text: string): boolean =>
  named.some((pattern) => [...text.matchAll(pattern)].some(([, value = '']) => isMixed(value)))

const isMixed = (value: string): boolean =>
  !phone.test(value) && ((/\d/.test(value) && /[a-z]/i.test(value)) || /[a-z][A-Z]/.test(value))

const phone = /(?:\+?233|0)\d{9}/
const kind = /(?:^|[-_.])(?:key|secret|token)(?:[-_.]|$)/i
const minLengthOfKind = 12
const minRandomLength = 20

const isSecretWord = (word: string): boolean => {
  if (word.startsWith('@') || /@.+\.[a-z]+$/i.test(word) || /^BUD-(?:API|BULK)-/i.test(word)) return false
  if (!/^[\x21-\x7e]{1,512}$/.test(word)) return false
  return (kind.test(word) && word.length >= minLengthOfKind) || isRandom(withoutOrders(word))
}

/** Drops phone numbers and bundle sizes, as in `0241234567-5GB/0551234567-2GB`. */
const withoutOrders = (word: string): string =>
  phone.test(word)
    ? word.replace(new RegExp(phone, 'g'), '').replace(/\d+(?:\.\d+)?(?:gb|mb|g|m)(?![a-z])/gi, '')
    : word

/**
 * The fewest changes between small letters, capitals and digits in a random word. Of 100 words of 24 random letters and
 * digits, 98 have at least this many; names and sizes have fewer.
 */
const minChanges = 4

const isRandom = (word: string): boolean =>
  word.length >= minRandomLength && /\d/.test(word) && changesIn(word) >= minChanges

type Kind = 'lower' | 'upper' | 'digit' | 'sign'

const kindOf = (character: string): Kind => {
  if (/[a-z]/.test(character)) return 'lower'
  if (/[A-Z]/.test(character)) return 'upper'
  return /\d/.test(character) ? 'digit' : 'sign'
}

/**
 * How often a word changes between small letters, capitals and digits. The change after the initial capital of a name
 * does not count.
 */
const changesIn = (word: string): number => {
  const kinds = [...word].map(kindOf)
  return kinds.filter((now, at) => {
    const before = kinds[at - 1] ?? 'sign'
    if (now === 'sign' || before === 'sign' || now === before) return false
    const isName = before === 'upper' && now === 'lower' && (kinds[at - 2] ?? 'sign') === 'sign'
    return !isName
  }).length
}
