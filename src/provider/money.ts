/** An amount of money as a whole number of pesewas (GHS 23.50 is 2350). May be negative in a difference. */
export type Pesewas = number & { readonly __unit: 'pesewas' }

export const pesewas = (amount: number): Pesewas => {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not a whole number of pesewas: ${amount}`)
  return amount as Pesewas
}

/** Digits with or without thousands commas. `23,50` is refused: read as 2350 cedis it would be off by 100. */
const decimal = /^([+-]?)(?:GHS\s*)?(\d{1,14}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{0,40}))?$/i

/**
 * Reads an amount in GHS as the API writes it (a JSON number, or a numeric string), exactly.
 *
 * A JSON number is read through its shortest decimal form, so a sum such as 0.30000000000000004 that the
 * sender's own arithmetic left behind is rounded to the nearest pesewa (0.30).
 *
 * @returns null where the value is not an amount of money.
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
  return (sign === '-' && amount !== 0 ? -amount : amount) as Pesewas
}

/** Without an exponent: `1e-7` becomes `0.000000100000`. What has one for its size is no sum of money. */
const plainDecimal = (value: number): string | null => {
  if (!Number.isFinite(value)) return null
  const text = String(value)
  return text.includes('e') ? value.toFixed(12) : text
}

/** `GHS 1,234.50`: the one way in which people see an amount. */
export const formatGhs = (amount: Pesewas): string => {
  const absolute = Math.abs(amount)
  const whole = Math.floor(absolute / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount < 0 ? '-' : ''}GHS ${whole}.${String(absolute % 100).padStart(2, '0')}`
}
