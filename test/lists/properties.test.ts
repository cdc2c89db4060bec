import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeCorrections } from '../../src/lists/meaning/correction.ts'
import { joinParts } from '../../src/lists/meaning/truncation.ts'
import { readList } from '../../src/lists/read-list.ts'
import { linesOf } from '../../src/lists/reading/normalize.ts'
import type { ListReading } from '../../src/lists/reading-result.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'
import { bundles, chosen, priceSnapshot } from './market.ts'
import { formats, type Wanted, wantedList } from './rendering.ts'
import { faultsOf } from './soundness.ts'

const picking = fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 }))

const list: fc.Arbitrary<Wanted[]> = fc
  .tuple(fc.integer({ min: 1, max: 12 }), picking)
  .map(([length, numbers]) => wantedList(length, (below) => (numbers.next().value ?? 0) % below))

const sorted = (rows: readonly string[]): string[] => rows.toSorted()
const wantedRows = (wanted: readonly Wanted[]): string[] =>
  sorted(wanted.map(({ phone, network, size }) => `${phone} ${network} ${size}GB`))
const readRows = ({ recipients }: ListReading): string[] =>
  sorted(recipients.map(({ phone, network, volume }) => `${phone} ${network} ${volume}`))

describe('any list is read back as it was written', () => {
  test.each(Object.keys(formats))('in the format “%s”', (format) => {
    fc.assert(
      fc.property(list, (wanted) => {
        const reading = readList(formats[format]?.(wanted) ?? '', priceSnapshot)
        expect(reading.lines.flatMap(({ problems }) => problems)).toEqual([])
        expect(readRows(reading)).toEqual(wantedRows(wanted))
      }),
      { numRuns: runs(60) },
    )
  })
})

const formatted = fc
  .tuple(list, fc.constantFrom(...Object.values(formats)))
  .map(([wanted, format]) => ({ wanted, text: format(wanted) }))

/** Parts that lists, chats and spreadsheets are made of. */
const piece = fc.oneof(
  fc.constantFrom(...'0123456789 \t\n\r,;:.-+/()[]*x~@#"=→•✂✎₵½²①\u202e\u200b\u00a0\u0336\u20e3\ud83d'),
  fc.constantFrom(
    'gb',
    'MB',
    'GHS',
    'mtn',
    'AT',
    'big',
    'time',
    'telecel',
    'all',
    'each',
    'total',
    'cancel',
    'E+08',
  ),
  fc.constantFrom(
    '0241234567',
    '+233',
    '241234567',
    '0271234567 5',
    '5gb:\n',
    '[21/11/2026, 08:12] Kofi: ',
    'Number\tMB\n',
  ),
  fc.string({ unit: anyCharacter, maxLength: 5 }),
  fc.constantFrom(
    '9'.repeat(5_000),
    'a'.repeat(5_000),
    '1a'.repeat(2_000),
    '\u0301'.repeat(2_000),
    '('.repeat(2_000),
  ),
)

const anyText = fc.oneof(
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc
    .tuple(formatted, fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { minLength: 1, maxLength: 4 }))
    .map(([{ text }, edits]) =>
      edits.reduce((edited, [at, cut, more]) => {
        const from = at % (edited.length + 1)
        return `${edited.slice(0, from)}${more}${edited.slice(from + cut)}`
      }, text),
    ),
)

const answers = fc.dictionary(
  fc.constantFrom(
    'duplicates',
    'size',
    'mismatch',
    'other_size',
    'network:AirtelTigo|BigTime',
    'offer:MTN 6GB',
  ),
  fc.constantFrom('one', 'both', '5GB', 'keep', 'switch', 'drop', 'chosen', 'written', 'BigTime', '7', 'x'),
)

test('any text read as a list has a result for every line, and no number that is not in the text', () => {
  fc.assert(
    fc.property(anyText, answers, fc.constantFrom(null, 5, 61, 999), (text, given, fixedBundleId) => {
      const against = { ...priceSnapshot, fixedBundleId }
      expect(faultsOf(text, readList(text, against, given), against)).toEqual([])
    }),
    { numRuns: runs(1_500) },
  )
})

test('no line of a list is lost by a correction or by joining two parts', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, correction) => {
      const merged = mergeCorrections(text, correction, priceSnapshot)
      // The added point preserves blank lines at the end. A blank line replaces a corrected line.
      expect(linesOf(`${merged}.`).length).toBeGreaterThanOrEqual(linesOf(text.replace(/\s+$/, '')).length)
      expect(faultsOf(merged, readList(merged, priceSnapshot), priceSnapshot)).toEqual([])
      const joined = joinParts([text, correction])
      expect(faultsOf(joined, readList(joined, priceSnapshot), priceSnapshot)).toEqual([])
    }),
    { numRuns: runs(400) },
  )
})

test('an answer to a list’s question removes no recipient who was ready without it', () => {
  fc.assert(
    fc.property(anyText, answers, (text, given) => {
      const rows = new Set(
        readList(text, priceSnapshot, given).recipients.map(({ line, phone }) => `${line} ${phone}`),
      )
      for (const { line, phone } of readList(text, priceSnapshot).recipients)
        expect(rows).toContain(`${line} ${phone}`)
    }),
  )
})

/** Finds the size of a line by its unit, so the damages that use this do not change formats without units. */
const sizeInLine = /[\d.]+(?= ?(?:gb|gig)\b)/i

describe('a random line that is damaged is marked “to fix”, and the lines around it are still read', () => {
  const damages: Record<string, (line: string, at: number, wanted: Wanted) => string> = {
    'a digit of the number is missing': (line, at, { phone }) =>
      line.replace(phone, phone.slice(0, 3 + (at % 7)) + phone.slice(4 + (at % 7))),
    'a digit too many': (line, at, { phone }) =>
      line.replace(phone, `${phone.slice(0, 3 + (at % 7))}${at % 10}${phone.slice(3 + (at % 7))}`),
    'a letter for a digit': (line, at, { phone }) =>
      line.replace(phone, `${phone.slice(0, at % 10)}O${phone.slice((at % 10) + 1)}`),
    'a second size': (line, at) => `${line} ${(at % 9) + 100}gb`,
    'a second number': (line, at, { phone }) =>
      line.replace(phone, `${phone} 024${1_000_000 + (at % 8_999_999)}`),
    'several times': (line, at) => `${line} x${(at % 8) + 2}`,
    'several times in front': (line, at) => `${(at % 8) + 2}x ${line}`,
    'a decimal comma': (line, at) => line.replace(sizeInLine, (size) => `${size},${at % 10}`),
    'megabytes instead of gigabytes': (line) => line.replace(/ ?(?:gb|gig)\b/i, 'mb'),
    'a word of doubt': (line) => `${line} cancel`,
    'a struck-out line': (line) => `~${line}~`,
    'a size that nobody sells': (line) => line.replace(sizeInLine, (size) => `${Math.floor(Number(size))}77`),
  }
  const base = fc.constantFrom(
    'dashed',
    'bullets',
    'names first',
    'polite',
    'numbered 1.',
    'commas',
    'network first',
    'copied chat',
  )

  test.each(Object.keys(damages))('damage: %s', (damage) => {
    fc.assert(
      fc.property(list, base, fc.nat(), fc.nat(), (wanted, format, where, at) => {
        const lines = (formats[format]?.(wanted) ?? '').split('\n')
        const index = where % wanted.length
        const victim = wanted[index]
        if (!victim) throw new RangeError('There is nobody to damage.')
        lines[index] = damages[damage]?.(lines[index] ?? '', at, victim) ?? ''
        const reading = readList(lines.join('\n'), priceSnapshot)
        expect(reading.lines[index]?.verdict).toBe('fix')
        expect(readRows(reading)).toEqual(wantedRows(wanted.filter((each) => each !== victim)))
      }),
      { numRuns: runs(150) },
    )
  })
})

test('a list for which a bundle was chosen gives every number that bundle and no other', () => {
  fc.assert(
    fc.property(list, fc.constantFrom(...bundles), (wanted, { id }) => {
      const text = wanted.map(({ phone }) => phone).join('\n')
      for (const { bundleId } of readList(text, chosen(id), { mismatch: 'keep' }).recipients)
        expect(bundleId).toBe(id)
      expect(readList(text, chosen(id), { mismatch: 'keep' }).recipients).toHaveLength(wanted.length)
    }),
  )
})
