export interface Size {
  amount: number
  unit: 'GB' | 'MB'
}

/**
 * Reads `5`, `5gb`, `5 GIG`, `2.5GB`, `500mb`. A number without a unit means gigabytes. Null if the text is not a
 * size.
 */
export const readSize = (text: string): Size | null => {
  const match = /^(\d{1,5}(?:\.\d{1,3})?)\s{0,3}(gb|g|gigs?|gigabytes?|mb|m|megs?|megabytes?)?$/i.exec(
    text.trim(),
  )
  if (!match?.[1]) return null
  const amount = Number(match[1])
  if (amount === 0) return null
  return { amount, unit: /^m/i.test(match[2] ?? '') ? 'MB' : 'GB' }
}

/** Writes a size as `5GB` or `500MB`. */
export const writtenSize = ({ amount, unit }: Size): string => `${amount}${unit}`

/** Whether the sizes are the same, also across units (a gigabyte is 1,000 or 1,024 megabytes). */
export const isSameSize = (a: Size, b: Size): boolean => {
  if (a.unit === b.unit) return a.amount === b.amount
  const [giga, mega] = a.unit === 'GB' ? [a, b] : [b, a]
  return giga.amount === mega.amount / 1000 || giga.amount === mega.amount / 1024
}

/** The size in megabytes, for comparisons. Gigabytes have at most three decimals, so the result is a whole number. */
export const megabytesOf = ({ amount, unit }: Size): number =>
  unit === 'GB' ? Math.round(amount * 1000) : amount
