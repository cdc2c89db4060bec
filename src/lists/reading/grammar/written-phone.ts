import { isPhone, type Phone } from '../../../provider/phone.ts'
import { readPhone } from '../../read-phone.ts'
import type { Problem } from '../../reading-result.ts'
import { readSize, writtenSize } from '../../size.ts'
import { isGlued, type Token, written } from './token.ts'
import { meaningOf } from './vocabulary.ts'

/** A phone, or a fault in one, and the index of the token after it. */
type PhoneFound =
  | { kind: 'phone'; phone: Phone; zeroRestored: boolean; next: number }
  | { kind: 'fault'; problem: Problem; next: number }

export interface TokenLine {
  text: string
  tokens: readonly Token[]
}

/**
 * Reads the phone that begins at a run of digits. Its groups of digits are taken one after another, across spaces,
 * dots, dashes and brackets, until the number is complete.
 *
 * @returns null if no phone begins here, so that the digits are some other number
 */
export const phoneAt = (line: TokenLine, at: number): PhoneFound | null => {
  const first = line.tokens[at]?.text ?? ''
  const hasPlus = line.tokens[at - 1]?.text === '+' && isGlued(line.tokens, at)
  if (hasPlus && !first.startsWith('233')) return abroad(line, at)
  if (first.startsWith('00') && !first.startsWith('00233') && first.length > 10) return abroad(line, at)
  const code = codeLength(first, hasPlus)
  if (first.length === 1 && first !== '0' && !hasPlus) return null
  const taken = take(line, at, code, hasPlus)
  if (taken.isComplete) return found(line, at, taken, hasPlus || code > 0)
  const isMeant =
    hasPlus || first.length >= fewest || (first.startsWith('0') && taken.national.length >= fewest)
  return isMeant ? fault(line, at, taken) : null
}

/** A run of at least this many digits can only be a phone. */
const fewest = 6

const codeLength = (first: string, hasPlus: boolean): number => {
  if (first.startsWith('00233')) return 5
  if (!first.startsWith('233')) return 0
  return hasPlus || first.length === 3 || first.length > 9 ? 3 : 0
}

interface Taken {
  /** The digits after the country code. */
  national: string
  /** How many digits each group has. */
  groups: number[]
  isComplete: boolean
  /** The index of the token after the last group. */
  next: number
}

const take = (line: TokenLine, at: number, code: number, hasPlus: boolean): Taken => {
  const first = line.tokens[at]?.text.slice(code) ?? ''
  const taken: Taken = {
    national: first.slice(0, tooMany),
    groups: first === '' ? [] : [first.length],
    isComplete: false,
    next: at + 1,
  }
  for (;;) {
    const needed = neededDigits(taken.national, code > 0 || hasPlus)
    taken.isComplete = taken.national.length === needed
    if (taken.national.length >= needed) return taken
    const following = nextGroup(line.tokens, taken.next - 1)
    if (following === null) return taken
    const group = line.tokens[following]?.text ?? ''
    if (isWhole(group) && !opensWith(taken, code, hasPlus)) return taken
    taken.national += group.slice(0, tooMany)
    taken.groups.push(group.length)
    taken.next = following + 1
  }
}

const tooMany = 32

/**
 * How many digits are needed: ten as in `0241234567`, or nine without the leading zero. After the country code, the
 * zero is optional. 0 if the digits cannot be a phone.
 */
const neededDigits = (national: string, hasCode: boolean): number => {
  if (national.startsWith('0')) return 10
  return hasCode || /^[25]/.test(national) || national.length >= fewest ? 9 : 0
}

/**
 * Whether only `+233` or `(0)` was read so far. If so, the next group of digits belongs to the same number, even if
 * that group alone is a complete number.
 */
const opensWith = (taken: Taken, code: number, hasPlus: boolean): boolean =>
  (taken.national === '' && (hasPlus || code === 5)) || taken.national === '0'

/** Whether the group alone is a complete number, so that it cannot be part of the number before it. */
const isWhole = (group: string): boolean => /^(?:0\d{9}|[25]\d{8}|2330?[25]\d{8})$/.test(group)

/** The index of the next group of digits that may belong to the same number; null if there is none. */
const nextGroup = (tokens: readonly Token[], at: number): number | null => {
  for (let index = at + 1; index <= at + 4; index += 1) {
    const token = tokens[index]
    if (token?.kind === 'digits') return hasUnit(tokens, index) ? null : index
    if (token?.kind !== 'mark' || !joiners.has(token.text)) return null
  }
  return null
}

const hasUnit = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.kind === 'word' && meaningOf(tokens[at + 1]?.text ?? '')?.as === 'unit'

const joiners = new Set(['.', '-', '(', ')', '[', ']'])

/**
 * Checks a run of digits that is as long as a phone. It may be something else, or may have that length only by
 * chance.
 */
const found = (line: TokenLine, at: number, taken: Taken, hasCode: boolean): PhoneFound => {
  const hasZero = taken.national.startsWith('0')
  const phone = hasZero ? taken.national : `0${taken.national}`
  const tail = decimalTail(line.tokens, taken.next)
  if (tail !== null) {
    const likely = readPhone(phone)?.phone ?? null
    if (!/^0+$/.test(tail)) return sizeBehindDot(line, at, taken.next, likely)
    const next = taken.next + 2
    if (isCell(line, at, next)) return found(line, at, { ...taken, next }, hasCode)
    const shown = written(line.tokens, at, next, line.text)
    return { kind: 'fault', problem: { code: 'phone_damaged', written: shown, suggestion: likely }, next }
  }
  if (isSpread(taken.groups)) return fault(line, at, taken)
  if (!isPhone(phone) || !/^0[25]/.test(phone)) {
    const shown = written(line.tokens, at, taken.next, line.text)
    const problem: Problem = phone.startsWith('03')
      ? { code: 'landline', written: shown }
      : { code: 'phone_damaged', written: shown, suggestion: null }
    return { kind: 'fault', problem, next: taken.next }
  }
  return { kind: 'phone', phone, zeroRestored: !hasZero && !hasCode, next: taken.next }
}

/**
 * Whether the number fills a cell of a table. Some programs write a column of phones as decimals: `241234567.0⇥5.0`.
 */
const isCell = ({ tokens }: TokenLine, at: number, next: number): boolean =>
  [tokens[at - 1], tokens[next]].every((side) => side === undefined || '\t;|,"'.includes(side.text))

/** `0241234567.10GB`: the point separates the phone from its size. */
const sizeBehindDot = (line: TokenLine, at: number, dot: number, phone: Phone | null): PhoneFound => {
  const { tokens } = line
  const isDecimal = decimalTail(tokens, dot + 2) !== null
  const last = dot + (isDecimal ? 4 : 2)
  const hasOwnUnit = hasUnit(tokens, last - 1)
  const next = hasOwnUnit ? last + 1 : last
  const size = readSize(written(tokens, dot + 1, next, line.text))
  const suggestion = phone && size ? `${phone} ${writtenSize(size)}` : null
  const shown = written(tokens, at, next, line.text)
  return { kind: 'fault', problem: { code: 'phone_damaged', written: shown, suggestion }, next }
}

/** The digits after a point that touches the digits before it. */
const decimalTail = (tokens: readonly Token[], next: number): string | null => {
  const tail = tokens[next + 1]
  const isTail = tokens[next]?.text === '.' && isGlued(tokens, next) && isGlued(tokens, next + 1)
  return isTail && tail?.kind === 'digits' ? tail.text.slice(0, tooMany) : null
}

/**
 * Whether the groups may be a phone and a size: a single digit alone, or a short last group after a long one
 * (`02412345 10`, `0241234 100`). A single leading zero does not count.
 */
const isSpread = (groups: readonly number[]): boolean => {
  if (groups.length < 2) return false
  const last = groups.at(-1) ?? 0
  const before = groups.at(-2) ?? 0
  return groups.slice(1).includes(1) || last < Math.min(before - 2, 4)
}

const fault = (line: TokenLine, at: number, taken: Taken): PhoneFound => {
  const first = taken.groups[0] ?? 0
  const startsWhole = line.tokens[at]?.text.endsWith(taken.national.slice(0, first)) ?? false
  const alone = startsWhole && first >= fewest && taken.groups.length > 1
  const next = alone ? at + 1 : taken.next
  const from = line.tokens[at - 1]?.text === '+' ? at - 1 : at
  const shown = written(line.tokens, from, next, line.text)
  const national = alone ? taken.national.slice(0, first) : taken.national
  const away = national.length - (national.startsWith('0') ? 10 : 9)
  return { kind: 'fault', problem: faultOf(shown, national, away, taken.groups, alone), next }
}

const faultOf = (
  shown: string,
  national: string,
  away: number,
  groups: number[],
  alone: boolean,
): Problem => {
  if (national.length > 15) return { code: 'unclear', written: shown }
  if (/^0?3/.test(national) && away === 0) return { code: 'landline', written: shown }
  if (away === 0 || (away > 0 && !alone && groups.length > 1 && (groups.at(-1) ?? 0) < 4))
    return { code: 'phone_unclear', written: shown }
  if (!/^0?[25]/.test(national)) return { code: 'phone_damaged', written: shown, suggestion: null }
  return away < 0
    ? { code: 'phone_short', written: shown, missing: -away }
    : { code: 'phone_long', written: shown, extra: away }
}

/**
 * `241,234,567`: a spreadsheet has added thousands separators.
 * @returns null if the groups cannot be a phone, or may be a phone and a size
 */
export const groupedPhoneAt = (
  line: TokenLine,
  at: number,
): Extract<PhoneFound, { kind: 'fault' }> | null => {
  const { tokens } = line
  let next = at + 1
  while (next < at + 9 && tokens[next]?.text === ',' && isGroup(tokens, next + 1) && isGlued(tokens, next))
    next += 2
  const groups = tokens.slice(at, next).filter(({ kind }) => kind === 'digits')
  if (groups.length < 3 || (groups[0]?.text.length ?? 9) > 4) return null
  const suggestion = readPhone(groups.map(({ text }) => text).join(''))?.phone
  if (!suggestion) return null
  const problem: Problem = {
    code: 'phone_damaged',
    written: written(tokens, at, next, line.text),
    suggestion,
  }
  return { kind: 'fault', problem, next }
}

const isGroup = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'digits' && isGlued(tokens, at) && /^\d{3,4}$/.test(tokens[at]?.text ?? '')

/**
 * Reads a phone of another country, as a fault, with the groups of digits that may belong to it; null if it is too
 * short.
 */
const abroad = (line: TokenLine, at: number): PhoneFound | null => {
  let count = 0
  let next = at
  for (let index: number | null = at; index !== null && count < 10; index = nextGroup(line.tokens, index)) {
    count += line.tokens[index]?.text.length ?? 0
    next = index + 1
  }
  if (count < fewest) return null
  return {
    kind: 'fault',
    problem: {
      code: 'phone_abroad',
      written: `+${written(line.tokens, at, next, line.text)}`.replace('+00', '00'),
    },
    next,
  }
}
