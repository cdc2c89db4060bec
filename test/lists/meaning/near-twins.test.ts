import { describe, expect, test } from 'vitest'
import { nearTwins } from '../../../src/lists/meaning/near-twins.ts'
import type { Phone } from '../../../src/provider/phone.ts'

const twins = (phones: string[], known: string[] = []) =>
  nearTwins(phones as Phone[], new Set(known)).map(({ phone, other, isKnown, slip }) =>
    [phone, slip, other, ...(isKnown ? ['known'] : [])].join(' '),
  )

describe('a number one slip away is named', () => {
  test.each([
    ['two digits swapped at the end', '0241234576', 'swap'],
    ['two digits swapped at the front', '0242134567', 'swap'],
    ['two digits swapped in the middle', '0241243567', 'swap'],
    ['another last digit', '0241234563', 'digit'],
    ['another digit behind the prefix', '0247234567', 'digit'],
  ])('%s', (_, phone, slip) => {
    expect(twins(['0241234567', phone])).toEqual([`${phone} ${slip} 0241234567`])
    expect(twins([phone], ['0241234567'])).toEqual([`${phone} ${slip} 0241234567 known`])
    expect(twins([phone, '0241234567'], ['0241234567'])).toEqual([`${phone} ${slip} 0241234567 known`])
  })
})

test('the number next to a known one is named', () => {
  expect(twins(['0241234568'], ['0241234567'])).toEqual(['0241234568 digit 0241234567 known'])
})

describe('no number is named', () => {
  test.each<[string, string[], string[]]>([
    ['that stands twice', ['0241234567', '0241234567'], []],
    ['with another prefix', ['0241234567', '0201234567', '0541234567', '0251234567'], []],
    ['that differs in two places', ['0241234567', '0241234678'], []],
    ['with two digits swapped that do not touch', ['0241234567', '0241434267'], []],
    ['of a family', ['0241234561', '0241234563', '0241234567'], []],
    ['next to one of the list', ['0241234567', '0241234568'], []],
    ['of a run', ['0241234508', '0241234509', '0241234510', '0241234511'], []],
    ['next to a known family', ['0241234563'], ['0241234561', '0241234562']],
    ['that is known itself', ['0241234576'], ['0241234576', '0241234567']],
  ])('%s', (_, phones, known) => {
    expect(twins(phones, known)).toEqual([])
  })
})

test('of two numbers of a list the one that was never served is named, wherever it stands', () => {
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

/** The same numbers at each run. */
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

describe('random lists', () => {
  test.each([
    [200, prefixes],
    [1_000, prefixes],
    [1_000, ['024']],
    [10_000, prefixes],
    [10_000, ['024', '054', '055']],
  ])('of %i numbers name fewer than one in 200', (count, from) => {
    let named = 0
    for (let start = 1; start <= 5; start += 1)
      named += nearTwins(
        randomPhones(count, from, start) as Phone[],
        new Set(randomPhones(500, from, -start)),
      ).length
    expect(named / (5 * count)).toBeLessThan(1 / 200)
  })
})
