import { expect, test } from 'vitest'
import { cutOff, joinParts } from '../../../src/lists/meaning/truncation.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot as plainMarket } from '../market.ts'

/** Numbers that were ported to Telecel, with earlier orders there. */
const served = { '0241234567': ['Telecel'], '0241234568': ['Telecel'] }
const priceSnapshot = { ...plainMarket, served }

const read = (...parts: string[]) => {
  const { lines, recipients } = readList(joinParts(parts), priceSnapshot)
  return {
    verdicts: lines.map(({ verdict }) => verdict.charAt(0)).join(''),
    recipients: recipients.map(({ phone, volume, network }) => `${phone} ${volume} ${network}`),
    problems: lines.flatMap(({ problems }) => problems.map(({ code }) => code)),
  }
}

test('a list in one message is read as it was sent', () => {
  expect(joinParts(['0241234567 5\n0551234567 10'])).toBe('0241234567 5\n0551234567 10')
})

test('in a list that was cut in the middle of a line, the lines on both sides of the cut have to be fixed', () => {
  expect(read('0241234567 5\n0551234567 1', '0\n0201234567 2')).toEqual({
    verdicts: 'rffr',
    recipients: ['0241234567 5GB MTN', '0201234567 2GB Telecel'],
    problems: ['truncation', 'truncation'],
  })
})

test('in a list of three messages, a middle one of one line counts as cut on both sides', () => {
  expect(read('0241234567 5', '0 0551234567 1', '0 0201234567 2').verdicts).toBe('fff')
})

test.each([
  ['sizes', '0241234567 5\n0551234567 1', '0201234567 2\n0241234569 5', 4],
  ['numbers under a heading', '5gb\n0241234567\n0551234567', '0241234569\n0241234571', 4],
  ['counted lines', '1. 0241234567 5gb', '2. 0551234567 5gb', 2],
  [
    'copied chat lines',
    '[12/05/25, 14:03:11] Kofi: 0241234567 5',
    '[12/05/25, 14:04:11] Ama: 0551234567 5',
    2,
  ],
  ['a message of one line', '0241234567 5\n0551234567 5', '0241234569 5', 3],
])('a list cut between two whole lines has no line to fix, as with %s', (_, first, second, count) => {
  expect(read(first, second)).toMatchObject({ problems: [], recipients: { length: count } })
  expect(read(cutOff(first), second).recipients).toHaveLength(count)
})

test.each([
  ['in a size', '0551234567 1', '0\n0201234567 2'],
  ['in a size of several on a line', '0241234567 1', '0 0551234567 2'],
  ['in a unit', '0241234567 5', 'mb Ama 0551234567 2'],
  ['in a decimal', '0241234567 1', '.5 0551234567 2'],
  ['between number and size', '0241234567', '5gb\n0551234567 2'],
  ['between number and size of several', '0241234567', '5 0551234567'],
  ['in a number', '0551234567 2\n0', '241234567 5'],
  ['in a country code', '0551234567 2\n+233', '241234567 5'],
  ['before a multiplier', '0241234567 5', 'x2\n0551234567 5'],
  ['before a size above its number', '5gb\n0241234567', '10gb\n0551234567'],
  ['between a price and its currency', '0241234567 5 24', '.00 0551234567 5 24.00'],
])('in a list that was cut %s, the lines on both sides of the cut have to be fixed', (_, first, second) => {
  expect(read(first, second).problems.filter((code) => code === 'truncation')).toHaveLength(2)
})

test('the last line of a list that Telegram cut has to be fixed, with or without the next message', () => {
  const first = cutOff('0241234567 5\n0551234567 1')
  expect(read(first).verdicts).toBe('rf')
  expect(read(first, '0\n0201234567 2').verdicts).toBe('rffr')
  expect(joinParts([joinParts([first, cutOff('a')]), 'b'])).toBe(
    joinParts(['0241234567 5\n0551234567 1', 'a', 'b']),
  )
})

test('a heading in a list still applies after a cut between two numbers', () => {
  const { recipients } = read('Telecel\n0241234567 5\n0241234568 5', '0201234567 2\n0241234568 10')
  expect(recipients).toHaveLength(4)
  expect(recipients.every((each) => each.endsWith('Telecel'))).toBe(true)
})

test.each([
  ['cut in the middle', 'MTN\n0241234567 5\nTele', 'cel\n0241234568 5'],
  ['that ends a message', 'MTN\n0241234567 5\nTelecel', '0201234567 5\n0241234568 5'],
  ['that begins a message', 'MTN\n0241234567 5\n0551234567 5', 'Telecel\n0241234568 5'],
  ['of a size', '5gb\n0241234567\n10', 'GB\n0241234568'],
  ['of a size that ends a message', '5gb\n0241234567\n10gb', '0241234569\n0241234568'],
])(
  'in a list that was cut at a heading (%s), no number is read under the old heading',
  (_, first, second) => {
    const { recipients, problems } = read(first, second)
    expect(recipients).toEqual(['0241234567 5GB MTN'])
    expect(problems).toContain('heading_lost')
  },
)

test('in a list whose heading was lost in a cut, the next heading applies to the numbers below it', () => {
  expect(read('MTN\n0241234567 5\nTele', 'cel\n0241234568 5\nMTN\n0241234569 5').recipients).toEqual([
    '0241234567 5GB MTN',
    '0241234569 5GB MTN',
  ])
})
