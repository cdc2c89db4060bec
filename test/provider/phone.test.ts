import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPhone, maskPhone, phoneFromAnswer } from '../../src/provider/phone.ts'

const nine = fc.stringMatching(/^[1-9]\d{8}$/)

test('a phone is read the same in every form in which an answer may write it', () => {
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

test('a phone that was sent as a number gets its leading zero back', () => {
  expect(phoneFromAnswer(241234567)).toBe('0241234567')
  expect(phoneFromAnswer(233241234567)).toBe('0241234567')
})

test.each(['', '024123456', '02412345678', '024•••4567', '024***4567', '+1 202 555 0100', null, {}, 1.5])(
  '%j is not read as a phone',
  (value) => {
    expect(phoneFromAnswer(value)).toBeNull()
  },
)

test('every phone read from an answer has the form that the API accepts', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const phone = phoneFromAnswer(value)
      expect(phone === null || isPhone(phone)).toBe(true)
    }),
  )
})

test('a masked phone shows its first three and last four digits', () => {
  expect(maskPhone('0241234567')).toBe('024•••4567')
})
