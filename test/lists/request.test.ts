import fc from 'fast-check'
import { expect, test } from 'vitest'
import { damagedPhone, readRequest } from '../../src/lists/request.ts'

test.each([
  ['0241234567 5', '0241234567', '5GB', null],
  ['0559876543, 10gb', '0559876543', '10GB', null],
  ['0507904981 - 2.5', '0507904981', '2.5GB', null],
  ['1. 0535308873 - 5gb', '0535308873', '5GB', null],
  ['12) 0535308873 5gb', '0535308873', '5GB', null],
  ['241234567 2', '0241234567', '2GB', null],
  ['+233 24 123 4567 5gb', '0241234567', '5GB', null],
  ['0270890079\n15gb\nbig time', '0270890079', '15GB', 'BigTime'],
  ['0241234567\t5', '0241234567', '5GB', null],
  ['5gb 0241234567', '0241234567', '5GB', null],
  ['5 0241234567', '0241234567', '5GB', null],
  ['0241234567: 5 GIG', '0241234567', '5GB', null],
  ['0241234567 500mb', '0241234567', '500MB', null],
  ['mtn 0241234567 5', '0241234567', '5GB', 'MTN'],
  ['0261234567 at 3', '0261234567', '3GB', 'AirtelTigo'],
])('%j is %s, %s, network %s', (text, phone, size, network) => {
  const request = readRequest(text)
  expect(request?.phone.phone).toBe(phone)
  expect(`${request?.size.amount}${request?.size.unit}`).toBe(size)
  expect(request?.network).toBe(network)
})

test('a restored zero is noted', () => {
  expect(readRequest('241234567 2')?.phone.zeroRestored).toBe(true)
  expect(readRequest('0241234567 2')?.phone.zeroRestored).toBe(false)
})

test.each([
  ['two orders of 5GB?', '0241234567 2x5gb'],
  ['one digit is missing', '024123456 5'],
  ['Excel damaged this number', '2.44123E+08 5'],
  ['two sizes', '0241234567 5gb 10gb'],
  ['a decimal comma may be two sizes', '0241234567 2,5'],
  ['two numbers', '0241234567 0551234567'],
  ['two pairs', '0241234567 2, 0551234567 4'],
  ['two networks', '0241234567 5 mtn telecel'],
  ['the number may end before the last digit', '024 123 456 7 5'],
  ['a word that means nothing', '0241234567 5 please'],
  ['a number alone', '0241234567'],
  ['a size alone', '5gb'],
  ['nothing', ''],
])('%s: %j is not read', (_, text) => {
  expect(readRequest(text)).toBeNull()
})

test('a number and a size in either order read back, with or without a network', () => {
  const written = fc.record({
    phone: fc.stringMatching(/^0[25]\d{8}$/),
    amount: fc.integer({ min: 1, max: 999 }),
    unit: fc.constantFrom('', 'gb', ' GB', ' gig'),
    network: fc.constantFrom('', 'mtn', 'big time'),
    swap: fc.boolean(),
    between: fc.constantFrom(' ', '\n', ', ', ' - ', ' = ', '\t'),
  })
  fc.assert(
    fc.property(written, ({ phone, amount, unit, network, swap, between }) => {
      const pair = [phone, `${amount}${unit}`]
      const text = [...(swap ? pair.reverse() : pair), ...(network ? [network] : [])].join(between)
      expect(readRequest(text)).toEqual({
        phone: { phone, zeroRestored: false },
        size: { amount, unit: 'GB' },
        network: network === '' ? null : network === 'mtn' ? 'MTN' : 'BigTime',
      })
    }),
  )
})

test('a long text is refused quickly and without a reading', () => {
  expect(readRequest('0241234567 5 '.repeat(10_000))).toBeNull()
  expect(readRequest('9'.repeat(100_000))).toBeNull()
})

test.each([
  ['024123456 5', '024123456'],
  ['02412345678 5gb', '02412345678'],
  ['0302123456 5gb', '0302123456'],
  ['call 0241234567 please', null],
  ['5gb for 5', null],
])('in %j the damaged number is %s', (text, damaged) => {
  expect(damagedPhone(text)).toBe(damaged)
})

test.each([
  ['at before a size, beside a number of another network', '0241234567 at 5'],
  ['the fifth line of a list', '5- 0241234567'],
  ['two endings of a number', '0241234567/8 5'],
])('%s: %j is not read', (_, text) => {
  expect(readRequest(text)).toBeNull()
})

test.each(['O241234567 5gb', '2.44123E+08 5', '024 123 456 5gb'])('%j is told to be damaged', (text) => {
  expect(damagedPhone(text)).not.toBeNull()
})
