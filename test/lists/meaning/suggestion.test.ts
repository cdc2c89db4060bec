import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Suggestion, suggestionFor } from '../../../src/lists/meaning/suggestion.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { bare } from '../../../src/lists/reading/lines-in-context.ts'
import type { Answers } from '../../../src/lists/reading-result.ts'
import { accepted } from '../../../src/orders/listing/list-correction.ts'
import { runs } from '../../support/runs.ts'
import { priceSnapshot } from '../market.ts'
import { formats, wantedList } from '../rendering.ts'

const noAnswers = { questions: {}, recent: 'skip', fits: false } as const

const suggestionsIn = (text: string, answers: Answers = {}): Suggestion[] => {
  const { lines } = readList(text, priceSnapshot, answers)
  return lines.flatMap((line) => suggestionFor(line, lines) ?? [])
}

const afterAll = (text: string): string => accepted({ text, answers: noAnswers }, suggestionsIn(text)).text

describe('one press on the suggestion for a line', () => {
  test.each([
    ['thousands separators in the number', '241,234,567 5', '0241234567 5'],
    ['separators in a number with its zero', '024,123,4567 5gb', '0241234567 5gb'],
    ['a point between number and size', '0241234567.10GB', '0241234567 10GB'],
    ['a point before a decimal size', '0201234567.7.5gb', '0201234567 7.5GB'],
    ['a slash between number and size', '0241234567/5', '0241234567 5GB'],
    ['a cell that became a decimal', '241234567.0 5', '0241234567 5'],
    ['a size in words', '0241234567 five gig', '0241234567 5GB'],
    ['half a gigabyte in words', '0201234567 half a gig', '0201234567 500MB'],
    ['a fraction', '0201234567 1/2gb', '0201234567 500MB'],
    ['a fraction as one character', '0201234567 ½ gb', '0201234567 500MB'],
    ['a whole number with a fraction', '0201234567 7½gb', '0201234567 7.5GB'],
    ['megabytes without their unit', '0501234567 500', '0501234567 500MB'],
    [
      'a row of the network’s file without its head',
      '0241234567\t\t0\t5120\t0',
      '0241234567\t\t0\t5120MB\t0',
    ],
    ['a decimal comma', '0201234567 7,5', '0201234567 7.5'],
    ['a letter for a zero', 'O241234567 5', '0241234567 5'],
    ['a size whose digits are in the number as well', '0501500500 500', '0501500500 500MB'],
  ])('repairs %s', (_, text, mended) => {
    expect(readList(text, priceSnapshot).counts.fix).toBe(1)
    expect(afterAll(text)).toBe(mended)
    expect(readList(mended, priceSnapshot).counts).toEqual({ ready: 1, fix: 0, ignored: 0 })
  })
})

describe('a list in which a sign may mean a multiple', () => {
  test('leads to one question if a star is between numbers and sizes', () => {
    const text = '0241234567*5\n0551234567*2\n0541234567*10'
    expect(readList(text, priceSnapshot).questions).toMatchObject([{ kind: 'times', count: 3 }])
    expect(readList(text, priceSnapshot, { times: 'each' }).recipients.map(({ volume }) => volume)).toEqual([
      '5GB',
      '2GB',
      '10GB',
    ])
    expect(readList('0241234567*5gb', priceSnapshot).counts.ready).toBe(1)
  })

  test.each(['5GB x 3', '3 x 5GB', '5gb*3:', '5 GB × 3'])(
    'leads to one question if “%s” is above the numbers',
    (heading) => {
      const text = `${heading}\n0591234567\n0531234567\n0551234568`
      expect(readList(text, priceSnapshot).questions).toMatchObject([{ kind: 'times', count: 3 }])
      expect(readList(text, priceSnapshot, { times: 'each' }).recipients.map(({ volume }) => volume)).toEqual(
        ['5GB', '5GB', '5GB'],
      )
    },
  )
})

test.each(['5GB @ 23.50', '5GB - 23.5', '5GB 23.50', '5GB (GHS 23.50)', '5gb @23.5'])(
  'the price next to the size in a list’s heading “%s” is ignored',
  (heading) => {
    expect(
      readList(`${heading}\n0241234567\n0551234567`, priceSnapshot).recipients.map(({ volume }) => volume),
    ).toEqual(['5GB', '5GB'])
  },
)

const damages = [
  (line: string) => line.replace(/0(\d{3})(\d{3})(\d{3})/, '$1,$2,$3'),
  (line: string) => line.replace(/(\d{10})\W+(\d)/, '$1.$2'),
  (line: string) => line.replace(/(\d{10})\W+(\d)/, '$1*$2'),
  (line: string) => line.replace(/(\d{10})\W+(\d)/, '$1/$2'),
  (line: string) => line.replace(/ 5(?: ?gb)?/i, ' five gig'),
  (line: string) => line.replace(/\b(\d)(?=gb)/i, '$1,5'),
  (line: string) => line.replace(/0(\d{9})/, '$1.0'),
  (line: string) => line.replace(/0/, 'O'),
  (line: string) => line.replace(/\d+$/, '500'),
  (line: string) => `${line}, 2,5`,
  (line: string) => line.replace(/\d{10}/, ''),
  () => '2,5',
  () => '1/2gb',
  () => '241,234,567',
]

test('accepting one or all suggestions for a list loses no line with a number', () => {
  const damaged = fc
    .tuple(
      fc.integer({ min: 1, max: 8 }),
      fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 })),
      fc.constantFrom(...Object.values(formats)),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...damages)), { minLength: 1, maxLength: 8 }),
    )
    .map(([length, numbers, format, edits]) => {
      const lines = format(wantedList(length, (below) => (numbers.next().value ?? 0) % below)).split('\n')
      for (const [at, damage] of edits) lines[at % lines.length] = damage(lines[at % lines.length] ?? '')
      return lines.join('\n')
    })
  fc.assert(
    fc.property(damaged, (text) => {
      const before = readList(text, priceSnapshot).lines
      const suggestions = suggestionsIn(text)
      for (const chosen of [suggestions, ...suggestions.map((one) => [one])]) {
        const { text: after } = accepted({ text, answers: noAnswers }, chosen)
        const { lines } = readList(after, priceSnapshot)
        // A line with a size or a network but no number is not checked, because it may become the heading of a
        // corrected number.
        for (const { verdict, number, text: words } of before)
          if (verdict !== 'ignored' && bare(words).phones > 0)
            expect(lines[number - 1]?.verdict, `${number} of ${after}`).not.toBe('ignored')
      }
    }),
    { numRuns: runs(1_000) },
  )
})
