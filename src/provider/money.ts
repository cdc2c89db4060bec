/** An amount of money as a whole number of pesewas (GHS 23.50 is 2350). It may be negative, such as a difference. */
export type Pesewas = number & { readonly __unit: 'pesewas' }

/**
 * Makes `Pesewas` from a number that comes from outside, such as the database, or from a rounded division.
 *
 * @throws RangeError if it is not a whole number below 2^53.
 */
export const pesewas = (amount: number): Pesewas => {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not a whole number of pesewas: ${amount}`)
  return branded(amount)
}

export const pesewasOrNull = (amount: number | null): Pesewas | null =>
  amount === null ? null : pesewas(amount)

// Sums and products of whole numbers are whole, so they are not checked again.
const branded = (amount: number): Pesewas => amount as Pesewas

export const zero: Pesewas = branded(0)

export const plus = (a: Pesewas, b: Pesewas): Pesewas => branded(a + b)

export const minus = (a: Pesewas, b: Pesewas): Pesewas => branded(a - b)

/** @param count a whole number. For shares and percentages, round the result and use `pesewas`. */
export const times = (amount: Pesewas, count: number): Pesewas => branded(amount * count)

export const sum = (amounts: readonly Pesewas[]): Pesewas => amounts.reduce(plus, zero)

export const larger = (a: Pesewas, b: Pesewas): Pesewas => (b > a ? b : a)

export const atLeastZero = (amount: Pesewas): Pesewas => larger(zero, amount)

/**
 * Digits with or without thousands commas. `23,50` is refused, because reading it as 2350 cedis would be wrong by a
 * factor of 100.
 */
const decimal = /^([+-]?)(?:GHS\s*)?(\d{1,14}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{0,40}))?$/i

/**
 * Reads an amount in GHS as the API writes it (a JSON number, or a numeric string), exactly.
 *
 * A JSON number is read through its shortest decimal form. A sum such as 0.30000000000000004, the result of the
 * sender's floating point arithmetic, is rounded to the nearest pesewa (0.30).
 *
 * @returns null if the value is not an amount of money.
 */
export const pesewasFromGhs = (value: unknown): Pesewas | null => {
  const text = typeof value === 'number' ? plainDecimal(value) : typeof value === 'string' ? value : null
  const match = text === null ? null : decimal.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', fraction = ''] = match
  const digits = fraction.padEnd(3, '0')
  const roundUp = digits.charAt(2) >= '5' ? 1 : 0
  const amount = Number(whole.replaceAll(',', '')) * 100 + Number(digits.slice(0, 2)) + roundUp
  if (!Number.isSafeInteger(amount)) return null
  return branded(sign === '-' && amount !== 0 ? -amount : amount)
}

/**
 * The number without an exponent: `1e-7` becomes `0.000000100000`. If the number is so large that `toFixed` keeps its
 * exponent, it is rejected later, because it cannot be an amount of money.
 */
const plainDecimal = (value: number): string | null => {
  if (!Number.isFinite(value)) return null
  const text = String(value)
  return text.includes('e') ? value.toFixed(12) : text
}

/** `GHS 1,234.50`: the only form in which people see an amount. */
export const formatGhs = (amount: Pesewas): string => {
  const absolute = Math.abs(amount)
  const whole = Math.floor(absolute / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0 ? '-' : ''}GHS ${whole}.${String(absolute % 100).padStart(2, '0')}`
}
