import { expect, test } from 'vitest'
import { type Belonging, belongingOf } from '../../../src/lists/meaning/belonging.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot } from '../market.ts'

const belonging = (list: string, text: string): Belonging =>
  belongingOf(text, readList(list, priceSnapshot), priceSnapshot)

/** Lines 2 and 3 are to fix. */
const list = '0241230501 1gb\n024123050 1gb\n0241230503 7gb\n0551230504 2gb'

test.each([
  ['the number of each open line', '2. 0241230502 1gb\n3. 0241230503 2gb'],
  ['one open line', '3. 0241230503 2gb'],
  ['a line left out', '2. skip'],
  ['the damaged number mended', '0241230502 1gb'],
  ['the damaged number mended, without its size', '0241230502'],
  ['the same number with another size', '0241230503 2gb'],
  ['both, without numbers in front', '0241230502 1gb\n0241230503 2gb'],
  ['a greeting and a heading beside them', 'Sorry\nMTN\n2. 0241230502 1gb'],
  ['the whole list again, mended', '0241230501 1gb\n0241230502 1gb\n0241230503 2gb\n0551230504 2gb'],
  ['an open line by its own number', '3) 0241230503 2gb'],
])('%s corrects the list', (_, text) => {
  expect(belonging(list, text)).toBe('corrects')
})

test.each([
  ['a mended line and a new one', '2. 0241230502 1gb\n0200000001 2gb'],
  ['a number like the damaged one, of another size', '0241230502 5gb'],
])('%s may be a list of its own', (_, text) => {
  expect(belonging(list, text)).toBe('doubtful')
})

test('lines that count from one may be a new list, whatever lines are open', () => {
  const open = '024123050 1gb\n055123050 1gb'
  expect(belonging(open, '1. 0200000001 2gb\n2. 0200000002 2gb')).toBe('doubtful')
  expect(belonging(open, '1. 0241230501 1gb\n2. 0551230502 1gb')).toBe('corrects')
})

test.each([
  ['other numbers', '0200000001 2gb\n0200000002 1gb'],
  ['the number of a line that is ready', '1. 0200000001 2gb'],
  [
    'a numbered list',
    '1. 0200000001 2gb\n2. 0200000002 1gb\n3. 0200000003 1gb\n4. 0200000004 1gb\n5. 0200000005 1gb',
  ],
  ['the same numbers as before', '0241230501 1gb\n0551230504 2gb'],
  ['words', 'good morning'],
  [
    'a long list with one number of the open one',
    `0241230503 2gb\n${Array.from({ length: 5 }, (_, at) => `020000000${at} 1gb`).join('\n')}`,
  ],
])('%s are no correction', (_, text) => {
  expect(belonging(list, text)).toBe('apart')
})

test('a list without open lines is corrected by nothing', () => {
  expect(belonging('0241230501 1gb\n0551230504 2gb', '1. 0241230502 1gb')).toBe('apart')
})
