import type { Phone } from '../../../provider/phone.ts'
import { readPhone } from '../../read-phone.ts'
import type { Problem } from '../../reading-result.ts'
import type { Item } from './item.ts'
import { isGlued, type Token, written } from './token.ts'
import { meaningOf } from './vocabulary.ts'
import { scientificEnd } from './written-number.ts'
import type { TokenLine } from './written-phone.ts'

/** Whether the token at the index consists of letters or digits and touches the token before it. */
export const isGluedAlnum = (tokens: readonly Token[], at: number): boolean =>
  tokens[at] !== undefined && tokens[at]?.kind !== 'mark' && isGlued(tokens, at)

/**
 * The index after letters and digits that touch but make no sense together; null if they make sense or do not touch.
 */
export const mixedEnd = (line: TokenLine, at: number): number | null => {
  const { tokens } = line
  let end = at + 1
  while (isGluedAlnum(tokens, end)) end += 1
  if (end === at + 1 || scientificEnd(tokens, at) !== null) return null
  return makesSense(tokens, at, end) ? null : end
}

const makesSense = (tokens: readonly Token[], at: number, end: number): boolean => {
  if (end - at > 5) return false
  for (let index = at; index < end; index += 1) {
    const token = tokens[index]
    if (token?.kind === 'word' && !mayTouch(tokens, index, index === at, index === end - 1)) return false
  }
  return true
}

const phoneLength = 10

/** Whether a word may touch the digits next to it: `5gb`, `mtn0241234567`, `ghs25`, `2x5`, `0241234567x5`. */
const mayTouch = (tokens: readonly Token[], at: number, isFirst: boolean, isLast: boolean): boolean => {
  const text = tokens[at]?.text ?? ''
  const meaning = meaningOf(text)
  const before = isFirst ? 0 : (tokens[at - 1]?.text.length ?? 0)
  const after = isLast ? 0 : (tokens[at + 1]?.text.length ?? 0)
  switch (meaning?.as) {
    case 'unit':
      return !isFirst && before < 6 && (isLast || after > 8)
    case 'network':
    case 'currency':
      return true
    case 'times':
      return text.length > 1 || ((before < 6 || before === phoneLength) && after < 6)
    case 'label':
    case 'filler':
      return isFirst && text.length > 1
    default:
      return false
  }
}

/** What touching letters and digits may be: a name, a damaged phone, or something unclear. */
export const mixedFault = (line: TokenLine, at: number, end: number): Item => {
  const shown = written(line.tokens, at, end, line.text)
  if (isProduct(line.tokens, at, end)) return { kind: 'name' }
  if (/^\p{L}{3,}\d{1,2}$/u.test(shown) || /^\d{1,2}(?:st|nd|rd|th|am|pm|hrs?)$/i.test(shown))
    return { kind: 'name' }
  const digits = shown.replace(/\D/g, '').length
  if (digits < 6) return { kind: 'fault', problem: { code: 'unclear', written: shown }, isPhone: false }
  const problem: Problem = { code: 'phone_damaged', written: shown, suggestion: likely(shown) }
  return { kind: 'fault', problem, isPhone: true }
}

/**
 * Whether the letters and digits are a product's name, with one digit between letters that are not a unit: `Just4U`,
 * `Data4All`.
 */
const isProduct = (tokens: readonly Token[], at: number, end: number): boolean => {
  const [first, digits, last] = tokens.slice(at, end)
  return (
    end === at + 3 &&
    first?.kind === 'word' &&
    first.text.length > 1 &&
    digits?.text.length === 1 &&
    meaningOf(last?.text ?? '')?.as !== 'unit' &&
    meaningOf(first.text)?.as !== 'times'
  )
}

/** The phone that was probably meant, if letters are read as the digits that they look like. */
const likely = (text: string): Phone | null =>
  readPhone(text.replace(/[oOqQDlLiI|sSzZbB]/g, (letter) => lookalikes[letter.toLowerCase()] ?? letter))
    ?.phone ?? null

const lookalikes: Readonly<Record<string, string>> = {
  o: '0',
  q: '0',
  d: '0',
  l: '1',
  i: '1',
  s: '5',
  z: '2',
  b: '8',
}
