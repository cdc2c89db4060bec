import { describe, expect, test } from 'vitest'
import { isDateFormat } from '../../../src/lists/files/cell.ts'

describe('a built-in number format of Excel', () => {
  test.each([14, 22, 27, 36, 45, 47, 50, 58])('with the number %i shows a date or a time', (id) => {
    expect(isDateFormat(id, undefined)).toBe(true)
  })

  test.each([0, 13, 23, 26, 37, 44, 48, 49, 59])(
    'with the number %i shows neither a date nor a time',
    (id) => {
      expect(isDateFormat(id, undefined)).toBe(false)
    },
  )
})
