import { describe, expect, test } from 'vitest'
import { decodeText } from '../../../src/lists/files/decode-text.ts'

/** A file with three lines of a list and one more character. */
const fileWith = (code: number): Uint8Array =>
  new TextEncoder().encode(`${'0241234567 5GB\n'.repeat(3)}${String.fromCharCode(code)}\n`)

const hex = (code: number): string => `U+${code.toString(16).padStart(4, '0')}`

describe('a file whose every fiftieth character is', () => {
  test.each([0x00, 0x01, 0x08, 0x0e, 0x19, 0x1b, 0x1f, 0xfffe, 0xffff].map((code) => [hex(code), code]))(
    '%s is not decoded as text',
    (_, code) => {
      expect(decodeText(fileWith(Number(code)))).toBe(null)
    },
  )

  test.each([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x20].map((code) => [hex(code), code]))(
    '%s is decoded as text',
    (_, code) => {
      expect(decodeText(fileWith(Number(code)))).toContain('0241234567 5GB\n')
    },
  )
})
