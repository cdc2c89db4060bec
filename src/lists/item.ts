import { type Pesewas, pesewasFromGhs } from '../provider/money.ts'
import type { Network } from '../provider/network.ts'
import type { Phone } from '../provider/phone.ts'
import { readPhone } from './phone.ts'
import { struck, turned } from './plain.ts'
import type { Problem } from './reading.ts'
import type { Size } from './size.ts'
import { isGlued, type Token, tokensOf, written } from './token.ts'
import { type Meaning, meaningOf } from './vocabulary.ts'
import { numberAt, scientificEnd } from './written-number.ts'
import { type Line, phoneAt } from './written-phone.ts'

/** What stands on a line, one thing after another. What is read past is left out. */
export type Item =
  | { kind: 'phone'; phone: Phone; zeroRestored: boolean }
  | SizeItem
  /** `isSure` is false for an `at` that may be the English word. */
  | { kind: 'network'; network: Network; isSure: boolean; written: string }
  /** `isBetween`: a bare number stands on its other side, so that its currency may belong to that. */
  | { kind: 'amount'; pesewas: Pesewas; isBetween: boolean; written: string }
  /** `isPhone`: it is what became of a number. */
  | { kind: 'fault'; problem: Problem; isPhone: boolean }
  | { kind: 'doubt'; written: string; isStrong: boolean }
  /** A unit without a number before it: the head of a column. */
  | { kind: 'unit'; unit: Size['unit'] }
  | { kind: 'share' }
  | { kind: 'total' }
  | { kind: 'name' }

export interface SizeItem {
  kind: 'size'
  size: Size
  /** A number alone may also be an amount, or number the line. */
  hasUnit: boolean
  written: string
  /** The sign behind it, which parts a heading or a number of a line from what follows. */
  mark: string
  touchesMark: boolean
}

/** Reads a plain line. Each step takes at least one token, and looks at a few more at most. */
export const itemsOf = (text: string): Item[] => {
  const line: Line = { text, tokens: tokensOf(text) }
  const items: Item[] = []
  let at = numberingEnd(line)
  while (at < line.tokens.length) at = step(line, at, items)
  if (isStruck(line)) items.push({ kind: 'doubt', written: '~', isStrong: false })
  return items
}

/** Takes what begins at a token, and returns where the next thing begins. */
const step = (line: Line, at: number, items: Item[]): number => {
  const token = line.tokens[at]
  if (token?.kind === 'mark') return markAt(line, at, items)
  const mixed = mixedEnd(line, at)
  if (mixed !== null) {
    items.push(mixedFault(line, at, mixed))
    return mixed
  }
  return token?.kind === 'digits' ? digitsAt(line, at, items) : wordAt(line, at, items)
}

// ── Numbering ─────────────────────────────────────────────────────────────────────────────────────────────

/** Where the line begins behind `1.`, `1)`, `(1)`, `[1]`, `#1`. `1-` and `1:` may be sizes: see `numbering.ts`. */
const numberingEnd = ({ tokens }: Line): number => {
  const [first, second, third] = tokens
  if (first?.kind === 'digits' && isCount(first)) return isNumberingMark(tokens) ? 2 : 0
  if (first?.text === '#' && second?.kind === 'digits' && isCount(second)) return numberedRest(tokens, 2)
  const closes = first?.text === '(' ? ')' : first?.text === '[' ? ']' : null
  const isBracketed =
    closes !== null && third?.text === closes && second?.kind === 'digits' && isCount(second)
  return isBracketed ? numberedRest(tokens, 3) : 0
}

const isCount = ({ text }: Token): boolean => text.length < 6 && text !== '0' && !/^0[25]/.test(text)

const isNumberingMark = (tokens: readonly Token[]): boolean => {
  const [, mark, next] = tokens
  if (!mark || !next || !isGlued(tokens, 1)) return false
  if (mark.text === ')' || mark.text === ']') return true
  return mark.text === '.' && (!isGlued(tokens, 2) || next.kind !== 'digits' || /^0[25]\d/.test(next.text))
}

/** A number in brackets alone on its line numbers nothing. */
const numberedRest = (tokens: readonly Token[], end: number): number => {
  const next = tokens[end]
  if (!next) return 0
  return (next.text === '.' || next.text === ')' || next.text === ':') && tokens[end + 1] ? end + 1 : end
}

// ── Digits ────────────────────────────────────────────────────────────────────────────────────────────────

const digitsAt = (line: Line, at: number, items: Item[]): number => {
  const scientific = scientificEnd(line.tokens, at)
  if (scientific !== null) {
    const problem: Problem = { code: 'scientific', written: written(line.tokens, at, scientific, line.text) }
    items.push({ kind: 'fault', problem, isPhone: true })
    return scientific
  }
  const masked = maskedEnd(line.tokens, at)
  if (masked !== null) return damaged(line, at, masked, items)
  const number = numberAt(line, at)
  if (number.kind === 'moment') return number.next
  const phone = phoneAt(line, at)
  const tail = tailEnd(line, at, phone?.next ?? number.next)
  if (tail !== null) return damaged(line, at, tail, items)
  if (phone?.kind === 'phone') return phoneItem(line, phone, items)
  if (phone) {
    items.push({ kind: 'fault', problem: phone.problem, isPhone: true })
    return phone.next
  }
  if (number.kind === 'fault') {
    items.push({ kind: 'fault', problem: number.problem, isPhone: false })
    return number.next
  }
  return sizeOrAmount(line, at, number.text, number.next, items)
}

/** `024 123 456O`, `2.5gbx`: letters touch the last of several groups and make no sense there. */
const tailEnd = (line: Line, at: number, next: number): number | null =>
  next > at + 1 && isGluedAlnum(line.tokens, next) ? mixedEnd(line, next - 1) : null

const phoneItem = (
  line: Line,
  { phone, zeroRestored, next }: { phone: Phone; zeroRestored: boolean; next: number },
  items: Item[],
): number => {
  items.push({ kind: 'phone', phone, zeroRestored })
  if (!isSecondEnding(line.tokens, next)) return next
  items.push({
    kind: 'fault',
    problem: { code: 'unclear', written: `/${line.tokens[next + 1]?.text}` },
    isPhone: false,
  })
  return next + 2
}

/** `0241234567/8` may be two numbers, that end with 7 and 8. */
const isSecondEnding = (tokens: readonly Token[], next: number): boolean =>
  tokens[next]?.text === '/' &&
  isGlued(tokens, next) &&
  isGlued(tokens, next + 1) &&
  tokens[next + 1]?.kind === 'digits' &&
  (tokens[next + 1]?.text.length ?? 0) < 4 &&
  !(tokens[next + 2]?.kind === 'word' && isGlued(tokens, next + 2))

/** `024•••4567`, `024***4567`. */
const maskedEnd = (tokens: readonly Token[], at: number): number | null => {
  let end = at + 1
  while (end < at + 9 && '•●*_#?…·'.includes(tokens[end]?.text ?? ' ') && isGlued(tokens, end)) end += 1
  const isMasked =
    tokens[end]?.kind === 'digits' &&
    isGlued(tokens, end) &&
    end > at + (tokens[at + 1]?.text === '…' ? 1 : 2)
  return isMasked ? end + 1 : null
}

const damaged = (line: Line, at: number, end: number, items: Item[]): number => {
  const problem: Problem = {
    code: 'phone_damaged',
    written: written(line.tokens, at, end, line.text),
    suggestion: null,
  }
  items.push({ kind: 'fault', problem, isPhone: true })
  return end
}

/** A number that is no phone: an amount beside a currency, part of a multiplication, or a size. */
const sizeOrAmount = (line: Line, at: number, text: string, next: number, items: Item[]): number => {
  const after = line.tokens[next]
  const meaning = after?.kind === 'word' ? meaningOf(after.text) : null
  if (isTimes(line, next, meaning)) return several(line, at, next + 1, items)
  if (meaning?.as === 'unit') return sizeItem(line, at, text, meaning.unit, next + 1, items)
  if (meaning?.as === 'duration') return next + 1
  if (meaning?.as === 'people' || (meaning?.as === 'label' && meaning.role === 'phone'))
    return people(line, at, next, items)
  if (isCurrency(after, meaning) && !opensAmount(line, next, meaning)) {
    items.push(amountItem(text, false))
    return next + 1
  }
  return sizeItem(line, at, text, null, next, items)
}

const sizeItem = (
  line: Line,
  at: number,
  text: string,
  unit: Size['unit'] | null,
  next: number,
  items: Item[],
): number => {
  if (isTimes(line, next, meaningOf(line.tokens[next]?.text ?? ''))) return several(line, at, next + 1, items)
  const mark = line.tokens[next]?.kind === 'mark' ? (line.tokens[next]?.text ?? '') : ''
  const last = items.at(-1)
  const before = last?.kind === 'unit' ? last.unit : null
  if (before !== null) items.pop()
  items.push({
    kind: 'size',
    size: { amount: Number(text), unit: unit ?? before ?? 'GB' },
    hasUnit: (unit ?? before) !== null,
    written: written(line.tokens, at, next, line.text),
    mark,
    touchesMark: mark !== '' && isGlued(line.tokens, next),
  })
  return next
}

/** `12 numbers` counts people where no number follows; beside one it may be several orders. */
const people = (line: Line, at: number, next: number, items: Item[]): number => {
  const isHeading = !items.some(({ kind }) => kind === 'phone')
  if (isHeading && line.tokens.slice(next + 1, next + 4).every(({ kind }) => kind !== 'digits'))
    return next + 1
  return several(line, at, next + 1, items)
}

/** `x`, `×`, or a star between two numbers. */
const isTimes = ({ tokens }: Line, at: number, meaning: Meaning | null): boolean => {
  const token = tokens[at]
  if (token?.kind === 'word') return meaning?.as === 'times'
  if (token?.text === '×' || token?.text === '✕' || token?.text === '✖') return true
  return (
    token?.text === '*' && tokens[at + 1]?.kind === 'digits' && isGlued(tokens, at) && isGlued(tokens, at + 1)
  )
}

/** `2x5gb`, `x3`, `5gb x 2`: taken with the numbers on both sides. */
const several = (line: Line, from: number, at: number, items: Item[]): number => {
  let end = at
  if (line.tokens[end]?.kind === 'digits' && phoneAt(line, end) === null) {
    end += 1
    if (line.tokens[end]?.kind === 'word' && meaningOf(line.tokens[end]?.text ?? '')?.as === 'unit') end += 1
  }
  const problem: Problem = { code: 'several_times', written: written(line.tokens, from, end, line.text) }
  items.push({ kind: 'fault', problem, isPhone: false })
  return end
}

// ── Amounts ───────────────────────────────────────────────────────────────────────────────────────────────

const isCurrency = (token: Token | undefined, meaning: Meaning | null): boolean =>
  meaning?.as === 'currency' || token?.text === '₵' || token?.text === '¢'

/** The currency at the index belongs to the number behind it. */
const opensAmount = (line: Line, at: number, meaning: Meaning | null): boolean => {
  if (isGlued(line.tokens, at) && !isGlued(line.tokens, at + 1)) return false
  return (meaning?.as !== 'currency' || meaning.before) && amountAfter(line, at) !== null
}

/** `GHS 1,234.50`, `₵25`, `GH₵ 25`: the amount behind the currency at the index. */
const amountAfter = (line: Line, at: number): { text: string; next: number } | null => {
  const { tokens } = line
  let index = at + 1
  while (index < at + 3 && ('₵¢.:'.includes(tokens[index]?.text ?? ' ') || isCedi(tokens[index]))) index += 1
  if (tokens[index]?.kind !== 'digits') return null
  let whole = tokens[index]?.text ?? ''
  if (whole.length > 6 || phoneAt(line, index)) return null
  while (tokens[index + 1]?.text === ',' && isThousands(tokens, index + 2)) {
    whole += tokens[index + 2]?.text
    index += 2
  }
  const hasCents =
    tokens[index + 1]?.text === '.' && tokens[index + 2]?.kind === 'digits' && isGlued(tokens, index + 2)
  const next = hasCents ? index + 3 : index + 1
  const unit = tokens[next]?.kind === 'word' ? meaningOf(tokens[next]?.text ?? '') : null
  if (unit?.as === 'unit' || whole.length > 12) return null
  return { text: hasCents ? `${whole}.${tokens[index + 2]?.text.slice(0, 4)}` : whole, next }
}

const isCedi = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^(?:cedis?|c)$/i.test(token.text)

const isThousands = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'digits' &&
  tokens[at]?.text.length === 3 &&
  isGlued(tokens, at) &&
  isGlued(tokens, at - 1)

const amountItem = (text: string, isBetween: boolean): Item => {
  const pesewas = pesewasFromGhs(text)
  return pesewas === null
    ? { kind: 'fault', problem: { code: 'unclear', written: text }, isPhone: false }
    : { kind: 'amount', pesewas, isBetween, written: text }
}

const currencyAt = (line: Line, at: number, meaning: Meaning | null, items: Item[]): number => {
  const amount = meaning?.as === 'currency' && !meaning.before ? null : amountAfter(line, at)
  if (!amount) return at + 1
  const last = items.at(-1)
  items.push(amountItem(amount.text, last?.kind === 'size' && !last.hasUnit && !isGlued(line.tokens, at + 1)))
  return amount.next
}

// ── Words and signs ───────────────────────────────────────────────────────────────────────────────────────

const wordAt = (line: Line, at: number, items: Item[]): number => {
  const text = line.tokens[at]?.text ?? ''
  const meaning = meaningOf(text)
  switch (meaning?.as) {
    case undefined:
      return nameAt(line, at, items)
    case 'network':
      return networkAt(line, at, meaning.network, items)
    case 'currency':
      return currencyAt(line, at, meaning, items)
    case 'unit':
      items.push({ kind: 'unit', unit: meaning.unit })
      return at + 1
    case 'times':
      return several(line, at, at + 1, items)
    case 'doubt':
      items.push({ kind: 'doubt', written: text, isStrong: meaning.strong })
      return at + 1
    case 'share':
    case 'total':
      items.push({ kind: meaning.as })
      return at + 1
    case 'label':
    case 'filler':
    case 'people':
    case 'duration':
      return at + 1
  }
}

const nameAt = (line: Line, at: number, items: Item[]): number => {
  const text = line.tokens[at]?.text.toLowerCase() ?? ''
  const next = line.tokens[at + 1]?.text === '-' || line.tokens[at + 1]?.text === '_' ? at + 2 : at + 1
  if (text === 'big' && line.tokens[next]?.text.toLowerCase() === 'time')
    return networkAt(line, next, 'BigTime', items)
  if (text === 't' && /^['’]$/.test(line.tokens[at - 1]?.text ?? '')) {
    items.push({ kind: 'doubt', written: 'n’t', isStrong: true })
    return at + 1
  }
  items.push({ kind: 'name' })
  return at + 1
}

/** `at` before a time or an amount is no network; `AT BigTime` is one network. */
const networkAt = (line: Line, at: number, network: Network, items: Item[]): number => {
  const text = line.tokens[at]?.text ?? ''
  const isSure = text === 'AT' || text.toLowerCase() !== 'at'
  if (!isSure && isPreposition(line, at + 1)) return at + 1
  const last = items.at(-1)
  if (last?.kind === 'network' && last.network === 'AirtelTigo' && network === 'BigTime') items.pop()
  items.push({ kind: 'network', network, isSure, written: text })
  return at + 1
}

const isPreposition = (line: Line, at: number): boolean => {
  const token = line.tokens[at]
  if (token?.kind === 'digits') return numberAt(line, at).kind === 'moment'
  return isCurrency(token, token?.kind === 'word' ? meaningOf(token.text) : null)
}

const markAt = (line: Line, at: number, items: Item[]): number => {
  const text = line.tokens[at]?.text ?? ''
  if (text === '.' && opensDecimal(line.tokens, at)) {
    const problem: Problem = { code: 'unclear', written: written(line.tokens, at, at + 2, line.text) }
    items.push({ kind: 'fault', problem, isPhone: false })
    return at + 2
  }
  if (text === '₵' || text === '¢' || text === '€' || text === '$') return currencyAt(line, at, null, items)
  if (refusing.has(text) || text === turned || text === struck)
    items.push({ kind: 'doubt', written: text, isStrong: false })
  else if (isTimes(line, at, null)) return several(line, at, at + 1, items)
  else if (oddNumber.test(text)) return oddAt(line, at, items)
  return at + 1
}

/** `.5gb` is no 5GB. */
const opensDecimal = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.kind === 'digits' &&
  (tokens[at + 1]?.text.length ?? 0) < 4 &&
  isGlued(tokens, at + 1) &&
  !isGlued(tokens, at)

const refusing = new Set(['❌', '🚫', '⛔', '✗', '✘', '❎', '🛑'])
const oddNumber = /^\p{No}$/u

/** `①` in front numbers the line; `½gb` and `024123456²` are nothing that can be read. */
const oddAt = (line: Line, at: number, items: Item[]): number => {
  if (at === 0 && !isGluedAlnum(line.tokens, 1)) return at + 1
  if (at === 0 && line.tokens[1]?.kind === 'digits' && line.tokens[1].text.length > 8) return at + 1
  items.push({
    kind: 'fault',
    problem: { code: 'unclear', written: line.tokens[at]?.text ?? '' },
    isPhone: false,
  })
  return at + 1
}

/** `~0241234567 5gb~` was struck out in a chat. */
const isStruck = ({ tokens }: Line): boolean => {
  let count = 0
  for (const { text } of tokens) if (text === '~') count += 1
  return count > 1
}

// ── Letters and digits without a space between ────────────────────────────────────────────────────────────

const isGluedAlnum = (tokens: readonly Token[], at: number): boolean =>
  tokens[at] !== undefined && tokens[at]?.kind !== 'mark' && isGlued(tokens, at)

/** Where letters and digits end that make no sense together; null where they do, or where there are none. */
const mixedEnd = (line: Line, at: number): number | null => {
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

/** A word that may touch the digits beside it: `5gb`, `mtn0241234567`, `ghs25`, `2x5`. */
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
      return text.length > 1 || (before < 6 && after < 6)
    case 'label':
    case 'filler':
      return isFirst && text.length > 1
    default:
      return false
  }
}

const mixedFault = (line: Line, at: number, end: number): Item => {
  const shown = written(line.tokens, at, end, line.text)
  if (/^\p{L}{3,}\d{1,2}$/u.test(shown) || /^\d{1,2}(?:st|nd|rd|th|am|pm|hrs?)$/i.test(shown))
    return { kind: 'name' }
  const digits = shown.replace(/\D/g, '').length
  if (digits < 6) return { kind: 'fault', problem: { code: 'unclear', written: shown }, isPhone: false }
  const problem: Problem = { code: 'phone_damaged', written: shown, suggestion: likely(shown) }
  return { kind: 'fault', problem, isPhone: true }
}

/** The number that was meant where letters stand for the digits that they look like. */
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
