import { describe, expect, test } from 'vitest'
import { nearTwins } from '../../../src/lists/meaning/near-twins.ts'
import type { Phone } from '../../../src/provider/phone.ts'

const twins = (phones: string[], known: string[] = []) =>
  nearTwins(phones as Phone[], new Set(known)).map(({ phone, other, isKnown, slip }) =>
    [phone, slip, other, ...(isKnown ? ['known'] : [])].join(' '),
  )

describe('a number of a list that resembles another is reported', () => {
  test.each([
    ['two digits swapped at the end', '0241234576', 'swap'],
    ['two digits swapped at the front', '0242134567', 'swap'],
    ['two digits swapped in the middle', '0241243567', 'swap'],
    ['another last digit', '0241234563', 'digit'],
    ['another digit after the prefix', '0247234567', 'digit'],
  ])('if the slip is: %s', (_, phone, slip) => {
    expect(twins(['0241234567', phone])).toEqual([`${phone} ${slip} 0241234567`])
    expect(twins([phone], ['0241234567'])).toEqual([`${phone} ${slip} 0241234567 known`])
    expect(twins([phone, '0241234567'], ['0241234567'])).toEqual([`${phone} ${slip} 0241234567 known`])
  })
})

test('a number that is one above a known number is reported as a possible slip', () => {
  expect(twins(['0241234568'], ['0241234567'])).toEqual(['0241234568 digit 0241234567 known'])
})

describe('a number of a list is not reported as a possible slip', () => {
  test.each<[string, string[], string[]]>([
    ['is in the list twice', ['0241234567', '0241234567'], []],
    ['has another prefix', ['0241234567', '0201234567', '0541234567', '0251234567'], []],
    ['differs in two places', ['0241234567', '0241234678'], []],
    ['has two swapped digits that are not neighbours', ['0241234567', '0241434267'], []],
    ['belongs to a family of similar numbers', ['0241234561', '0241234563', '0241234567'], []],
    ['is one above another number of the list', ['0241234567', '0241234568'], []],
    ['belongs to consecutive numbers', ['0241234508', '0241234509', '0241234510', '0241234511'], []],
    ['belongs to a known family of similar numbers', ['0241234563'], ['0241234561', '0241234562']],
    ['is a known number', ['0241234576'], ['0241234576', '0241234567']],
  ])('if it %s', (_, phones, known) => {
    expect(twins(phones, known)).toEqual([])
  })
})

test('of two similar numbers in a list, the one that was never served is reported, in either sequence', () => {
  const served = new Set(['0241234567'])
  for (const phones of [
    ['0241234567', '0241234576'],
    ['0241234576', '0241234567'],
  ])
    expect(nearTwins(phones as Phone[], new Set(), served)).toEqual([
      { phone: '0241234576', other: '0241234567', isKnown: true, slip: 'swap' },
    ])
})

const prefixes = ['024', '025', '053', '054', '055', '059', '020', '050', '026', '027', '056', '057']

/** Random numbers, the same in each run. */
const randomPhones = (count: number, from: readonly string[], start: number): string[] => {
  let state = start
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from(
    { length: count },
    () => `${from[Math.floor(next() * from.length)]}${String(Math.floor(next() * 1e7)).padStart(7, '0')}`,
  )
}

describe('a list of random numbers', () => {
  test.each([
    [200, prefixes],
    [1_000, prefixes],
    [1_000, ['024']],
    [10_000, prefixes],
    [10_000, ['024', '054', '055']],
  ])('(%i of them) has fewer than one reported slip in 200 numbers', (count, from) => {
    let named = 0
    for (let start = 1; start <= 5; start += 1)
      named += nearTwins(
        randomPhones(count, from, start) as Phone[],
        new Set(randomPhones(500, from, -start)),
      ).length
    expect(named / (5 * count)).toBeLessThan(1 / 200)
  })
})
