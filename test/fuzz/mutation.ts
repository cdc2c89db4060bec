import { of } from '../lists/rendering.ts'

/** A generator of whole numbers below a given one. The same seed gives the same numbers (mulberry32). */
export const pickerOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below) | 0
  }
}

export type Pick = (below: number) => number

type Mutation = (text: string, pick: Pick, pieces: readonly string[]) => string

const cutAt = (text: string, pick: Pick): number => pick(text.length + 1)

const mutations: Mutation[] = [
  (text, pick, pieces) => splice(text, cutAt(text, pick), 0, of(pieces, pick)),
  (text, pick) => splice(text, cutAt(text, pick), 1 + pick(4), ''),
  (text, pick, pieces) => splice(text, cutAt(text, pick), 1 + pick(12), of(pieces, pick)),
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

/** Code points of all planes, and also halves of surrogate pairs. */
const codePoint = (pick: Pick): number => (pick(4) === 0 ? pick(0x110000) : pick(0x3000))

/** Changes the text in a few places. @param pieces texts to insert */
export const damaged = (text: string, pieces: readonly string[], pick: Pick): string => {
  let result = text
  for (let count = pick(9); count > 0; count -= 1) result = of(mutations, pick)(result, pick, pieces)
  return result
}
