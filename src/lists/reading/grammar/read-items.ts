import type { Network } from '../../../provider/network.ts'
import type { Phone } from '../../../provider/phone.ts'
import type { Problem } from '../../reading-result.ts'
import { type Size, writtenSize } from '../../size.ts'
import { struck, turned } from '../normalize.ts'
import { amountItem, currencyAt, isCurrency, opensAmount } from './amount.ts'
import type { Item } from './item.ts'
import { isGluedAlnum, mixedEnd, mixedFault } from './mixed-token.ts'
import { readNetwork } from './network-word.ts'
import { type SpokenSize, spokenSizeAt } from './spoken-size.ts'
import { isGlued, type Token, tokensOf, written } from './token.ts'
import { type Meaning, meaningOf, type Role } from './vocabulary.ts'
import { momentEnd, numberAt, scientificEnd } from './written-number.ts'
import { groupedPhoneAt, phoneAt, type TokenLine } from './written-phone.ts'

/**
 * Reads a plain line into items, in order. Each step takes at least one token and looks only a few tokens ahead, so
 * the time is linear.
 */
export const itemsOf = (text: string): Item[] => {
  const line: TokenLine = { text, tokens: tokensOf(text) }
  const items: Item[] = []
  let at = numberingEnd(line)
  while (at < line.tokens.length) at = step(line, at, items)
  if (isStruck(line)) items.push({ kind: 'doubt', written: '~', isStrong: false })
  return items
}

const step = (line: TokenLine, at: number, items: Item[]): number => {
  const token = line.tokens[at]
  if (token?.kind === 'mark') return markAt(line, at, items)
  const mixed = mixedEnd(line, at)
  if (mixed !== null) {
    // A brand may mix letters and digits: `UP2U`.
    const brand = readNetwork(written(line.tokens, at, mixed, line.text))
    if (brand) return networkAt(line, at, mixed, brand, items)
    items.push(mixedFault(line, at, mixed))
    return mixed
  }
  return token?.kind === 'digits' ? digitsAt(line, at, items) : wordAt(line, at, items)
}

// ── Line numbers ──────────────────────────────────────────────────────────────────────────────────────────

/**
 * The index after `1.`, `1)`, `(1)`, `[1]` or `#1` at the start of a line. `1-` and `1:` may be sizes: see
 * `numbering.ts`.
 */
const numberingEnd = ({ tokens }: TokenLine): number => {
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

/**
 * The index after a line number such as `(1)` or `#1`, and after a sign that follows it. 0 if nothing else is on the
 * line, because then it is not a line number.
 */
const numberedRest = (tokens: readonly Token[], end: number): number => {
  const next = tokens[end]
  if (!next) return 0
  return (next.text === '.' || next.text === ')' || next.text === ':') && tokens[end + 1] ? end + 1 : end
}

// ── Runs of digits ────────────────────────────────────────────────────────────────────────────────────────

const digitsAt = (line: TokenLine, at: number, items: Item[]): number => {
  const scientific = scientificEnd(line.tokens, at)
  if (scientific !== null) {
    const problem: Problem = { code: 'scientific', written: written(line.tokens, at, scientific, line.text) }
    items.push({ kind: 'fault', problem, isPhone: true })
    return scientific
  }
  const masked = maskedEnd(line.tokens, at)
  if (masked !== null) return damaged(line, at, masked, items)
  const moment = momentEnd(line.tokens, at)
  if (moment !== null) return moment
  const thousands = groupedPhoneAt(line, at)
  if (thousands) return faultItem(thousands.problem, true, thousands.next, items)
  const spoken = spokenSizeAt(line.tokens, at)
  if (spoken) return spokenItem(line, at, spoken, items)
  const phone = phoneAt(line, at)
  const found = phone ?? numberAt(line, at)
  const tail = tailEnd(line, at, found.next)
  if (tail !== null) return damaged(line, at, tail, items)
  if (found.kind === 'phone') return phoneItem(line, found, items)
  if (found.kind === 'number') return sizeOrAmount(line, at, found.text, found.next, items)
  items.push({ kind: 'fault', problem: found.problem, isPhone: phone !== null })
  return found.next
}

/**
 * The index after letters that touch the last group of digits and make no sense there: `024 123 456O`, `2.5gbx`.
 * Null if there are none.
 */
const tailEnd = (line: TokenLine, at: number, next: number): number | null =>
  next > at + 1 && isGluedAlnum(line.tokens, next) ? mixedEnd(line, next - 1) : null

const phoneItem = (
  line: TokenLine,
  { phone, zeroRestored, next }: { phone: Phone; zeroRestored: boolean; next: number },
  items: Item[],
): number => {
  items.push({ kind: 'phone', phone, zeroRestored })
  if (!isSecondEnding(line.tokens, next)) return next
  const text = line.tokens[next + 1]?.text ?? ''
  const problem: Problem = { code: 'unclear', written: `/${text}` }
  return faultItem(
    /^[1-9]/.test(text) ? { ...problem, suggestion: `${text}GB` } : problem,
    false,
    next + 2,
    items,
  )
}

const faultItem = (problem: Problem, isPhone: boolean, next: number, items: Item[]): number => {
  items.push({ kind: 'fault', problem, isPhone })
  return next
}

/** A size in words is only suggested, because people write such sizes in too many ways. */
const spokenItem = (line: TokenLine, at: number, { size, next }: SpokenSize, items: Item[]): number => {
  const shown = written(line.tokens, at, next, line.text)
  return faultItem({ code: 'unclear', written: shown, suggestion: writtenSize(size) }, false, next, items)
}

/** Whether a second ending follows: `0241234567/8` may mean two phones that end with 7 and 8. */
const isSecondEnding = (tokens: readonly Token[], next: number): boolean =>
  tokens[next]?.text === '/' &&
  isGlued(tokens, next) &&
  isGlued(tokens, next + 1) &&
  tokens[next + 1]?.kind === 'digits' &&
  (tokens[next + 1]?.text.length ?? 0) < 4 &&
  !(tokens[next + 2]?.kind === 'word' && isGlued(tokens, next + 2))

/** The index after a masked phone, such as `024•••4567` or `024***4567`; else null. */
const maskedEnd = (tokens: readonly Token[], at: number): number | null => {
  let end = at + 1
  while (end < at + 9 && '•●*_#?…·'.includes(tokens[end]?.text ?? ' ') && isGlued(tokens, end)) end += 1
  const isMasked =
    tokens[end]?.kind === 'digits' &&
    isGlued(tokens, end) &&
    end > at + (tokens[at + 1]?.text === '…' ? 1 : 2)
  return isMasked ? end + 1 : null
}

const damaged = (line: TokenLine, at: number, end: number, items: Item[]): number => {
  const problem: Problem = {
    code: 'phone_damaged',
    written: written(line.tokens, at, end, line.text),
    suggestion: null,
  }
  items.push({ kind: 'fault', problem, isPhone: true })
  return end
}

/** Reads a number that is not a phone: an amount next to a currency, part of a multiplication, or a size. */
const sizeOrAmount = (line: TokenLine, at: number, text: string, next: number, items: Item[]): number => {
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
  line: TokenLine,
  at: number,
  text: string,
  unit: Size['unit'] | null,
  next: number,
  items: Item[],
): number => {
  const after = line.tokens[next]
  if (isTimes(line, next, after?.kind === 'word' ? meaningOf(after.text) : null))
    return several(line, at, next + 1, items)
  const mark = after?.kind === 'mark' ? after.text : ''
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
    doubt: unit === null && isStarred(line.tokens, at, last) ? 'times' : null,
  })
  return next
}

/**
 * Whether a star joins the number to the phone before it: `0241234567*5`. The number is the size, or how many times
 * to order.
 */
const isStarred = (tokens: readonly Token[], at: number, before: Item | undefined): boolean =>
  before?.kind === 'phone' && isStar(tokens, at - 1)

const isStar = (tokens: readonly Token[], at: number): boolean =>
  '*xX×✕✖'.includes(tokens[at]?.text ?? ' ') &&
  tokens[at + 1]?.kind === 'digits' &&
  isGlued(tokens, at) &&
  isGlued(tokens, at + 1)

/**
 * Reads `12 numbers`. Without a phone on the line, the 12 only counts the people in the list. Next to a phone, it
 * may mean several orders.
 */
const people = (line: TokenLine, at: number, next: number, items: Item[]): number => {
  const isHeading = !items.some(({ kind }) => kind === 'phone')
  if (isHeading && line.tokens.slice(next + 1, next + 4).every(({ kind }) => kind !== 'digits'))
    return next + 1
  return several(line, at, next + 1, items)
}

/** Whether the token multiplies: `x`, `×`, or a star between two numbers. */
const isTimes = ({ tokens }: TokenLine, at: number, meaning: Meaning | null): boolean => {
  const token = tokens[at]
  if (token?.kind === 'word') return meaning?.as === 'times'
  if (token?.text === '×' || token?.text === '✕' || token?.text === '✖') return true
  return (
    token?.text === '*' && tokens[at + 1]?.kind === 'digits' && isGlued(tokens, at) && isGlued(tokens, at + 1)
  )
}

/** Reads a multiplication, such as `2x5gb`, `x3` or `5gb x 2`, together with the numbers on both sides. */
const several = (line: TokenLine, from: number, at: number, items: Item[]): number => {
  let end = at
  if (line.tokens[end]?.kind === 'digits' && phoneAt(line, end) === null) {
    end += 1
    if (line.tokens[end]?.kind === 'word' && meaningOf(line.tokens[end]?.text ?? '')?.as === 'unit') end += 1
  }
  const problem: Problem = { code: 'several_times', written: written(line.tokens, from, end, line.text) }
  items.push({ kind: 'fault', problem, isPhone: false })
  return end
}

// ── Words and signs ───────────────────────────────────────────────────────────────────────────────────────

const wordAt = (line: TokenLine, at: number, items: Item[]): number => {
  const spoken = spokenSizeAt(line.tokens, at)
  if (spoken) return spokenItem(line, at, spoken, items)
  const text = line.tokens[at]?.text ?? ''
  const joined = hyphenatedNetwork(line.tokens, at)
  if (joined) return networkAt(line, at, at + 3, joined, items)
  const meaning = meaningOf(text)
  switch (meaning?.as) {
    case undefined:
      return nameAt(line, at, items)
    case 'network':
      return networkAt(line, at, at + 1, meaning.network, items)
    case 'currency':
      return currencyAt(line, at, meaning, items)
    case 'unit':
      items.push({ kind: 'unit', unit: meaning.unit })
      return at + 1
    case 'times':
      if (items.at(-1)?.kind === 'phone' && isStar(line.tokens, at)) return at + 1
      return several(line, at, at + 1, items)
    case 'doubt':
      items.push({ kind: 'doubt', written: text, isStrong: meaning.strong })
      return at + 1
    case 'share':
    case 'total':
      items.push({ kind: meaning.as })
      return at + 1
    case 'label':
      return counts.has(meaning.role) ? countEnd(line, at, items) : at + 1
    case 'people':
      return countEnd(line, at, items)
    case 'filler':
    case 'duration':
      return at + 1
  }
}

/** The network in a name with a hyphen, such as `i-share` or `big-time`; else null. */
const hyphenatedNetwork = (tokens: readonly Token[], at: number): Network | null => {
  const [first, hyphen, second] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  const isHyphenated =
    (hyphen?.text === '-' || hyphen?.text === '_') && isGlued(tokens, at + 1) && isGlued(tokens, at + 2)
  if (!isHyphenated || second?.kind !== 'word' || meaningOf(first?.text ?? '')?.as === 'network') return null
  return readNetwork(`${first?.text}${second.text}`)
}

/** Labels that may have a line number after them: `Contact 2:`, `No. 3`. */
const counts: ReadonlySet<Role> = new Set<Role>(['phone', 'index', 'ignored'])

/**
 * The index after `Contact 2:` or `Person 2 -` at the beginning of a line, or alone on it: the number counts lines
 * and is not a size. Any other label is one token.
 */
const countEnd = (line: TokenLine, at: number, items: readonly Item[]): number => {
  const token = line.tokens[at + 1]
  if (items.length > 0 || token?.kind !== 'digits' || !isCount(token)) return at + 1
  if (momentEnd(line.tokens, at + 1) !== null) return at + 1
  const number = numberAt(line, at + 1)
  if (number.kind !== 'number' || number.next !== at + 2) return at + 1
  const mark = line.tokens[at + 2]
  if (!mark) return at + 2
  return countMarks.has(mark.text) ? at + 3 : at + 1
}

const countMarks = new Set([':', '.', ')', '-'])

const nameAt = (line: TokenLine, at: number, items: Item[]): number => {
  const text = line.tokens[at]?.text.toLowerCase() ?? ''
  const next = line.tokens[at + 1]
  const both = next?.kind === 'word' ? readNetwork(`${text}${next.text}`) : null
  if (both) return networkAt(line, at, at + 2, both, items)
  if (text === 't' && /^['’]$/.test(line.tokens[at - 1]?.text ?? '')) {
    items.push({ kind: 'doubt', written: 'n’t', isStrong: true })
    return at + 1
  }
  items.push({ kind: 'name' })
  return at + 1
}

/** `at` before a time or an amount is not a network. `AT BigTime` is one network. */
const networkAt = (line: TokenLine, at: number, next: number, network: Network, items: Item[]): number => {
  const text = written(line.tokens, at, next, line.text)
  const isSure = text === 'AT' || text.toLowerCase() !== 'at' || isBrand(line.tokens[next])
  if (!isSure && isPreposition(line, next)) return next
  const last = items.at(-1)
  if (last?.kind === 'network' && last.network === 'AirtelTigo' && network === 'BigTime') items.pop()
  items.push({ kind: 'network', network, isSure, written: text })
  return next
}

/** Whether the token shows that the `at` before it is a network: `at ishare`, `at data`. */
const isBrand = (token: Token | undefined): boolean => {
  const meaning = token?.kind === 'word' ? meaningOf(token.text) : null
  return meaning?.as === 'network' || (meaning?.as === 'label' && meaning.role === 'size')
}

const isPreposition = (line: TokenLine, at: number): boolean => {
  const token = line.tokens[at]
  if (token?.kind === 'digits') return momentEnd(line.tokens, at) !== null
  return isCurrency(token, token?.kind === 'word' ? meaningOf(token.text) : null)
}

const markAt = (line: TokenLine, at: number, items: Item[]): number => {
  const text = line.tokens[at]?.text ?? ''
  if (text === '.' && opensDecimal(line.tokens, at)) {
    const problem: Problem = { code: 'unclear', written: written(line.tokens, at, at + 2, line.text) }
    items.push({ kind: 'fault', problem, isPhone: false })
    return at + 2
  }
  if (text === '@' && opensAmount(line, at, null)) return currencyAt(line, at, null, items)
  if (text === '₵' || text === '¢' || text === '€' || text === '$') return currencyAt(line, at, null, items)
  if (refusing.has(text) || text === turned || text === struck)
    items.push({ kind: 'doubt', written: text, isStrong: false })
  else if ((text === '*' || isStar(line.tokens, at)) && items.at(-1)?.kind === 'phone') return at + 1
  else if (isTimes(line, at, null)) return several(line, at, at + 1, items)
  else if (oddNumber.test(text)) return oddAt(line, at, items)
  return at + 1
}

/** Whether a decimal without a leading zero begins here: `.5gb` must not be read as 5GB. */
const opensDecimal = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.kind === 'digits' &&
  (tokens[at + 1]?.text.length ?? 0) < 4 &&
  isGlued(tokens, at + 1) &&
  !isGlued(tokens, at)

const refusing = new Set(['❌', '🚫', '⛔', '✗', '✘', '❎', '🛑'])

const oddNumber = /^\p{No}$/u

/**
 * `①` at the start of a line is a line number. `½gb` is a fault with a suggestion, `024123456²` a fault without
 * one.
 */
const oddAt = (line: TokenLine, at: number, items: Item[]): number => {
  const spoken = spokenSizeAt(line.tokens, at)
  if (spoken) return spokenItem(line, at, spoken, items)
  if (at === 0 && !isGluedAlnum(line.tokens, 1)) return at + 1
  if (at === 0 && line.tokens[1]?.kind === 'digits' && line.tokens[1].text.length > 8) return at + 1
  items.push({
    kind: 'fault',
    problem: { code: 'unclear', written: line.tokens[at]?.text ?? '' },
    isPhone: false,
  })
  return at + 1
}

/** Whether the line was struck out in a chat: `~0241234567 5gb~`. */
const isStruck = ({ tokens }: TokenLine): boolean => {
  let count = 0
  for (const { text } of tokens) if (text === '~') count += 1
  return count > 1
}
