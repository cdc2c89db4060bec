import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPhone, maskPhone, phoneFromAnswer } from '../../src/provider/phone.ts'

const nine = fc.stringMatching(/^[1-9]\d{8}$/)

test('every form in which an answer may write a phone is the same phone', () => {
  fc.assert(
    fc.property(
      nine,
      fc.constantFrom('0', '+233', '233', '00233', '+233 ', '+2330', ''),
      (digits, prefix) => {
        expect(phoneFromAnswer(prefix + digits)).toBe(`0${digits}`)
        expect(
          phoneFromAnswer(`${prefix}${digits.slice(0, 2)} ${digits.slice(2, 5)}-${digits.slice(5)}`),
        ).toBe(`0${digits}`)
      },
    ),
  )
})

test('a phone that became a number has its leading zero back', () => {
  expect(phoneFromAnswer(241234567)).toBe('0241234567')
  expect(phoneFromAnswer(233241234567)).toBe('0241234567')
})

test.each(['', '024123456', '02412345678', '024•••4567', '024***4567', '+1 202 555 0100', null, {}, 1.5])(
  '%j is no phone',
  (value) => {
    expect(phoneFromAnswer(value)).toBeNull()
  },
)

test('whatever is read is in the form that the API takes', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const phone = phoneFromAnswer(value)
      expect(phone === null || isPhone(phone)).toBe(true)
    }),
  )
})

test('a masked phone keeps its network and its end', () => {
  expect(maskPhone('0241234567')).toBe('024•••4567')
})
