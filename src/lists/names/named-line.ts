import type { Phone } from '../../provider/phone.ts'
import { readChatStamp } from '../reading/chat-timestamp.ts'
import type { PlacedLine } from '../reading/entry.ts'
import { normalized } from '../reading/normalize.ts'
import type { WrittenLine } from '../reading/written-line.ts'
import type { NamedLine, Names, Problem } from '../reading-result.ts'
import { type NameReading, readName, readNamedRequest } from './named-request.ts'

/** In characters. A longer line is not an order by name. */
const longest = 200

/**
 * Finds the lines that may name a person instead of a number: `Kofi 5gb`, or `Kofi` alone if the bundle was chosen
 * before. Stores the name in each line, so that a problem can mention it.
 */
export const namedLinesOf = (
  placed: readonly PlacedLine[],
  texts: readonly string[],
  hasFixed: boolean,
): readonly NamedLine[] => {
  let found: NamedLine[] | null = null
  for (const { index, written } of placed) {
    const text = texts[index] ?? ''
    if (!mayName(written, text, hasFixed)) continue
    const words = withoutMarks(text)
    const request = readNamedRequest(words) ?? (hasFixed ? readName(words) : null)
    if (!request) continue
    if (written.hasName) written.name = request.written
    found ??= []
    found.push({ line: index + 1, request })
  }
  return found ?? none
}

const none: readonly never[] = []

const mayName = ({ phones, size, hasName, kind }: WrittenLine, text: string, hasFixed: boolean): boolean => {
  if (phones > 0 || kind === 'share' || text.length > longest) return false
  // Most lines with a size contain nothing else, so they cannot have a name.
  return size ? text.length > size.written.length + 2 : hasFixed && hasName
}

/** Removes the line number, and the stamp of a copied chat. */
const withoutMarks = (text: string): string => {
  const line = normalized(text)
  return (readChatStamp(line)?.rest ?? line).replace(numbering, '')
}

const numbering = /^\s{0,20}\d{1,4}[.)]\s+/

/**
 * Gives the lines of saved people their phones. A line has to be corrected if its name means several people, or if
 * it is unknown in a list that gives people by name. A name without a size right above a phone is that phone's
 * heading, and is left as it is.
 */
export const giveNumbers = (
  placed: readonly PlacedLine[],
  named: readonly NamedLine[],
  names: Names,
): void => {
  const meant = named.map((each) => ({ ...each, meaning: meaningIn(names, each.request.readings) }))
  const isByNames = meant.some(({ meaning }) => meaning !== null)
  for (const { line, request, meaning } of meant) {
    const here = placed[line - 1]
    if (!here) continue
    const { written } = here
    const below = nextWritten(placed, line)
    if (below?.kind === 'numbers') continue
    const problem = { name: request.written, size: request.size, line }
    if (meaning?.phone) here.written = ofSaved(written, meaning, request)
    else if (meaning) here.written = faulty(written, { code: 'several_saved', ...problem })
    else if (isByNames && written.hasName && !request.hasUnit && !below?.phones)
      here.written = faulty(written, { code: 'not_saved', ...problem })
  }
}

interface Meaning {
  phone: Phone | null
  network: NameReading['network']
}

const meaningIn = (names: Names, readings: readonly NameReading[]): Meaning | null => {
  const reading = readings.find(({ key }) => Object.hasOwn(names, key))
  return reading ? { phone: names[reading.key] ?? null, network: reading.network } : null
}

/** The next line below that is not blank. */
const nextWritten = (placed: readonly PlacedLine[], from: number): WrittenLine | null => {
  for (let index = from; index < placed.length; index += 1) {
    const written = placed[index]?.written
    if (written && !(written.kind === 'comment' && !written.hasName && written.problems.length === 0))
      return written
  }
  return null
}

const faulty = (written: WrittenLine, problem: Problem): WrittenLine => ({
  ...written,
  kind: 'comment',
  problems: [problem],
})

const ofSaved = (
  written: WrittenLine,
  { phone, network }: Meaning,
  { size, hasUnit }: NamedLine['request'],
): WrittenLine => {
  if (!phone) return written
  const item = { kind: 'size', hasUnit, written: '', mark: '', touchesMark: false, doubt: null } as const
  return {
    ...written,
    kind: size ? 'pairs' : 'numbers',
    phones: 1,
    pairs: [
      {
        phone,
        zeroRestored: false,
        amount: null,
        networkBelow: null,
        headingLost: false,
        unknownHeading: null,
        sizes: size ? [{ ...item, size }] : none,
        network: network && { network, isSure: true, written: network },
      },
    ],
    problems: written.doubt === null ? none : [{ code: 'doubtful_word', written: written.doubt }],
    size: null,
    network: null,
    lead: null,
  }
}
