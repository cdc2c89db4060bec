import { formats, of, wantedList } from '../lists/rendering.ts'

/** Draws whole numbers below the one given: the same seed, the same numbers (mulberry32). */
export const pickerOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below) | 0
  }
}

type Pick = (below: number) => number

/** Pieces that lists, chats and spreadsheets are made of, and some that nobody would expect. */
const pieces = [
  ...'0123456789 \t\n\r,;:.-+/()[]*x~@#"=→•₵½²①✂✎❌',
  ...[
    '\u202e',
    '\u202a',
    '\u200b',
    '\u00a0',
    '\u0336',
    '\u20e3',
    '\ufe0f',
    '\ud83d',
    '\u0000',
    '\u2028',
    '\u0301',
    '٥',
    '５',
  ],
  ...[
    'gb',
    ' GB',
    'mb',
    ' MB\n',
    'GHS ',
    'cedis',
    'mtn',
    'telecel',
    ' AT ',
    'big time',
    'all ',
    'each',
    'total',
    'cancel',
    'x2',
    'E+08',
  ],
  ...[
    '0241234567',
    '+233',
    '241234567',
    '0271234567 5',
    '024',
    '5gb:\n',
    '\nMTN\n',
    '10',
    '2.5',
    '1. ',
    '(0)',
    '9'.repeat(40),
  ],
  ...[
    '[21/11/2026, 08:12] Kofi: ',
    '21/11/2026, 08:12 - ',
    'Number\tMB\n',
    'Phone,GB,Qty\n',
    'Kofi',
    '1a2b3c',
    '((((',
    '....',
    '----',
  ],
]

type Mutation = (text: string, pick: Pick) => string

const cutAt = (text: string, pick: Pick): number => pick(text.length + 1)

const mutations: Mutation[] = [
  (text, pick) => splice(text, cutAt(text, pick), 0, of(pieces, pick)),
  (text, pick) => splice(text, cutAt(text, pick), 1 + pick(4), ''),
  (text, pick) => splice(text, cutAt(text, pick), 1 + pick(12), of(pieces, pick)),
  (text, pick) => splice(text, cutAt(text, pick), 0, String.fromCodePoint(codePoint(pick))),
  (text, pick) => splice(text, cutAt(text, pick), 0, part(text, pick).repeat(1 + pick(6))),
  (text, pick) => onLines(text, (lines) => lines.toSpliced(pick(lines.length + 1), 0, of(lines, pick))),
  (text, pick) => onLines(text, (lines) => lines.toSpliced(pick(lines.length), 1)),
  (text, pick) => onLines(text, (lines) => lines.with(pick(lines.length), of(lines, pick))),
  (text, pick) => onLines(text, (lines) => [lines.join(of([' ', ', ', '', '\t'], pick))]),
]

const splice = (text: string, at: number, cut: number, more: string): string =>
  text.slice(0, at) + more + text.slice(at + cut)

const part = (text: string, pick: Pick): string => {
  const from = cutAt(text, pick)
  return text.slice(from, from + pick(60))
}

const onLines = (text: string, change: (lines: string[]) => string[]): string =>
  change(text.split('\n')).join('\n')

/** Of all planes; halves of pairs too. */
const codePoint = (pick: Pick): number => (pick(4) === 0 ? pick(0x110000) : pick(0x3000))

/** A list in one of the formats, or in two of them, changed in a few places. */
export const mutant = (pick: Pick): string => {
  const names = Object.keys(formats)
  let text = ''
  for (let count = 1 + pick(2); count > 0; count -= 1)
    text += `${formats[of(names, pick)]?.(wantedList(1 + pick(12), pick)) ?? ''}\n`
  for (let count = pick(9); count > 0; count -= 1) text = of(mutations, pick)(text, pick)
  return text
}
