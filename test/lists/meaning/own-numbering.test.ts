import { expect, test } from 'vitest'
import { mergeCorrections } from '../../../src/lists/meaning/correction.ts'
import { numberingOf } from '../../../src/lists/meaning/own-numbering.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot } from '../market.ts'

const numberedFrom = (text: string) => numberingOf(readList(text, priceSnapshot))
const list = 'Good morning\n1. 0241230501 1gb\n2. 024123050 1gb\n3. 024123051 2gb'

test('the lines of a list are called by the numbers that the person wrote in front of them', () => {
  const { of, placeOf } = numberedFrom(list)
  expect([2, 3, 4].map(of)).toEqual([1, 2, 3])
  expect([1, 2, 3, 4].map(placeOf)).toEqual([2, 3, 4, null])
})

test.each([
  ['has numbers on some lines only', 'Hi\n0241230501 1gb\n2. 0241230502 1gb'],
  ['has a number twice', 'Hi\n1. 0241230501 1gb\n1. 0241230502 1gb'],
])('the lines of a list are called by their place if the list %s', (_, text) => {
  expect(numberedFrom(text).of(2)).toBe(2)
})

test('a correction by a line’s written number changes that line, and the line keeps the number', () => {
  const once = mergeCorrections(list, '3. 0241230513 2gb', priceSnapshot)
  expect(once.split('\n')[3]).toBe('3. 0241230513 2gb')
  const twice = mergeCorrections(once, '2. 0241230502 1gb\n0551230504 2gb', priceSnapshot)
  expect(twice.split('\n').slice(1, 4)).toEqual([
    '1. 0241230501 1gb',
    '2. 0241230502 1gb',
    '3. 0241230513 2gb',
  ])
  expect(numberedFrom(twice).of(5)).toBe(4)
})
