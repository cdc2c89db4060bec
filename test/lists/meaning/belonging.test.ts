import { expect, test } from 'vitest'
import { type Belonging, belongingOf } from '../../../src/lists/meaning/belonging.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot } from '../market.ts'

const belonging = (list: string, text: string): Belonging =>
  belongingOf(text, readList(list, priceSnapshot), priceSnapshot)

/** Lines 2 and 3 have to be corrected. */
const list = '0241230501 1gb\n024123050 1gb\n0241230503 7gb\n0551230504 2gb'

test.each([
  ['the number of each open line', '2. 0241230502 1gb\n3. 0241230503 2gb'],
  ['the number of one open line', '3. 0241230503 2gb'],
  ['a line left out', '2. skip'],
  ['the damaged number corrected', '0241230502 1gb'],
  ['the damaged number corrected, without its size', '0241230502'],
  ['the same number with another size', '0241230503 2gb'],
  ['both open lines, without their line numbers', '0241230502 1gb\n0241230503 2gb'],
  ['a greeting and a heading before the correction', 'Sorry\nMTN\n2. 0241230502 1gb'],
  ['the whole list again, corrected', '0241230501 1gb\n0241230502 1gb\n0241230503 2gb\n0551230504 2gb'],
  ['an open line by its own number', '3) 0241230503 2gb'],
])('a message with %s corrects the open list', (_, text) => {
  expect(belonging(list, text)).toBe('corrects')
})

test.each([
  ['a corrected line and a new line', '2. 0241230502 1gb\n0200000001 2gb'],
  ['a number like the damaged one, of another size', '0241230502 5gb'],
])('a message with %s may correct the open list or start a new one', (_, text) => {
  expect(belonging(list, text)).toBe('doubtful')
})

test('lines numbered from one may start a new list unless their phones fit the open list’s damaged ones', () => {
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
  ['only words', 'good morning'],
  [
    'a long list that has one number of the open list',
    `0241230503 2gb\n${Array.from({ length: 5 }, (_, at) => `020000000${at} 1gb`).join('\n')}`,
  ],
])('a message with %s does not correct the open list', (_, text) => {
  expect(belonging(list, text)).toBe('apart')
})

test('a list without lines to fix is not corrected by any message', () => {
  expect(belonging('0241230501 1gb\n0551230504 2gb', '1. 0241230502 1gb')).toBe('apart')
})
