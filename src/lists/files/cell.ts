import { meaningOf } from '../reading/grammar/vocabulary.ts'

interface RawCell {
  /**
   * `s` for the index of a shared text, `inlineStr`, `str` for a formula's text, `b`, `e`, `d`, otherwise a number.
   */
  type: string
  value: string
  /**
   * If the cell has a formula and its value is empty, the program that wrote the file did not compute the formula.
   */
  hasFormula: boolean
  format: NumberFormat
}

export interface NumberFormat {
  isDate: boolean
  /** The unit or currency shown before or after the number: `GHS 23.50`, `100 MB`. */
  before: string
  after: string
}

export const plainFormat: NumberFormat = { isDate: false, before: '', after: '' }

/** Shown for a formula that was not computed, so that the cell neither vanishes nor counts as a number. */
const notComputed = '#FORMULA'

/** The text that a person sees in the cell, except that numbers have all of their digits. */
export const cellText = ({ type, value, hasFormula, format }: RawCell, shared: readonly string[]): string => {
  if (value === '') return hasFormula ? notComputed : ''
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return unescaped(value)
  const date = format.isDate ? dateText(Number(value)) : null
  return date ?? [format.before, numberText(value.trim()), format.after].filter(Boolean).join(' ')
}

/** Decodes `_x000D_`, which stands for a character that XML cannot contain. */
export const unescaped = (text: string): string =>
  text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * The digits of a number, however the program wrote it (`2.41234567E8`, `2.5000000000000001`). A twelve-digit number
 * that ends with six zeros is a phone that Excel once showed as `2.33241E+11`. Its last digits are lost, so it is
 * returned in that form, and the line has to be corrected.
 */
const numberText = (written: string): string => {
  if (/^\d{12}$/.test(written) && written.endsWith('000000')) return damagedText(written)
  if (/^-?\d+$/.test(written)) return written
  const value = Number(written)
  if (!Number.isFinite(value)) return written
  const digits = String(value)
  return digits === written ? digits : numberText(digits)
}

const damagedText = (digits: string): string =>
  `${digits[0]}.${digits.slice(1, 6).replace(/0+$/, '') || '0'}E+11`

const dayMs = 86_400_000
/** 1 January 1970, in days of Excel's calendar. */
const epochDays = 25_569
/** The end of the year 9999, where Excel's calendar ends. */
const lastDay = 2_958_466

/** `2026-11-21`, `2026-11-21 14:05` or `14:05`; null for a number that cannot be a date. */
const dateText = (days: number): string | null => {
  if (!(days >= 0 && days < lastDay)) return null
  const minutes = Math.round((days - epochDays) * 1440)
  const [date = '', time = ''] = new Date((minutes * dayMs) / 1440).toISOString().slice(0, 16).split('T')
  if (days < 1) return time
  return time === '00:00' ? date : `${date} ${time}`
}

/** The ids of Excel's built-in formats that show dates or times. */
const ownDateFormats = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** The longest format that Excel allows, in characters. */
const maxFormatLength = 255

/**
 * How numbers are shown in cells with this format.
 * @param code the format's text; undefined for Excel's built-in formats
 */
export const formatOf = (id: number, code: string | undefined): NumberFormat => {
  if (isDateFormat(id, code)) return { ...plainFormat, isDate: true }
  return code === undefined || code.length > maxFormatLength
    ? plainFormat
    : { isDate: false, ...wordsOf(code) }
}

/** A piece of a format: words in quotes, after a backslash or in `[$GHS-409]`, or a single character. */
const piece = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].|./gs

/** The words in the format's part for positive numbers. */
const wordsOf = (code: string): Pick<NumberFormat, 'before' | 'after'> => {
  const words = { before: '', after: '' }
  let side: keyof typeof words = 'before'
  let isScaled = false
  for (const [sign, quoted, escaped, currency] of code.matchAll(piece)) {
    if (sign === ';') break
    words[side] += quoted ?? escaped ?? currency ?? ''
    if (/^[0#?G]$/.test(sign)) [side, isScaled] = ['after', false]
    if (sign === ',') isScaled = true
  }
  const after = unitOrCurrency(words.after)
  return { before: unitOrCurrency(words.before), after: isScaled ? unscaled(after) : after }
}

/** The unit or the currency among the words of a format; empty if there is none. */
const unitOrCurrency = (words: string): string =>
  words.match(/\p{L}+|[₵¢]/gu)?.find((word) => /^[₵¢]$/.test(word) || kinds.has(meaningOf(word)?.as)) ?? ''

const kinds = new Set<string | undefined>(['unit', 'currency'])

/**
 * The unit of the cell's number if its format scales it. `0.0,"GB"` divides by a thousand: it shows 5120 as 5.1GB, so
 * the number itself is in MB.
 */
const unscaled = (unit: string): string => (/^g/i.test(unit) ? 'MB' : '')

export const isDateFormat = (id: number, code: string | undefined): boolean => {
  if (code === undefined) return ownDateFormats.some(([from, to]) => id >= from && id <= to)
  if (code.length > maxFormatLength) return false
  const signs = code.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '')
  return !/general/i.test(signs) && /[ymdhs]/i.test(signs)
}
